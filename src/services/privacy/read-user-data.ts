import type { Db } from "../../db/db.js";
import { type OwnRows, readOwnInvoices, readOwnRows } from "../../models/own-rows.js";

/** What is stored about a user, in the order in which it is read. Each `owner` is the beginning of an index. */
export const sections = {
  profile: { model: "User", owner: "_id" },
  roles: { model: "RoleRecord", owner: "_id" },
  educatorApplications: { model: "EducatorApplication", owner: "userId" },
  coursesTaught: { model: "Course", owner: "educatorId" },
  purchases: { model: "Purchase", owner: "userId" },
  // By the user's purchases, since an invoice names no user.
  invoices: { model: "Invoice", owner: "purchaseId" },
  enrollments: { model: "Enrollment", owner: "userId" },
  grants: { model: "Grant", owner: "userId" },
  progress: { model: "CourseProgress", owner: "userId" },
  certificates: { model: "Certificate", owner: "userId" },
  ratings: { model: "CourseRating", owner: "userId" },
  quizzesSeen: { model: "LastServedQuiz", owner: "userId" },
  quizResults: { model: "QuizResult", owner: "userId" },
  chats: { model: "ChatSession", owner: "userId" },
  groupsCreated: { model: "CommunityGroup", owner: "createdBy" },
  groupCreations: { model: "GroupCreations", owner: "_id" },
  memberships: { model: "GroupMembership", owner: "userId" },
  posts: { model: "CommunityPost", owner: "authorId" },
  replies: { model: "CommunityReply", owner: "authorId" },
  votes: { model: "Vote", owner: "userId" },
  reports: { model: "Report", owner: "reporterId" },
  timeByPage: { model: "PageTime", owner: "userId" },
  timeByDay: { model: "DayTime", owner: "userId" },
  timeByCourse: { model: "CourseTime", owner: "userId" },
  timeByChapter: { model: "ChapterTime", owner: "userId" },
  timeLabels: { model: "TimeBucketCounts", owner: "_id" },
  timeSessions: { model: "TimeSession", owner: "userId" },
  erasures: { model: "Erasure", owner: "_id" },
  auditEntries: { model: "AuditEntry", owner: "targetId", where: { targetKind: "user" } },
} as const satisfies Record<string, OwnRows>;

export type SectionName = keyof typeof sections;

/** Rows of a batch. Chats may have some megabytes each. */
const batchSize = 200;
const chatsAtATime = 4;

/** All rows of one section, in no particular order; memory holds one batch. */
export function readSection(db: Db, name: SectionName, userId: string): AsyncIterable<object> {
  if (name === "invoices") return readOwnInvoices(db, userId, batchSize);
  const own: OwnRows = sections[name];
  return readOwnRows(db, own, userId, own.model === "ChatSession" ? chatsAtATime : batchSize);
}
