import { z } from "zod";
import { listReply } from "../../../http/list-reply.js";
import { byDateOrAll, cursorDate, cursorId, nextCursorOfPage, pageOrAll } from "../../../http/pages.js";
import { timestamp } from "../../../lib/fields.js";
import { UserSummary } from "../../course-shapes.js";

export const DashboardQuery = z.object(pageOrAll(z.tuple([cursorDate, cursorId, cursorDate, cursorId])));
export const EnrolledStudentsQuery = z.object(byDateOrAll);

export const DashboardReply = z.object({
  dashboardData: z
    .object({
      totalEarnings: z
        .number()
        .meta({ description: "major unit; completed purchases of the educator's courses and paths" }),
      totalCourses: z.number().meta({ description: "drafts included" }),
      enrolledStudentsData: z.array(z.object({ courseTitle: z.string(), student: UserSummary })),
      nextCursor: nextCursorOfPage,
    })
    .meta({ id: "EducatorDashboard" }),
});

export const EnrolledStudentsReply = listReply(
  "enrolledStudents",
  z.object({ student: UserSummary, courseTitle: z.string(), purchaseDate: timestamp }),
  nextCursorOfPage,
);
