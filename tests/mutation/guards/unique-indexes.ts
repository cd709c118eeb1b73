import type { Guard } from "../guard.js";

/** A unique index that is an ordinary one. @param key as it is written in the model. */
function unique(
  id: string,
  about: string,
  [file, schema, key]: readonly [file: string, schema: string, key: string],
  tests: readonly string[],
): Guard {
  const index = `${schema}.index(${key}, { unique: `;
  const mutation = { file: `models/${file}.ts`, find: `${index}true`, replace: `${index}false` };
  return { id: `unique-${id}`, kind: "unique index", about, ...mutation, tests };
}

const store = ["models/unique-indexes.test.ts"];

export const uniqueIndexGuards: readonly Guard[] = [
  unique(
    "purchase-slot",
    "a learner has one unfinished purchase of a course",
    ["payments/purchase", "purchaseSchema", "{ slot: 1 }"],
    store,
  ),
  unique(
    "purchase-order",
    "an order of the provider belongs to one purchase",
    ["payments/purchase", "purchaseSchema", "{ providerOrderId: 1 }"],
    store,
  ),
  unique(
    "purchase-payment",
    "a payment completes one purchase",
    ["payments/purchase", "purchaseSchema", "{ providerPaymentId: 1 }"],
    store,
  ),
  unique(
    "coupon-code",
    "a coupon's code is there once",
    ["payments/coupon", "couponSchema", "{ code: 1 }"],
    ["api/coupons/coupons.test.ts"],
  ),
  unique(
    "invoice-number",
    "an invoice's number is given once",
    ["payments/invoice", "invoiceSchema", "{ number: 1 }"],
    store,
  ),
  unique(
    "invoice-purchase",
    "a purchase has one invoice",
    ["payments/invoice", "invoiceSchema", "{ purchaseId: 1, ordinal: 1 }"],
    store,
  ),
  unique(
    "payment-event",
    "an event of the payment provider is stored once",
    ["payments/payment-event", "paymentEventSchema", "{ eventKey: 1 }"],
    store,
  ),
  unique(
    "enrollment",
    "a learner has one enrollment in a course",
    ["enrollments/enrollment", "enrollmentSchema", "{ userId: 1, courseId: 1 }"],
    store,
  ),
  unique(
    "waiting-grant",
    "one grant of a course waits for an e-mail address",
    ["enrollments/grant", "grantSchema", "{ email: 1, courseId: 1 }"],
    store,
  ),
  unique(
    "import-row",
    "a line of an import is stored once",
    ["enrollments/enrollment-import", "enrollmentImportRowSchema", "{ importId: 1, row: 1 }"],
    store,
  ),
  unique(
    "course-day",
    "the sales of a course's day are in one row",
    ["courses/course-day", "courseDaySchema", "{ courseId: 1, day: 1 }"],
    store,
  ),
  unique(
    "rating",
    "a learner has one rating of a course",
    ["courses/course-rating", "courseRatingSchema", "{ userId: 1, courseId: 1 }"],
    store,
  ),
  unique(
    "certificate",
    "a learner has one certificate of a course",
    ["learning/certificate", "certificateSchema", "{ userId: 1, courseId: 1 }"],
    store,
  ),
  unique(
    "certificate-id",
    "a certificate's public id names one",
    ["learning/certificate", "certificateSchema", "{ certificateId: 1 }"],
    store,
  ),
  unique(
    "chat",
    "a chat's id names one chat of all learners",
    ["learning/chat-session", "chatSessionSchema", "{ sessionId: 1 }"],
    store,
  ),
  unique(
    "progress",
    "a learner has one progress in a course",
    ["learning/course-progress", "courseProgressSchema", "{ userId: 1, courseId: 1 }"],
    store,
  ),
  unique(
    "quiz-version",
    "a version of a chapter's quiz is there once",
    ["learning/quiz", "quizSchema", "{ courseId: 1, chapterId: 1, version: -1 }"],
    store,
  ),
  unique(
    "quiz-served",
    "the version that a learner saw is remembered in one row",
    ["learning/quiz", "quizServedSchema", "{ userId: 1, courseId: 1, chapterId: 1 }"],
    store,
  ),
  unique(
    "quiz-chapter-stats",
    "the attempts at a chapter are counted in one row",
    ["learning/quiz-result", "quizChapterStatsSchema", "{ courseId: 1, chapterId: 1 }"],
    store,
  ),
  unique(
    "quiz-version-stats",
    "the attempts at a version are counted in one row",
    ["learning/quiz-result", "quizVersionStatsSchema", "{ courseId: 1, chapterId: 1, version: 1 }"],
    store,
  ),
  unique(
    "page-time",
    "a learner's time under a label is in one row",
    ["learning/time-tracking", "pageTimeSchema", "{ userId: 1, page: 1 }"],
    store,
  ),
  unique(
    "day-time",
    "a learner's time of a day is in one row",
    ["learning/time-tracking", "dayTimeSchema", "{ userId: 1, day: 1 }"],
    store,
  ),
  unique(
    "course-time",
    "a learner's time in a course is in one row",
    ["learning/time-tracking", "courseTimeSchema", "{ userId: 1, courseId: 1 }"],
    store,
  ),
  unique(
    "chapter-time",
    "a learner's time in a chapter is in one row",
    ["learning/time-tracking", "chapterTimeSchema", "{ userId: 1, courseId: 1, chapterId: 1 }"],
    store,
  ),
  unique(
    "group-name",
    "a group's name is there once but for case and spacing",
    ["community/community-group", "communityGroupSchema", "{ nameKey: 1 }"],
    store,
  ),
  unique(
    "group-slug",
    "a group's slug is there once",
    ["community/community-group", "communityGroupSchema", "{ slug: 1 }"],
    store,
  ),
  unique(
    "membership",
    "a user is once a member of a group",
    ["community/community-group", "groupMembershipSchema", "{ userId: 1, groupId: 1 }"],
    store,
  ),
  unique(
    "vote",
    "a user votes once for a post or reply",
    ["community/vote", "voteSchema", "{ userId: 1, targetId: 1 }"],
    store,
  ),
  {
    id: "unique-report",
    kind: "unique index",
    about: "a user has one open report of a post or reply",
    file: "models/community/report.ts",
    find: "{ unique: true, partialFilterExpression",
    replace: "{ unique: false, partialFilterExpression",
    tests: ["api/community/moderation.test.ts"],
    only: "is done once per user",
  },
  unique(
    "application",
    "a user has one application to teach",
    ["users/educator-application", "educatorApplicationSchema", "{ userId: 1 }"],
    store,
  ),
];
