import type { Deps } from "../../../deps.js";
import { answerList, describedBatches } from "../../../http/list-reply.js";
import { sendCsv } from "../../../http/replies/csv.js";
import { type RouteGroup, route } from "../../../http/route.js";
import {
  findEducatorCourses,
  pathEarnings,
  studentsByCourse,
  studentsByPurchaseDate,
} from "../../../services/enrollments/students-of-educator.js";
import { toMajor } from "../../../services/payments/price.js";
import { DashboardQuery, DashboardReply, EnrolledStudentsQuery, EnrolledStudentsReply } from "./dashboards.schemas.js";

/** Earnings and students of an educator. */
export function dashboardsGroup({ db, config }: Deps): RouteGroup {
  return {
    name: "educator",
    base: "/api/educator",
    routes: [
      route("get", "/dashboard", {
        operationId: "getEducatorDashboard",
        summary: "Earnings, courses and students of the educator",
        access: "educator",
        query: DashboardQuery,
        reply: DashboardReply,
        async handle(request) {
          const [courses, ofPaths] = await Promise.all([
            findEducatorCourses(db, request.manager),
            pathEarnings(db, request.manager),
          ]);
          const revenueMinor = courses.reduce((sum, course) => sum + course.revenueMinor, ofPaths);
          return answerList(request, studentsByCourse(db, courses), (enrolledStudentsData, page) => ({
            dashboardData: {
              totalEarnings: toMajor(revenueMinor, config.currency),
              totalCourses: courses.length,
              enrolledStudentsData,
              ...page,
            },
          }));
        },
      }),
      route("get", "/enrolled-students", {
        operationId: "listEnrolledStudents",
        summary: "Active enrollments in the educator's courses, oldest purchase first",
        access: "educator",
        scope: "learners:read",
        query: EnrolledStudentsQuery,
        reply: EnrolledStudentsReply.schema,
        async handle(request) {
          const courses = await findEducatorCourses(db, request.manager);
          return EnrolledStudentsReply.answer(request, studentsByPurchaseDate(db, courses));
        },
      }),
      route("get", "/enrolled-students.csv", {
        operationId: "exportEnrolledStudents",
        stability: "beta",
        summary: "Active enrollments in the educator's courses as CSV, course by course",
        description:
          "Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.",
        access: "educator",
        file: "text/csv",
        async handle({ manager, res, signal }) {
          const courses = await findEducatorCourses(db, manager);
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
      }),
    ],
  };
}
