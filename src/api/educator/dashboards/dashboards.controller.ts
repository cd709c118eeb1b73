import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import { sendCsv } from "../../../http/replies/csv.js";
import { describedBatches, replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import {
  findOwnCourses,
  studentsByCourse,
  studentsByPurchaseDate,
} from "../../../services/enrollments/students-of-educator.js";
import { toMajor } from "../../../services/payments/price.js";
import type { DashboardQuery, EnrolledStudentsQuery } from "./dashboards.schemas.js";

type Listing<Q extends z.ZodType> = RouteRequest<undefined, z.output<Q>, undefined, "educator">;

/** What an educator sees of their own courses. Sums are running totals; lists are read in batches. */
export function dashboardsController({ db, config }: Pick<Deps, "db" | "config">) {
  return {
    async dashboard(request: Listing<typeof DashboardQuery>) {
      const courses = await findOwnCourses(db, request.viewer.id);
      const revenueMinor = courses.reduce((sum, course) => sum + course.revenueMinor, 0);
      return replyWithList(request, studentsByCourse(db, courses), (enrolledStudentsData, page) => ({
        dashboardData: {
          totalEarnings: toMajor(revenueMinor, config.currency),
          totalCourses: courses.length,
          enrolledStudentsData,
          ...page,
        },
      }));
    },

    async students(request: Listing<typeof EnrolledStudentsQuery>) {
      const courses = await findOwnCourses(db, request.viewer.id);
      return replyWithList(request, studentsByPurchaseDate(db, courses), (enrolledStudents, page) => ({
        enrolledStudents,
        ...page,
      }));
    },

    async studentsTable({ viewer, res, signal }: RouteRequest<undefined, undefined, undefined, "educator">) {
      const courses = await findOwnCourses(db, viewer.id);
      return sendCsv(res, signal, {
        name: "enrolled-students",
        columns: ["Course ID", "Course", "Student ID", "Student", "Purchase date"],
        batches: describedBatches(studentsByCourse(db, courses)),
        cells: ({ courseId, courseTitle, student, purchaseDate }) => [
          String(courseId),
          courseTitle,
          student._id,
          student.name,
          purchaseDate,
        ],
      });
    },
  };
}
