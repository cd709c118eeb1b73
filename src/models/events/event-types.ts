import { z } from "zod";
import { id, objectId, timestamp } from "../../lib/fields.js";
import { enrollmentKinds } from "../enrollments/enrollment.js";

/** Who lists the events of a type: the educator of the course and administrators, or administrators alone. */
export type EventAudience = "educator" | "admin";

interface EventTypeSpec {
  readonly description: string;
  readonly audience: EventAudience;
  /** The fields of `data`. Ids of objects may be stored objects; an event has them as text. */
  readonly data: z.ZodObject;
}

const oid = id.pipe(objectId);
const userId = z.string();
const currency = z.string().meta({ description: "ISO 4217", example: "INR" });

const course = { courseId: oid };
const learner = { userId, courseId: oid };
/** The ids of events that are about a course or a path: one of the two is null. */
const courseOrPath = { courseId: oid.nullable(), pathId: oid.nullable().default(null) };
const certificate = { certificateId: z.string(), userId, ...courseOrPath };
const pathVersion = z.object({ pathId: oid, version: z.int() });
const enrollment = { enrollmentId: oid, ...learner, kind: z.enum(enrollmentKinds) };
const courseVersion = z.object({ ...course, version: z.int() });

/** Why an enrollment ended. */
const endReasons = ["refund", "expired", "revoked", "erased"] as const;

/** Every type of event: the recorder, the routes, the documents and the tests read this table. */
export const eventTypes = {
  "purchase.completed": {
    description: "A purchase was completed. A free purchase has the amount 0.",
    audience: "educator",
    data: z.object({
      purchaseId: oid,
      userId,
      ...courseOrPath,
      amount: z.number(),
      currency,
      couponCode: z.string().nullable(),
    }),
  },
  "purchase.refunded": {
    description: "A purchase was paid back as a whole.",
    audience: "educator",
    data: z.object({ purchaseId: oid, userId, ...courseOrPath, refundedAmount: z.number(), currency }),
  },
  "enrollment.activated": {
    description: "A learner who had no access to a course has access now.",
    audience: "educator",
    data: z.object(enrollment),
  },
  "enrollment.ended": {
    description: "A learner has lost the access to a course.",
    audience: "educator",
    data: z.object({ ...enrollment, reason: z.enum(endReasons) }),
  },
  "lecture.completed": {
    description: "A learner has completed a lecture for the first time.",
    audience: "educator",
    data: z.object({ ...learner, lectureId: z.string() }),
  },
  "course.completed": {
    description: "A learner has completed a course.",
    audience: "educator",
    data: z.object(learner),
  },
  "certificate.issued": {
    description: "The first PDF of a certificate is stored.",
    audience: "educator",
    data: z.object({ ...certificate, pdfUrl: z.string(), edition: z.int(), expiresAt: timestamp.nullable() }),
  },
  "certificate.reissued": {
    description: "A further edition of a certificate is stored, with a corrected name or another look.",
    audience: "educator",
    data: z.object({ ...certificate, pdfUrl: z.string(), edition: z.int() }),
  },
  "certificate.revoked": {
    description: "A certificate was revoked.",
    audience: "educator",
    data: z.object(certificate),
  },
  "quiz.attempted": {
    description: "A learner's attempt at a quiz or assessment was graded.",
    audience: "educator",
    data: z.object({ ...learner, chapterId: z.string(), percentage: z.number(), group: z.string() }),
  },
  "course.published": {
    description: "A course was published, or stored as published.",
    audience: "educator",
    data: courseVersion,
  },
  "course.unpublished": {
    description: "A course was withdrawn.",
    audience: "educator",
    data: courseVersion,
  },
  "course.changed": {
    description: "A course was edited.",
    audience: "educator",
    data: courseVersion,
  },
  "path.completed": {
    description: "A learner has completed all courses of a path.",
    audience: "educator",
    data: z.object({ pathId: oid, userId }),
  },
  "path.published": {
    description: "A path was published, or stored as published.",
    audience: "educator",
    data: pathVersion,
  },
  "path.unpublished": {
    description: "A path was withdrawn.",
    audience: "educator",
    data: pathVersion,
  },
  "path.changed": {
    description: "A path was edited.",
    audience: "educator",
    data: pathVersion,
  },
  "review.written": {
    description: "A learner has rated a course, or written a review.",
    audience: "educator",
    data: z.object({ ...learner, rating: z.int().min(1).max(5) }),
  },
  "application.decided": {
    description: "An application to teach was approved or rejected.",
    audience: "admin",
    data: z.object({ userId, status: z.enum(["approved", "rejected"]) }),
  },
  "user.created": {
    description: "A user has got a profile.",
    audience: "admin",
    data: z.object({ userId }),
  },
  "user.erased": {
    description: "The personal data of a user were erased.",
    audience: "admin",
    data: z.object({ userId }),
  },
  "import.finished": {
    description: "A table of granted enrollments was worked through. Educators see imports into their courses.",
    audience: "educator",
    data: z.object({
      importId: oid,
      courseId: oid.nullable(),
      granted: z.int(),
      waiting: z.int(),
      skipped: z.int(),
      failed: z.int(),
    }),
  },
} as const satisfies Record<string, EventTypeSpec>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

/** The data that a caller gives for an event of a type. */
export type EventData<T extends EventType> = z.input<(typeof eventTypes)[T]["data"]>;
