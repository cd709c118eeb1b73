import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { invoiceKinds } from "../../models/payments/invoice.js";
import type { SectionName } from "../../services/privacy/read-user-data.js";

export const EraseBody = z.object({
  confirm: z.string().meta({ description: "the caller's own user id: anything else is refused" }),
  keepCertificates: z
    .boolean()
    .default(false)
    .meta({ description: "issued certificates keep the name and can be verified" }),
});

export const EraseReply = z.object({
  erased: z.boolean().meta({
    description:
      "true: what was stored is erased; what requests under way wrote follows within minutes. " +
      "false: all of it goes on in the background",
  }),
});

const maybe = timestamp.nullable().optional();
const text = z.string().optional();
const number = z.number().optional();
const days = z.number().nullable().optional().meta({ description: "null: for good" });
const flag = z.boolean().optional();
const course = { courseId: id };
const made = { createdAt: timestamp.optional(), updatedAt: timestamp.optional() };
const words = z.array(z.string()).optional();

const Lecture = z.object({
  lectureId: z.string(),
  lectureTitle: z.string(),
  lectureDuration: z.number(),
  lectureUrl: text,
  isPreviewFree: flag,
  lectureOrder: z.number(),
});

const Chapter = z.object({
  chapterId: z.string(),
  chapterOrder: z.number(),
  chapterTitle: z.string(),
  chapterContent: z.array(Lecture),
});

/** The fields of each section that leave the server. What only serves the work of the server is not among them. */
export const sectionRows = {
  profile: z.object({
    _id: z.string(),
    name: text,
    email: text,
    verifiedEmail: text.nullable(),
    imageUrl: text,
    ...made,
  }),
  roles: z.object({ role: z.string(), writtenAt: timestamp }),
  educatorApplications: z.object({
    professionalTitle: z.string(),
    bio: z.string(),
    expertise: words,
    linkedinUrl: text,
    status: z.string(),
    rejectionReason: text,
    ...made,
  }),
  coursesTaught: z.object({
    _id: id,
    courseTitle: z.string(),
    courseDescription: z.string(),
    courseThumbnail: text,
    coursePrice: z.number(),
    discount: number,
    accessDays: days,
    isPublished: flag,
    courseContent: z.array(Chapter).optional(),
    ...made,
  }),
  purchases: z.object({
    _id: id,
    ...course,
    amount: z.number(),
    currency: z.string(),
    status: z.string(),
    providerOrderId: text,
    providerPaymentId: text,
    completedAt: maybe,
    refundedAt: maybe,
    terms: z
      .object({
        courseTitle: text,
        coursePrice: number,
        discount: number,
        accessDays: days,
      })
      .optional(),
    buyer: z.object({ name: text, email: text }).optional(),
    coupon: z.object({ code: z.string(), kind: z.string(), value: z.number() }).optional(),
    invoiceNumber: text,
    creditNoteNumber: text,
    refundedMinor: number.meta({ description: "in the smallest unit of the currency" }),
    ...made,
  }),
  invoices: z.object({
    kind: z.enum(invoiceKinds),
    number: z.string(),
    purchaseId: id,
    issuedAt: timestamp,
    facts: z
      .object({
        seller: z.object({ name: z.string(), address: z.string(), taxId: z.string() }),
        buyer: z.object({ name: z.string(), email: z.string() }),
        courseTitle: z.string(),
        currency: z.string(),
        priceMinor: z.number(),
        discountMinor: z.number(),
        couponMinor: z.number(),
        couponCode: z.string().nullable(),
        totalMinor: z.number(),
        tax: z.object({ name: z.string(), percent: z.number(), amountMinor: z.number() }).nullable(),
        paymentId: z.string(),
        invoiceNumber: z.string().nullable().meta({ description: "of the invoice that a credit note is about" }),
      })
      .meta({ description: "amounts are in the smallest unit of the currency" }),
  }),
  enrollments: z.object({
    ...course,
    active: z.boolean(),
    enrolledAt: timestamp,
    expiresAt: maybe,
    revokedAt: maybe,
    ...made,
  }),
  grants: z.object({
    ...course,
    state: z.string(),
    email: z.string().nullable().optional(),
    reason: z.string(),
    expiresAt: maybe,
    ...made,
  }),
  progress: z.object({
    ...course,
    lectureCompleted: words,
    completed: flag,
    completedAt: maybe,
    lastLectureId: z.string().nullable().optional(),
    positionSeconds: number,
    ...made,
  }),
  certificates: z.object({
    certificateId: z.string(),
    ...course,
    studentName: z.string().nullable().optional(),
    courseTitle: z.string(),
    completionDate: timestamp,
    status: z.string(),
    issuedAt: maybe,
    pdfUrl: z.string().nullable().optional(),
  }),
  ratings: z.object({ ...course, rating: z.number(), ...made }),
  quizzesSeen: z.object({ ...course, chapterId: z.string(), version: z.number(), ...made }),
  quizResults: z.object({
    ...course,
    chapterId: z.string(),
    score: z.number(),
    total: z.number(),
    percentage: z.number(),
    group: z.string(),
    recommendations: text,
    answers: z.array(z.number()),
    ...made,
  }),
  chats: z.object({
    sessionId: z.string(),
    messages: z.array(z.object({ role: z.string(), content: z.string(), createdAt: timestamp })),
    ...made,
  }),
  groupsCreated: z.object({ _id: id, name: z.string(), slug: z.string(), description: text, icon: text, ...made }),
  groupCreations: z.object({ total: z.number(), day: z.string(), onDay: z.number() }),
  memberships: z.object({ groupId: id, createdAt: timestamp }),
  posts: z.object({
    _id: id,
    groupId: id.nullable().optional(),
    title: z.string(),
    content: z.string(),
    tags: words,
    authorName: text,
    authorImage: text,
    isResolved: flag,
    upvoteCount: number,
    replyCount: number,
    editedAt: maybe,
    ...made,
  }),
  replies: z.object({
    _id: id,
    postId: id,
    content: z.string(),
    authorName: text,
    authorImage: text,
    upvoteCount: number,
    editedAt: maybe,
    ...made,
  }),
  votes: z.object({ targetId: id, postId: id, createdAt: timestamp }),
  reports: z.object({ targetKind: z.string(), targetId: id, postId: id, reason: z.string(), state: text, ...made }),
  timeByPage: z.object({
    page: z.string(),
    duration: z.number(),
    visits: z.number(),
    newest: z.object({ at: timestamp, path: z.string() }),
  }),
  timeByDay: z.object({ day: z.string(), duration: z.number() }),
  timeByCourse: z.object({ courseId: z.string(), duration: z.number(), sessions: z.number() }),
  timeByChapter: z.object({
    courseId: z.string(),
    chapterId: z.string(),
    duration: z.number(),
    sessions: z.number(),
  }),
  timeLabels: z.object({ pages: number, courses: number, chapters: number }),
  timeSessions: z.object({ page: z.string(), path: z.string(), duration: z.number(), at: timestamp }),
  erasures: z.object({ keepCertificates: z.boolean(), requestedAt: timestamp }),
  auditEntries: z.object({ action: z.string(), createdAt: timestamp }),
} satisfies Record<SectionName, z.ZodObject>;

type Lists = { [K in SectionName]: z.ZodArray<(typeof sectionRows)[K]> };

const lists = Object.fromEntries(
  Object.entries(sectionRows).map(([name, row]) => [name, z.array(row)]),
) as unknown as Lists;

export const ExportReply = z.object({
  export: z.object({ exportedAt: timestamp, userId: z.string(), ...lists }).meta({ id: "UserData" }),
});
