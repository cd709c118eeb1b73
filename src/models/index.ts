import mongoose, { type Connection } from "mongoose";
import { type AuditEntry, auditEntrySchema } from "./audit-entry.js";
import { limitWriteTimes } from "./command-limit.js";
import {
  type CommunityGroup,
  communityGroupSchema,
  type GroupCreations,
  type GroupMembership,
  groupCreationsSchema,
  groupMembershipSchema,
  type RemovedGroup,
  removedGroupSchema,
} from "./community/community-group.js";
import {
  type CommunityPost,
  communityPostSchema,
  type UngroupedPosts,
  ungroupedPostsSchema,
} from "./community/community-post.js";
import { type CommunityReply, communityReplySchema } from "./community/community-reply.js";
import { type Report, reportSchema } from "./community/report.js";
import { type Vote, voteSchema } from "./community/vote.js";
import { type CatalogRevision, catalogRevisionSchema } from "./courses/catalog-revision.js";
import { type Course, courseSchema } from "./courses/course.js";
import { type CourseDay, courseDaySchema } from "./courses/course-day.js";
import { type CourseRating, courseRatingSchema } from "./courses/course-rating.js";
import { type Enrollment, enrollmentSchema } from "./enrollments/enrollment.js";
import {
  type EnrollmentImport,
  type EnrollmentImportRow,
  enrollmentImportRowSchema,
  enrollmentImportSchema,
} from "./enrollments/enrollment-import.js";
import { type Grant, grantSchema, type Recipient, recipientSchema } from "./enrollments/grant.js";
import { type IdempotentRequest, idempotentRequestSchema } from "./idempotent-request.js";
import { type Certificate, certificateSchema } from "./learning/certificate.js";
import { type ChatSession, chatSessionSchema } from "./learning/chat-session.js";
import { type CourseProgress, courseProgressSchema } from "./learning/course-progress.js";
import {
  type Quiz,
  type QuizGenerationFault,
  type QuizServed,
  quizGenerationFaultSchema,
  quizSchema,
  quizServedSchema,
} from "./learning/quiz.js";
import {
  type QuizChapterStats,
  type QuizResult,
  type QuizVersionStats,
  quizChapterStatsSchema,
  quizResultSchema,
  quizVersionStatsSchema,
} from "./learning/quiz-result.js";
import {
  type ChapterTime,
  type CourseTime,
  chapterTimeSchema,
  courseTimeSchema,
  type DayTime,
  dayTimeSchema,
  type PageTime,
  pageTimeSchema,
  type TimeBucketCounts,
  type TimeSession,
  timeBucketCountsSchema,
  timeSessionSchema,
} from "./learning/time-tracking.js";
import { type Lease, leaseSchema } from "./lease.js";
import { type Migration, migrationSchema } from "./migration.js";
import { type Coupon, couponSchema } from "./payments/coupon.js";
import { type Invoice, type InvoiceSeries, invoiceSchema, invoiceSeriesSchema } from "./payments/invoice.js";
import { type Payment, paymentSchema } from "./payments/payment.js";
import { type PaymentEvent, paymentEventSchema } from "./payments/payment-event.js";
import { type Purchase, purchaseSchema } from "./payments/purchase.js";
import { type EducatorApplication, educatorApplicationSchema } from "./users/educator-application.js";
import { type Erasure, erasureSchema } from "./users/erasure.js";
import { type Account, accountSchema, type RoleRecord, roleRecordSchema, type User, userSchema } from "./users/user.js";
import { type WebhookMessage, webhookMessageSchema } from "./users/webhook-message.js";

// Before the first model is compiled.
mongoose.plugin(limitWriteTimes);

