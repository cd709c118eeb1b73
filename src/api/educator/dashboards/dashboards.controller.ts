import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import { sendCsv } from "../../../http/replies/csv.js";
import { replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import {
  studentBatches,
  studentsByCourse,
  studentsByPurchaseDate,
  totalsOf,
} from "../../../services/enrollments/students-of-educator.js";
import { toMajor } from "../../../services/payments/price.js";
import {
  type DashboardQuery,
  DashboardReply,
  type EnrolledStudentsQuery,
  EnrolledStudentsReply,
} from "./dashboards.schemas.js";

type Listing<Q extends z.ZodType> = RouteRequest<undefined, z.output<Q>, undefined, "educator">;

/** What an educator sees of their own courses. Sums are running totals; lists are read in batches. */
export function dashboardsController({ db, config }: Pick<Deps, "db" | "config">) {
  return {
    async dashboard(request: Listing<typeof DashboardQuery>) {
      const { revenueMinor, courses } = await totalsOf(db, request.viewer.id);
      return replyWithList(request, {
        ...{ reply: DashboardReply, field: "enrolledStudentsData" },
        list: studentsByCourse(db, request.viewer.id),
        wrap: (enrolledStudentsData, page) => ({
          dashboardData: {
            totalEarnings: toMajor(revenueMinor, config.currency),
            totalCourses: courses,
            enrolledStudentsData,
            ...page,
          },
        }),
      });
    },

    students: (request: Listing<typeof EnrolledStudentsQuery>) =>
      replyWithList(request, {
        ...{ reply: EnrolledStudentsReply, field: "enrolledStudents" },
        list: studentsByPurchaseDate(db, request.viewer.id),
        wrap: (enrolledStudents, page) => ({ enrolledStudents, ...page }),
      }),

    studentsTable: ({ viewer, res, signal }: RouteRequest<undefined, undefined, undefined, "educator">) =>
      sendCsv(res, signal, {
        name: "enrolled-students",
        columns: ["Course ID", "Course", "Student ID", "Student", "Purchase date"],
        batches: studentRows(studentBatches(db, viewer.id)),
      }),
  };
}

async function* studentRows(batches: ReturnType<typeof studentBatches>) {
  for await (const students of batches) {
    yield students.map(({ student, course, purchaseDate }) => [
      String(course._id),
      course.courseTitle,
      student._id,
      student.name,
      purchaseDate,
    ]);
  }
}
