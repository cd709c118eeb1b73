import { z } from "zod";
import { listReply } from "../../http/list-reply.js";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { emailAddress } from "../../lib/email-address.js";
import { endOfAccess, id, text, timestamp } from "../../lib/fields.js";
import { enrollmentKinds } from "../../models/enrollments/enrollment.js";

const given = {
  userId: z.string().min(1).max(255).optional(),
  email: emailAddress
    .optional()
    .meta({ description: "either `userId` or `email`; a grant to an unknown address waits for its user" }),
  reason: text(1, 200),
  expiresAt: endOfAccess
    .optional()
    .meta({ description: "absent: for good; a date without time: the end of that day in UTC" }),
};

const namesOne = ({ userId, email }: { userId?: string | undefined; email?: string | undefined }): boolean =>
  (userId === undefined) !== (email === undefined);

export const AdminGrantBody = z.object({ ...given, courseId: z.string() }).refine(namesOne);
/** The educator's routes, and those of paths, name the item in the path of the request. */
export const GrantBody = z.object(given).refine(namesOne);

const filters = {
  userId: z.string().optional(),
  state: z.string().optional().meta({ description: "`active` or `waiting`" }),
  kind: z.string().optional().meta({ description: "`purchase`, `free` or `grant`" }),
};
export const AdminEnrollmentsQuery = z.object({ ...newestFirstPage, ...filters, courseId: z.string().optional() });
export const EnrollmentsQuery = z.object({ ...newestFirstPage, ...filters });

const EnrollmentView = z
  .object({
    _id: id,
    kind: z.enum(enrollmentKinds),
    state: z.enum(["active", "waiting"]),
    userId: z.string().nullable(),
    email: z.string().nullable(),
    courseId: id,
    reason: z.string().meta({ description: "empty unless the enrollment was granted" }),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "Enrollment" });

export const EnrollmentReply = z.object({ enrollment: EnrollmentView });
export const EnrollmentsReply = listReply("enrollments", EnrollmentView, nextCursor);

const PathEnrollmentView = EnrollmentView.omit({ courseId: true })
  .extend({ courseId: z.null(), pathId: id })
  .meta({ id: "PathEnrollment" });

export const PathEnrollmentReply = z.object({ enrollment: PathEnrollmentView });
export const PathEnrollmentsReply = listReply("enrollments", PathEnrollmentView, nextCursor);
