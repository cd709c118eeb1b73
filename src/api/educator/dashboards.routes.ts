import { z } from "zod";
import type { Deps } from "../../deps.js";
import { replyWithList } from "../../http/pages.js";
import { sendCsv } from "../../http/replies/csv.js";
import { type Route, route } from "../../http/route.js";
import {
  studentBatches,
  studentsByCourse,
  studentsByPurchaseDate,
  totalsOf,
} from "../../services/enrollments/students-of-educator.js";
import { toMajor } from "../../services/payments/price.js";
import { DashboardQuery, DashboardReply, EnrolledStudentsQuery, EnrolledStudentsReply } from "./dashboards.schemas.js";

/** Rows that are read and held at a time. */
const rowsAtATime = 500;

/** What an educator sees of their own courses. Sums are running totals; lists are read in batches. */
export function dashboardRoutes({ db, config }: Deps): Route[] {
  return [
    route({
      method: "get",
      path: "/dashboard",
      summary: "Earnings, number of courses and students of one's own",
      access: "educator",
      query: DashboardQuery,
      reply: DashboardReply,
      errors: [],
      async handle(request) {
        const { revenueMinor, courses } = await totalsOf(db, request.viewer.id);
        return replyWithList(request, {
          ...{ reply: DashboardReply, field: "enrolledStudentsData", batch: rowsAtATime },
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
    }),
    route({
      method: "get",
      path: "/enrolled-students",
      summary: "Active enrollments in one's own courses, oldest purchase first",
      access: "educator",
      query: EnrolledStudentsQuery,
      reply: EnrolledStudentsReply,
      errors: [],
      handle: (request) =>
        replyWithList(request, {
          ...{ reply: EnrolledStudentsReply, field: "enrolledStudents", batch: rowsAtATime },
          list: studentsByPurchaseDate(db, request.viewer.id),
          wrap: (enrolledStudents, page) => ({ enrolledStudents, ...page }),
        }),
    }),
    route({
      method: "get",
      path: "/enrolled-students.csv",
      summary: "The same as a table, course by course",
      description:
        "Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.",
      access: "educator",
      reply: z.object({}),
      alsoProduces: ["text/csv"],
      errors: [],
      handle: ({ viewer, res, signal }) =>
        sendCsv(res, signal, {
          name: "enrolled-students",
          columns: ["Course ID", "Course", "Student ID", "Student", "Purchase date"],
          batches: studentRows(studentBatches(db, viewer.id)),
        }),
    }),
  ];
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
