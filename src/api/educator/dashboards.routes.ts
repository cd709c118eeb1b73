import { z } from "zod";
import type { Deps } from "../../deps.js";
import { sendCsv } from "../../http/csv.js";
import { type Route, route } from "../../http/route.js";
import { coursesOf, seatsOf, studentBatches, studentsOf } from "../../services/enrollments/students-of-educator.js";
import { toMajor } from "../../services/payments/price.js";
import { findPeople } from "../../services/users/user-cards.js";
import { DashboardReply, EnrolledStudentsReply } from "./dashboards.schemas.js";

/** What an educator sees of their own courses. Sums are running totals; lists cost what they return. */
export function dashboardRoutes({ db, config }: Deps): Route[] {
  return [
    route({
      method: "get",
      path: "/dashboard",
      summary: "Earnings, number of courses and students of one's own",
      access: "educator",
      reply: DashboardReply,
      errors: [],
      async handle({ viewer }) {
        const courses = await coursesOf(db, viewer.id);
        const seats = await seatsOf(db, courses);
        const person = await findPeople(
          db,
          seats.map(({ userId }) => userId),
        );
        const titles = new Map(courses.map(({ _id, courseTitle }) => [String(_id), courseTitle]));
        return {
          dashboardData: {
            totalEarnings: toMajor(
              courses.reduce((sum, { revenueMinor }) => sum + revenueMinor, 0),
              config.currency,
            ),
            totalCourses: courses.length,
            enrolledStudentsData: seats.map(({ userId, courseId }) => ({
              courseTitle: titles.get(String(courseId)) ?? "",
              student: person(userId),
            })),
          },
        };
      },
    }),
    route({
      method: "get",
      path: "/enrolled-students",
      summary: "Active enrollments in one's own courses, oldest purchase first",
      access: "educator",
      reply: EnrolledStudentsReply,
      errors: [],
      async handle({ viewer }) {
        const seats = await studentsOf(db, viewer.id);
        return { enrolledStudents: seats.map(({ course, ...seat }) => ({ ...seat, courseTitle: course.courseTitle })) };
      },
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
  for await (const seats of batches) {
    yield seats.map(({ student, course, purchaseDate }) => [
      String(course._id),
      course.courseTitle,
      student._id,
      student.name,
      purchaseDate,
    ]);
  }
}
