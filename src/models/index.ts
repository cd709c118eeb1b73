import type { Connection, Model, mongo } from "mongoose";
import type { z } from "zod";
import { assessmentCollection } from "./assessments/assessment.js";
import { assessmentAttemptCollection } from "./assessments/assessment-attempt.js";
import { auditEntryCollection } from "./audit-entry.js";
import type { Collection, UserOwned } from "./collection.js";
import {
  communityGroupCollection,
  groupCreationsCollection,
  groupMembershipCollection,
  removedGroupCollection,
} from "./community/community-group.js";
import { communityPostCollection, ungroupedPostsCollection } from "./community/community-post.js";
import { communityReplyCollection } from "./community/community-reply.js";
import { reportCollection } from "./community/report.js";
import { voteCollection } from "./community/vote.js";
import {
  idempotentRequestCollection,
  leaseCollection,
  migrationCollection,
  periodicRunCollection,
  webhookMessageCollection,
} from "./coordination.js";
import { catalogRevisionCollection } from "./courses/catalog-revision.js";
import { certificateTemplateCollection } from "./courses/certificate-template.js";
import { courseCollection } from "./courses/course.js";
import { courseDailySalesCollection } from "./courses/course-daily-sales.js";
import { courseRatingCollection, helpfulVoteCollection, reviewResponseCollection } from "./courses/course-rating.js";
import { courseResourceCollection } from "./courses/course-resource.js";
import { enrollmentCollection } from "./enrollments/enrollment.js";
import { enrollmentImportCollection, enrollmentImportRowCollection } from "./enrollments/enrollment-import.js";
import { emailLockCollection, grantCollection } from "./enrollments/grant.js";
import { eventCollection, eventCounterCollection } from "./events/event.js";
import { webhookCollection } from "./events/webhook.js";
import { webhookDeliveryCollection } from "./events/webhook-delivery.js";
import { certificateCollection } from "./learning/certificate.js";
import { chatSessionCollection } from "./learning/chat-session.js";
import { courseProgressCollection } from "./learning/course-progress.js";
import { endedEntryCollection, statusListCollection } from "./learning/credential-status.js";
import { discardedPdfCollection } from "./learning/discarded-pdf.js";
import { lectureCompletionsCollection } from "./learning/lecture-completions.js";
import { questionCollection } from "./learning/question.js";
import { lastServedQuizCollection, quizCollection } from "./learning/quiz.js";
import {
  quizChapterStatsCollection,
  quizResultCollection,
  quizVersionStatsCollection,
} from "./learning/quiz-result.js";
import {
  chapterTimeCollection,
  courseTimeCollection,
  dayTimeCollection,
  pageTimeCollection,
  timeBucketCountsCollection,
  timeSessionCollection,
} from "./learning/time-tracking.js";
import { announcementCollection } from "./notices/announcement.js";
import { inboxCollection } from "./notices/inbox.js";
import { mailCollection, suppressedAddressCollection, unsubscribeTokenCollection } from "./notices/mail.js";
import { noticeCollection, noticeCounterCollection } from "./notices/notice.js";
import { pathCollection } from "./paths/path.js";
import { pathEnrollmentCollection } from "./paths/path-enrollment.js";
import { couponCollection } from "./payments/coupon.js";
import { invoiceCollection, invoiceSeriesCollection } from "./payments/invoice.js";
import { paymentCollection } from "./payments/payment.js";
import { paymentEventCollection } from "./payments/payment-event.js";
import { purchaseCollection } from "./payments/purchase.js";
import { exportedRow } from "./row.js";
import { apiKeyCollection } from "./users/api-key.js";
import { educatorApplicationCollection } from "./users/educator-application.js";
import { erasureCollection } from "./users/erasure.js";
import { accountCollection, roleRecordCollection, userCollection } from "./users/user.js";

/**
 * Every collection by the name of its model. The declaration beside each schema says which rows are a user's and what an
 * erasure does with them. The export has its lists in this order.
 */
