import { z } from "zod";
import { listReply } from "../../../http/list-reply.js";
import { byDateOrAll, cursorDate, nextBefore, nextCursorOfPage, olderPage, pageOrAll } from "../../../http/pages.js";
import { id, timestamp } from "../../../lib/fields.js";
import { auditEntryRow } from "../../../models/audit-entry.js";
import { purchaseStates } from "../../../models/payments/purchase.js";

export const StatsReply = z.object({
  stats: z
    .object({
      totalStudents: z.number().meta({ description: "user records" }),
      totalCourses: z.number(),
      totalEducators: z.number().meta({ description: "users with the educator role" }),
      pendingApplications: z.number(),
      totalRevenue: z.number().meta({ description: "major unit; completed purchases" }),
      totalEnrollments: z.number().meta({ description: "active enrollments" }),
    })
    .meta({ id: "PlatformStats" }),
});

export const ChartReply = z.object({
  topCourseData: z
    .array(z.object({ name: z.string(), enrollments: z.number() }))
    .meta({ description: "at most six, by active enrollments" }),
  weeklyRevenue: z
    .array(z.object({ date: z.string().meta({ example: "Sat 21" }), revenue: z.number() }))
    .meta({ description: "seven UTC days by completion time, today last" }),
});

const Educator = z.object({ _id: z.string(), name: z.string(), email: z.string() });

export const AdminCoursesReply = listReply(
  "courses",
  z
    .object({
      _id: id,
      courseTitle: z.string(),
      educatorId: Educator,
      educator: Educator,
      enrolledCount: z.number(),
      isPublished: z.boolean(),
      coursePrice: z.number(),
      discount: z.number(),
      createdAt: timestamp,
      revenue: z.number().meta({ description: "major unit; completed purchases" }),
      purchases: z.number().meta({ description: "number of completed purchases" }),
    })
    .meta({ id: "AdminCourse" }),
  nextCursorOfPage,
);

export const PurchasesFilter = z.object({
  status: z
    .string()
    .optional()
    .meta({ description: `all, ${purchaseStates.join(", ")}; any other matches nothing` }),
  flagged: z.literal("true").optional().meta({ description: "only purchases with an open reason for a review" }),
});

export const AdminPurchase = z
  .object({
    _id: id,
    userId: z.string(),
    courseId: z.object({ _id: id, courseTitle: z.string() }).nullable(),
    pathId: id.nullable().meta({ description: "null: a course was bought" }),
    amount: z.number().meta({ description: "major unit of `currency`" }),
    currency: z.string(),
    status: z.enum(purchaseStates),
    reviewReason: z.string().nullable().meta({ description: "newest open reason for a review" }),
    createdAt: timestamp,
  })
  .meta({ id: "AdminPurchase" });

export const CoursesQuery = z.object(byDateOrAll);
export const PurchasesQuery = PurchasesFilter.extend(byDateOrAll);
export const UsersQuery = z.object(pageOrAll(z.tuple([cursorDate, z.string().min(1)])));

export const AdminPurchasesReply = listReply("purchases", AdminPurchase, nextCursorOfPage);

export const AdminUsersReply = listReply(
  "users",
  z
    .object({
      _id: z.string(),
      name: z.string(),
      email: z.string(),
      imageUrl: z.string(),
      enrolledCount: z.number(),
      coursesCreated: z.number(),
      isEducator: z.boolean(),
      createdAt: timestamp,
    })
    .meta({ id: "AdminUser" }),
  nextCursorOfPage,
);

export const AuditQuery = z.object(olderPage(50));

const { actorId, by } = auditEntryRow.shape;
const Entry = auditEntryRow
  .extend({
    actorId: actorId.meta({ description: "id of the user who acted, or `system`" }),
    by: by.meta({ description: "the API key with which the actor acted" }),
  })
  .meta({ id: "AuditEntry" });

export const AuditReply = z.object({
  entries: z.array(Entry),
  nextBefore,
});
