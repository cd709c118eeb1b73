import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Course } from "../../models/courses/course.js";
import type { CertifiedItem } from "../../models/learning/certificate.js";
import type { Path } from "../../models/paths/path.js";
import { type CourseManager, findManagedCourse, type ManagedCourse } from "../courses/managed-course.js";
import { findManagedPath, type ManagedPath } from "../paths/managed-path.js";

/** A course or a path, whose certificates the manager of a request may touch. */
export type ManagedItem =
  | ManagedCourse<Pick<Course, "_id" | "educatorId" | "courseTitle">>
  | ManagedPath<Pick<Path, "_id" | "educatorId" | "courseIds" | "title">>;

const isPath = (item: ManagedItem) => "title" in item;

/** @throws as `findManagedCourse` or `findManagedPath`. */
export const findManagedItem = {
  course: (db: Db, id: string, manager: CourseManager): Promise<ManagedItem> =>
    findManagedCourse<Pick<Course, "_id" | "educatorId" | "courseTitle">>(db, id, manager, {
      educatorId: 1,
      courseTitle: 1,
    }),
  path: (db: Db, id: string, manager: CourseManager): Promise<ManagedItem> =>
    findManagedPath<Pick<Path, "_id" | "educatorId" | "courseIds" | "title">>(db, id, manager, {
      educatorId: 1,
      courseIds: 1,
      title: 1,
    }),
};

/** What the certificates of an item name. */
export const certifiedItem = (item: ManagedItem): CertifiedItem =>
  isPath(item) ? { courseId: null, pathId: item._id } : { courseId: item._id };

export const titleOf = (item: ManagedItem): string => (isPath(item) ? item.title : item.courseTitle);

/** The courses whose files a template may show. */
export const coursesOf = (item: ManagedItem): readonly Types.ObjectId[] => (isPath(item) ? item.courseIds : [item._id]);