export const collections = {
  User: userCollection,
  RoleRecord: roleRecordCollection,
  EducatorApplication: educatorApplicationCollection,
  Course: courseCollection,
  CourseResource: courseResourceCollection,
  CertificateTemplate: certificateTemplateCollection,
  Path: pathCollection,
  Purchase: purchaseCollection,
  Invoice: invoiceCollection,
  Enrollment: enrollmentCollection,
  Grant: grantCollection,
  PathEnrollment: pathEnrollmentCollection,
  CourseProgress: courseProgressCollection,
  Certificate: certificateCollection,
  CourseRating: courseRatingCollection,
  HelpfulVote: helpfulVoteCollection,
  ReviewResponse: reviewResponseCollection,
  LastServedQuiz: lastServedQuizCollection,
  QuizResult: quizResultCollection,
  AssessmentAttempt: assessmentAttemptCollection,
  ChatSession: chatSessionCollection,
  CommunityGroup: communityGroupCollection,
  GroupCreations: groupCreationsCollection,
  GroupMembership: groupMembershipCollection,
  CommunityPost: communityPostCollection,
  CommunityReply: communityReplyCollection,
  Vote: voteCollection,
  Report: reportCollection,
  PageTime: pageTimeCollection,
  DayTime: dayTimeCollection,
  CourseTime: courseTimeCollection,
  ChapterTime: chapterTimeCollection,
  TimeBucketCounts: timeBucketCountsCollection,
  TimeSession: timeSessionCollection,
  Announcement: announcementCollection,
  Notice: noticeCollection,
  NoticeCounter: noticeCounterCollection,
  Inbox: inboxCollection,
  Mail: mailCollection,
  UnsubscribeToken: unsubscribeTokenCollection,
  ApiKey: apiKeyCollection,
  Erasure: erasureCollection,
  AuditEntry: auditEntryCollection,
  Account: accountCollection,
  Event: eventCollection,
  EventCounter: eventCounterCollection,
  Webhook: webhookCollection,
  WebhookDelivery: webhookDeliveryCollection,
  SuppressedAddress: suppressedAddressCollection,
  CourseDailySales: courseDailySalesCollection,
  CatalogRevision: catalogRevisionCollection,
  Payment: paymentCollection,
  PaymentEvent: paymentEventCollection,
  Coupon: couponCollection,
  EnrollmentImport: enrollmentImportCollection,
  EnrollmentImportRow: enrollmentImportRowCollection,
  EmailLock: emailLockCollection,
  InvoiceSeries: invoiceSeriesCollection,
  IdempotentRequest: idempotentRequestCollection,
  WebhookMessage: webhookMessageCollection,
  Question: questionCollection,
  Assessment: assessmentCollection,
  LectureCompletions: lectureCompletionsCollection,
  Quiz: quizCollection,
  QuizChapterStats: quizChapterStatsCollection,
  QuizVersionStats: quizVersionStatsCollection,
  RemovedGroup: removedGroupCollection,
  UngroupedPosts: ungroupedPostsCollection,
  StatusList: statusListCollection,
  EndedEntry: endedEntryCollection,
  PeriodicRun: periodicRunCollection,
  Lease: leaseCollection,
  Migration: migrationCollection,
  DiscardedPdf: discardedPdfCollection,
};

type RowOf<C> = C extends Collection<infer Row> ? z.input<Row> : never;

export type ModelName = keyof typeof collections;
export type Models = { readonly [Name in ModelName]: Model<RowOf<(typeof collections)[Name]>> };

/** The models of one connection. Nothing lives at module level, so two servers can run in one process. */
export function createModels(connection: Connection): Models {
  const models = Object.entries(collections).map(([name, { schema }]) => [name, connection.model(name, schema)]);
  return Object.fromEntries(models);
}

/** The collections whose rows are a user's own, in the order of the export. */
export const userOwnedCollections = Object.entries(collections).flatMap(
  ([name, { row, userData }]): UserOwnedCollection[] => {
    if (userData === "none" || !("owner" in userData)) return [];
    const { exported, exportedAs } = userData;
    return [{ ...userData, name: name as ModelName, row: exportedRow(row, exported, exportedAs) }];
  },
);

export type UserOwnedCollection = UserOwned & { readonly name: ModelName; readonly row: z.ZodObject };

const isModel = (value: unknown): value is Model<unknown> => typeof value === "function" && "modelName" in value;

/** Every collection that has a model, by its name, for tools that treat all of them alike. */
export function allCollections(db: object): Map<string, mongo.Collection> {
  const models = Object.values(db).filter(isModel);
  const collections = models.map((model) => (model as unknown as { collection: mongo.Collection }).collection);
  return new Map(collections.map((collection) => [collection.collectionName, collection]));
}
