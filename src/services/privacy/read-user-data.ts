import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Models } from "../../models/index.js";

interface Section {
  readonly model: keyof Models;
  /** Field that names the person; each is the beginning of an index. */
  readonly owner: string;
  /** Narrows `owner` down where it names more than persons. */
  readonly where?: Readonly<Record<string, unknown>>;
}

/** What is stored about a person, in the order in which it is read. */
export const sections = {
  profile: { model: "User", owner: "_id" },
  roles: { model: "RoleRecord", owner: "_id" },
  educatorApplications: { model: "EducatorApplication", owner: "userId" },
  coursesTaught: { model: "Course", owner: "educatorId" },
  purchases: { model: "Purchase", owner: "userId" },
  enrollments: { model: "Enrollment", owner: "userId" },
  progress: { model: "CourseProgress", owner: "userId" },
  certificates: { model: "Certificate", owner: "userId" },
  ratings: { model: "CourseRating", owner: "userId" },
  quizzesSeen: { model: "QuizServed", owner: "userId" },
  quizResults: { model: "QuizResult", owner: "userId" },
  chats: { model: "ChatSession", owner: "userId" },
  groupsCreated: { model: "CommunityGroup", owner: "createdBy" },
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
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof sections;

/** Rows of a batch. Chats may have some megabytes each. */
const batchSize = 200;
const chatsAtATime = 4;

/** All rows of one section, in no particular order; memory holds one batch. */
export function readSection(db: Db, name: SectionName, userId: string): AsyncIterable<object> {
  const { model, owner, where }: Section = sections[name];
  const collection = db[model].collection as unknown as mongo.Collection;
  return collection.find(
    { ...where, [owner]: userId },
    { batchSize: model === "ChatSession" ? chatsAtATime : batchSize },
  );
}