/** The models of one connection. Nothing lives at module level, so two servers can run in one process. */
export function createModels(connection: Connection) {
  return {
    User: connection.model<User>("User", userSchema),
    Account: connection.model<Account>("Account", accountSchema),
    RoleRecord: connection.model<RoleRecord>("RoleRecord", roleRecordSchema),
    Course: connection.model<Course>("Course", courseSchema),
    CourseDay: connection.model<CourseDay>("CourseDay", courseDaySchema),
    CourseRating: connection.model<CourseRating>("CourseRating", courseRatingSchema),
    CatalogRevision: connection.model<CatalogRevision>("CatalogRevision", catalogRevisionSchema),
    Enrollment: connection.model<Enrollment>("Enrollment", enrollmentSchema),
    CourseProgress: connection.model<CourseProgress>("CourseProgress", courseProgressSchema),
    Certificate: connection.model<Certificate>("Certificate", certificateSchema),
    TimeSession: connection.model<TimeSession>("TimeSession", timeSessionSchema),
    TimeBucketCounts: connection.model<TimeBucketCounts>("TimeBucketCounts", timeBucketCountsSchema),
    PageTime: connection.model<PageTime>("PageTime", pageTimeSchema),
    DayTime: connection.model<DayTime>("DayTime", dayTimeSchema),
    CourseTime: connection.model<CourseTime>("CourseTime", courseTimeSchema),
    ChapterTime: connection.model<ChapterTime>("ChapterTime", chapterTimeSchema),
    Purchase: connection.model<Purchase>("Purchase", purchaseSchema),
    Coupon: connection.model<Coupon>("Coupon", couponSchema),
    Payment: connection.model<Payment>("Payment", paymentSchema),
    PaymentEvent: connection.model<PaymentEvent>("PaymentEvent", paymentEventSchema),
    EnrollmentImport: connection.model<EnrollmentImport>("EnrollmentImport", enrollmentImportSchema),
    EnrollmentImportRow: connection.model<EnrollmentImportRow>("EnrollmentImportRow", enrollmentImportRowSchema),
    Grant: connection.model<Grant>("Grant", grantSchema),
    Recipient: connection.model<Recipient>("Recipient", recipientSchema),
    Invoice: connection.model<Invoice>("Invoice", invoiceSchema),
    InvoiceSeries: connection.model<InvoiceSeries>("InvoiceSeries", invoiceSeriesSchema),
    IdempotentRequest: connection.model<IdempotentRequest>("IdempotentRequest", idempotentRequestSchema),
    WebhookMessage: connection.model<WebhookMessage>("WebhookMessage", webhookMessageSchema),
    EducatorApplication: connection.model<EducatorApplication>("EducatorApplication", educatorApplicationSchema),
    ChatSession: connection.model<ChatSession>("ChatSession", chatSessionSchema),
    Quiz: connection.model<Quiz>("Quiz", quizSchema),
    QuizServed: connection.model<QuizServed>("QuizServed", quizServedSchema),
    QuizGenerationFault: connection.model<QuizGenerationFault>("QuizGenerationFault", quizGenerationFaultSchema),
    QuizResult: connection.model<QuizResult>("QuizResult", quizResultSchema),
    QuizChapterStats: connection.model<QuizChapterStats>("QuizChapterStats", quizChapterStatsSchema),
    QuizVersionStats: connection.model<QuizVersionStats>("QuizVersionStats", quizVersionStatsSchema),
    Erasure: connection.model<Erasure>("Erasure", erasureSchema),
    Lease: connection.model<Lease>("Lease", leaseSchema),
    Migration: connection.model<Migration>("Migration", migrationSchema),
    AuditEntry: connection.model<AuditEntry>("AuditEntry", auditEntrySchema),
    CommunityGroup: connection.model<CommunityGroup>("CommunityGroup", communityGroupSchema),
    GroupMembership: connection.model<GroupMembership>("GroupMembership", groupMembershipSchema),
    CommunityPost: connection.model<CommunityPost>("CommunityPost", communityPostSchema),
    GroupCreations: connection.model<GroupCreations>("GroupCreations", groupCreationsSchema),
    RemovedGroup: connection.model<RemovedGroup>("RemovedGroup", removedGroupSchema),
    UngroupedPosts: connection.model<UngroupedPosts>("UngroupedPosts", ungroupedPostsSchema),
    CommunityReply: connection.model<CommunityReply>("CommunityReply", communityReplySchema),
    Vote: connection.model<Vote>("Vote", voteSchema),
    Report: connection.model<Report>("Report", reportSchema),
  };
}

export type Models = ReturnType<typeof createModels>;
