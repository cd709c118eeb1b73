import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { buildCourse, enroll } from "../../factories/courses.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { addSales } from "../../factories/stored-sales.js";
import { addSessions } from "../../factories/time-sessions.js";
import type { SignedIn, TestServer } from "../../server/test-server.js";

/** A request that succeeds. */
export interface Sent {
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Prepares what a request needs, which costs nothing, and says what is sent. */
export type Example = (scene: Scene) => Sent | Promise<Sent>;
/** By method and path as the description of the API has them. */
export type Examples = Record<string, Example>;

type OfRoute = (route: string) => Example;

/** Sends a body to the route's own path, by whoever was prepared. Ids in the path are prepared, or the scene's. */
export const after =
  <T extends object>(prepare: (scene: Scene) => T | Promise<T>, body?: (made: T) => unknown, query = ""): OfRoute =>
  (route) =>
  async (scene) => {
    const made = await prepare(scene);
    const known: Record<string, unknown> = { ...scene, ...made };
    const path = (route.split(" ")[1] ?? "").replace(/\{(\w+)\}/g, (_all, name: string) => String(known[name]));
    const { token } = known;
    return { path: path + query, body: body?.(made), ...(typeof token === "string" && { token }) };
  };

export const examplesOf = (table: Record<string, OfRoute>): Examples =>
  Object.fromEntries(Object.entries(table).map(([route, example]) => [route, example(route)]));

export interface Scene {
  readonly server: TestServer;
  readonly learner: SignedIn;
  readonly educator: SignedIn;
  readonly courseId: string;
  readonly postId: string;
  readonly replyId: string;
  readonly groupId: string;
}

/** A learner in the course of an educator, with a post and a reply, beside `size` others of everything. */
export async function buildScene(server: TestServer, size: number): Promise<Scene> {
  const { db } = server.deps;
  const [learner, educator] = [await server.signedIn(), await server.signedIn("educator")];
  const course = await buildCourse(server, { educatorId: educator.id });
  const courseId = course._id;
  await enroll(server, learner.id, courseId);
  const post = await writePost(server, learner);
  const reply = await writeReply(server, learner, post._id);
  const group = await db.CommunityGroup.findOne({ isOfficial: true }).orFail().lean();

  const now = new Date();
  const others = Array.from({ length: size }, (_, i) => `user_other_${i}`);
  await addSales(db, courseId, size);
  await db.User.insertMany(others.map((_id) => ({ _id })));
  await db.Course.insertMany(
    others.map((educatorId) => ({ courseTitle: "x", courseDescription: "x", coursePrice: 1, educatorId })),
  );
  const path = { title: "x", subtitle: null, inOrder: false, price: 1, isPublished: true, courseIds: [courseId] };
  await db.Path.insertMany(others.map((educatorId) => ({ ...path, educatorId, slugs: [educatorId] })));
  await db.RoleRecord.insertMany(others.map((_id) => ({ _id, role: "educator", writtenAt: now })));
  await db.CourseRating.insertMany(others.map((userId) => ({ userId, courseId, rating: 4, review: "x" })));
  const certificate = { studentName: "x", courseTitle: "x", completionDate: now, status: "issued", issuedAt: now };
  await db.Certificate.insertMany(
    others.map((userId) => ({
      ...{ ...certificate, userId, courseId, certificateId: randomUUID(), nextAttemptAt: now },
      pdfUrl: "https://media.example/x.pdf",
    })),
  );
  await db.CommunityPost.insertMany(
    others.map((authorId) => ({ authorId, title: "x", content: "x", groupId: group._id })),
  );
  await db.CourseProgress.insertMany(others.map((userId) => ({ userId, courseId, lectureCompleted: ["ch1-l1"] })));
  const event = { type: "course.changed" as const, at: now, data: { courseId: String(courseId), version: 1 } };
  const place = (i: number) => ({ seq: i + 1, courseId, educatorId: i % 2 === 0 ? educator.id : "other" });
  await db.Event.insertMany(others.map((_, i) => ({ ...event, ...place(i) })));
  await db.EventCounter.create({ _id: "events", last: size });
  const scopes = ["courses:read" as const];
  const key = { name: "x", secretHash: "x", role: "educator" as const, scopes, createdAt: now };
  await db.ApiKey.insertMany(others.map((createdBy) => ({ ...key, createdBy, prefix: createdBy })));
  const question = { kind: "boolean", prompt: "x", points: 1, tags: [], fields: { correct: true } };
  const version = { ...question, version: 1, isCurrent: true, createdAt: now, changedAt: now };
  await db.Question.insertMany(
    others.map((educatorId) => ({ ...version, educatorId, questionId: new Types.ObjectId() })),
  );
  const assessmentId = new Types.ObjectId();
  const times = { startedAt: now, endedAt: now };
  const attempt = { courseId, chapterId: "ch2", assessmentId, number: 1, state: "graded", ...times };
  const grade = { passPercent: 50, percent: 100, passed: true, points: [1], totalPoints: 1, group: "mastered" };
  await db.AssessmentAttempt.insertMany(others.map((userId) => ({ ...attempt, ...grade, userId, questions: [] })));
  await addSessions(db, { userId: learner.id, courseId: String(courseId), count: size });
  const target = { postId: new Types.ObjectId(post._id), targetId: new Types.ObjectId(post._id), targetKind: "post" };
  await db.Vote.insertMany(others.map((userId) => ({ userId, ...target })));
  await db.CommunityPost.updateOne({ _id: post._id }, { upvoteCount: size });
  const notice = { userId: learner.id, type: "announcement", title: "x", app: true, mail: false, createdAt: now };
  await db.Notice.insertMany(others.map((key, i) => ({ ...notice, key, seq: i + 1 })));
  await db.NoticeCounter.create({ _id: "notices", last: size });
  await db.Inbox.create({ _id: learner.id, unread: size, newest: size });
  return {
    server,
    learner,
    educator,
    courseId: String(courseId),
    postId: post._id,
    replyId: reply._id,
    groupId: String(group._id),
  };
}

/** A new user, whose limits are untouched. */
export const newcomer = ({ server }: Scene): Promise<SignedIn> => server.signedIn();
export const newAdmin = ({ server }: Scene): Promise<SignedIn> => server.signedIn("admin");

/** @throws when a request of the preparation does not succeed. */
export async function must<T>(answer: Promise<{ status: number; body: T }>): Promise<T> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`a preparation was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
