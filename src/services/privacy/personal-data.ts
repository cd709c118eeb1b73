import type { Model } from "mongoose";
import type { Models } from "../../models/index.js";

/** The fields of a collection's rows. */
type Field<K extends keyof Models> = Models[K] extends Model<infer Row> ? keyof Row & string : never;

/** What erasing a user's data does with the rows of a collection that name the user. */
export type Treatment<Owner extends string = string> =
  /** The rows are deleted. */
  | { readonly rows: "removed"; readonly owner: Owner }
  /** The rows stay, for the sake of others, under a random id in place of the user's; `set` empties what they show. */
  | { readonly rows: "anonymised"; readonly owner: Owner; readonly set?: Readonly<Record<string, unknown>> }
  /** A step of its own deals with them (erase-user-data.ts). */
  | { readonly rows: "by a step of its own" }
  /** They stay, or they name no user. */
  | { readonly rows: "kept"; readonly because: string };

const removed = <Owner extends string>(owner: Owner): Treatment<Owner> => ({ rows: "removed", owner });
const kept = (because: string): Treatment<never> => ({ rows: "kept", because });
const ownStep: Treatment<never> = { rows: "by a step of its own" };
const namesNoUser = kept("names no user");

/** How an author's name and image are treated. */
const noAuthor = { authorName: "Deleted user", authorImage: "" };

/** One entry for each collection: a new one does not compile until it has been decided how its rows are treated. */
export const treatments: { readonly [K in keyof Models]: Treatment<Field<K>> } = {
  User: ownStep,
  Account: kept("orders identity events, and remembers that the account was deleted"),
  RoleRecord: kept("what the account may do; goes by the identity provider"),
  EducatorApplication: ownStep,
  Erasure: ownStep,
  Course: kept("learners have bought it; the educator's name is gone with the profile"),
  CourseDailySales: namesNoUser,
  CourseRating: ownStep,
  CatalogRevision: namesNoUser,
  Purchase: ownStep,
  Enrollment: ownStep,
  Grant: ownStep,
  EmailLock: ownStep,
  EnrollmentImport: kept("who imported, for the evidence"),
  EnrollmentImportRow: ownStep,
  Coupon: kept("names the administrator or educator who made it"),
  Invoice: kept("the law of accounting wants it unchanged"),
  InvoiceSeries: namesNoUser,
  Payment: namesNoUser,
  PaymentEvent: kept("names the operator who settled a review; the payer's data are cut before it is stored"),
  CourseProgress: removed("userId"),
  Certificate: ownStep,
  TimeSession: removed("userId"),
  TimeBucketCounts: removed("_id"),
  PageTime: removed("userId"),
  DayTime: removed("userId"),
  CourseTime: removed("userId"),
  ChapterTime: removed("userId"),
  ChatSession: removed("userId"),
  Quiz: namesNoUser,
  LastServedQuiz: removed("userId"),
  QuizResult: { rows: "anonymised", owner: "userId", set: { recommendations: "" } },
  QuizChapterStats: namesNoUser,
  QuizVersionStats: namesNoUser,
  CommunityGroup: { rows: "anonymised", owner: "createdBy" },
  GroupMembership: ownStep,
  GroupCreations: removed("_id"),
  RemovedGroup: namesNoUser,
  CommunityPost: { rows: "anonymised", owner: "authorId", set: noAuthor },
  CommunityReply: { rows: "anonymised", owner: "authorId", set: noAuthor },
  UngroupedPosts: namesNoUser,
  Vote: { rows: "anonymised", owner: "userId" },
  Report: { rows: "anonymised", owner: "reporterId" },
  IdempotentRequest: kept("cannot be found by user, and expires within a day"),
  WebhookMessage: namesNoUser,
  Lease: namesNoUser,
  Migration: namesNoUser,
  AuditEntry: kept("the evidence of who did what"),
};
