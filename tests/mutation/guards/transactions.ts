import type { Guard } from "../guard.js";

/** A write that no longer belongs to the transaction around it, or a transaction that is none. */
const outside = (
  id: string,
  about: string,
  [file, find, replace]: readonly [file: string, find: string, replace: string],
  tests: readonly string[],
  only?: string,
): Guard => ({
  ...{ id: `transaction-${id}`, kind: "transaction", about, file, find, replace, tests },
  ...(only ? { only } : {}),
});

const dies = "faults/payments/kill-points.test.ts";

export const transactionGuards: readonly Guard[] = [
  outside(
    "sale-figures",
    "a sale and its course's figures change together",
    [
      "models/courses/course-queries.ts",
      "updateOne({ _id: courseId }, update, { session })",
      "updateOne({ _id: courseId }, update, {})",
    ],
    [dies],
    "of a completion",
  ),
  outside(
    "sale-day",
    "a sale and its day's figures change together",
    [
      "models/courses/course-day.ts",
      "updateOne({ courseId, day }, { $inc: sold }, { session, upsert: true })",
      "updateOne({ courseId, day }, { $inc: sold }, { upsert: true })",
    ],
    [dies],
    "of a completion",
  ),
  outside(
    "sale-enrollment",
    "a purchase and its enrollment change together",
    [
      "models/enrollments/enrollment-queries.ts",
      'const options = { session, upsert, returnDocument: "before" } as const;',
      'const options = { upsert, returnDocument: "before" } as const;',
    ],
    [dies],
    "of a completion",
  ),
  outside(
    "sale-payment",
    "a purchase and its payment change together",
    [
      "models/payments/payment.ts",
      '    { session, upsert: true, returnDocument: "before" },',
      '    { upsert: true, returnDocument: "before" },',
    ],
    ["faults/payments/interleaving.test.ts"],
    "just before its capture is committed",
  ),
  outside(
    "event-result",
    "an event is marked with the effect that it had",
    [
      "models/payments/payment-event-queries.ts",
      "updateOne({ _id }, marked, { session })",
      "updateOne({ _id }, marked, {})",
    ],
    [dies, "faults/database/transactions.test.ts"],
  ),
  outside(
    "refund-purchase",
    "a refund and its purchase change together",
    [
      "models/payments/payment.ts",
      "replaceOne({ _id: payment._id }, payment, { session, upsert: true })",
      "replaceOne({ _id: payment._id }, payment, { upsert: true })",
    ],
    ["faults/payments/interleaving.test.ts"],
    "just before its capture is committed",
  ),
  outside(
    "coupon-redeemed",
    "a purchase and its coupon change together",
    [
      "models/payments/coupon.ts",
      "updateOne({ _id }, { $inc: by }, { session, timestamps: false })",
      "updateOne({ _id }, { $inc: by }, { timestamps: false })",
    ],
    ["faults/selling/selling-crash.test.ts"],
    "coupon",
  ),
  outside(
    "coupon-reserved",
    "a coupon is reserved with the purchase that uses it",
    [
      "models/payments/coupon.ts",
      '{ session, returnDocument: "after", timestamps: false }',
      '{ returnDocument: "after", timestamps: false }',
    ],
    ["faults/selling/selling-crash.test.ts"],
    "reserves it once",
  ),
  outside(
    "audit",
    "an action and its entry in the audit trail are stored together",
    ["services/audit/record-audit.ts", "insertMany(entries, { session })", "insertMany(entries, {})"],
    ["faults/providers/approval.test.ts"],
    "dies between any two writes",
  ),
  outside(
    "approval-role",
    "an approval and its role are stored together",
    ["services/educators/decide-application.ts", "{ session, upsert: true },", "{ upsert: true },"],
    ["faults/providers/approval.test.ts"],
    "dies between any two writes",
  ),
  outside(
    "catalog",
    "an edit and the catalog's revision change together",
    ["models/courses/catalog-revision.ts", "$push: { changes } },\n    { session },", "$push: { changes } },\n    {},"],
    ["api/courses/uncommitted-edits.test.ts"],
  ),
  outside(
    "new-course",
    "a new course and its educator's account change together",
    [
      "services/courses/create-course.ts",
      "{ $set: { hasCourses: true } }, { session, upsert: true }",
      "{ $set: { hasCourses: true } }, { upsert: true }",
    ],
    ["api/educator/edit-course.test.ts"],
    "two writes of a new course",
  ),
  outside(
    "new-course-again",
    "a new course whose commit was not answered is stored once",
    ["services/courses/create-course.ts", "if (await db.Course.exists({ _id }).session(session)) return;", ""],
    ["api/educator/edit-course.test.ts"],
    "is the same one",
  ),
  outside(
    "attempt-chapter",
    "an attempt and its chapter's statistics are stored together",
    [
      "services/quizzes/store-attempt.ts",
      "const upsert = { upsert: true, session };",
      "const upsert = { upsert: true };",
    ],
    ["faults/learning/crash.test.ts"],
    "leaves a quiz attempt",
  ),
  outside(
    "rating-sum",
    "a rating and its course's sum change together",
    ["models/courses/course-rating.ts", "projection: { rating: 1 }, session },", "projection: { rating: 1 } },"],
    ["api/ratings/ratings.test.ts", "faults/learning/crash.test.ts"],
  ),
  outside(
    "time-buckets",
    "a session and its sums are stored together",
    [
      "models/learning/time-tracking-queries.ts",
      "updateOne({ userId, day }, { $inc: { duration } }, options)",
      "updateOne({ userId, day }, { $inc: { duration } }, { upsert: true })",
    ],
    ["api/time-tracking/faults.test.ts"],
  ),
  outside(
    "time-labels",
    "the number of labels is exact",
    [
      "models/learning/time-tracking-queries.ts",
      'const options = { upsert: true, session, returnDocument: "after" } as const;',
      'const options = { upsert: true, returnDocument: "after" } as const;',
    ],
    ["api/time-tracking/bounds.test.ts"],
    "at most a hundred labels",
  ),
  outside(
    "identity-message",
    "an identity event and the memory of its message are stored together",
    [
      "services/users/webhook-messages.ts",
      '{ session, upsert: true, returnDocument: "before" },',
      '{ upsert: true, returnDocument: "before" },',
    ],
    ["webhooks/clerk.test.ts"],
    "leaves all or nothing, and a redelivery",
  ),
  outside(
    "identity-account",
    "a user and the account that orders its events change together",
    [
      "services/users/apply-identity-event.ts",
      '{ session, upsert: true, returnDocument: "before" },',
      '{ upsert: true, returnDocument: "before" },',
    ],
    ["webhooks/clerk.test.ts"],
    "leaves all or nothing, and a redelivery",
  ),
  outside(
    "grant",
    "a grant and its enrollment are stored together",
    [
      "services/grants/grant-enrollment.ts",
      "db.Grant.create([grant], { session, timestamps: false })",
      "db.Grant.create([grant], { timestamps: false })",
    ],
    ["faults/selling/selling-crash.test.ts"],
    "of a grant",
  ),
  outside(
    "import-results",
    "the rows of an import and their grants are stored together",
    [
      "services/grants/imports/run-imports.ts",
      "db.EnrollmentImport.updateOne({ _id }, { $inc: counted, $set: { lastRow } }, { session })",
      "db.EnrollmentImport.updateOne({ _id }, { $inc: counted, $set: { lastRow } }, {})",
    ],
    ["faults/selling/selling-crash.test.ts"],
    "an import that dies",
  ),
  outside(
    "invoice-number",
    "a number and its invoice are stored together",
    [
      "models/payments/invoice.ts",
      'const options = { session, upsert: true, returnDocument: "after" } as const;',
      'const options = { upsert: true, returnDocument: "after" } as const;',
    ],
    ["faults/selling/selling-crash.test.ts"],
    "leaves no gap",
  ),
  outside(
    "erasure-course",
    "a user leaves a course's rows together",
    [
      "models/own-rows.ts",
      "nativeCollection(db.Enrollment).updateOne(own, update, { session })",
      "nativeCollection(db.Enrollment).updateOne(own, update, {})",
    ],
    ["privacy/erase.test.ts"],
  ),
  outside(
    "erasure-request",
    "a wish to be erased and its entry in the audit trail are stored together",
    ["services/privacy/request-erasure.ts", "update, { session, upsert: true }", "update, { upsert: true }"],
    ["privacy/erase.test.ts"],
  ),
  outside(
    "deadline",
    "a transaction gives up in time",
    ["db/transaction.ts", "milliseconds: deadlineMs,", "milliseconds: 100 * deadlineMs,"],
    ["faults/database/transactions.test.ts"],
    "gives up in the end",
  ),
  outside(
    "undone",
    "what a transaction throws undoes everything",
    [
      "db/transaction.ts",
      "        lastError = error;\n        throw error;",
      "        await session.commitTransaction();\n        lastError = error;\n        throw error;",
    ],
    ["faults/database/transactions.test.ts"],
    "undoes everything",
  ),
  outside(
    "commands-in-time",
    "every command has a time limit",
    ["db/time-limit.ts", "maxTimeMS: options?.maxTimeMS ?? commandLimitMs", "maxTimeMS: options?.maxTimeMS"],
    ["faults/database/command-times.test.ts"],
  ),
];
