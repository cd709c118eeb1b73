import { Types } from "mongoose";
import type { Deps } from "../deps.js";
import type { Chapter } from "../models/course.js";
import { changeCatalog } from "./catalog-revision.js";
import { arrangeCurriculum, requirePayable } from "./course-terms.js";
import { discardUnlessShown, storeThumbnail } from "./store-thumbnail.js";

export interface NewCourse {
  courseTitle: string;
  courseDescription: string;
  coursePrice: number;
  discount: number;
  isPublished: boolean;
  courseContent: Chapter[];
}

/**
 * Uploads the thumbnail and then stores the course: nothing is stored when the upload fails, and the file is removed
 * again when the course could not be stored.
 * @param thumbnail an image that was checked already. @returns the new course's id.
 * @throws InvalidRequest for a price that cannot be paid; whatever storage or database threw.
 */
export async function createCourse(
  deps: Pick<Deps, "db" | "storage" | "log">,
  educatorId: string,
  course: NewCourse,
  thumbnail: Buffer,
): Promise<Types.ObjectId> {
  requirePayable(course.coursePrice, course.discount);
  const _id = new Types.ObjectId();
  const curriculum = arrangeCurriculum(course.courseContent);
  const shown = await storeThumbnail(deps, _id, thumbnail);
  try {
    await changeCatalog(deps.db, () => deps.db.Course.create({ ...course, ...curriculum, ...shown, _id, educatorId }));
  } catch (error) {
    await discardUnlessShown(deps, _id, shown.thumbnailFile);
    throw error;
  }
  return _id;
}
