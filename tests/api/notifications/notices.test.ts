import { expect, test } from "vitest";
import { dayMs } from "../../../src/lib/days.js";
import { sendStudentDigests } from "../../../src/services/mail/send-student-digests.js";
import { indexByEvent, noticeTypeNames, noticeTypes } from "../../../src/services/notices/notice-types.js";
import { commandsDuring } from "../../assertions/commands.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { deliverIdentity, userData } from "../../factories/identity-events.js";
import { makeDueNotices, notificationsOf } from "../../factories/notices.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { buy } from "../../factories/sales.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "makes the notices of all rows" });
const { db } = server.deps;

const read = ({ token }: SignedIn, body?: object) => server.post("/api/user/notifications/read", body, token);
const upvote = ({ token }: SignedIn, postId: string) => server.post(`/api/community/posts/${postId}/upvote`, {}, token);
const prefer = ({ token }: SignedIn, preferences: unknown) =>
  server.call("PUT", "/api/user/notification-preferences", { token, body: { preferences } });

test("an author is told of replies by others once a post and hour, newest first, and by one mail a post", async () => {
  const [author, other, another] = [await server.signedIn(), await server.signedIn(), await server.another()];
  const [earlier, post] = [await writePost(server, author), await writePost(server, author)];
  await writeReply(server, author, post._id);
  for (const { _id } of [earlier, post]) await writeReply(server, other, _id);
  await Promise.all([server, another].map(makeDueNotices));
  await read(author);
  await writeReply(server, other, post._id);
  await Promise.all([server, another].map(makeDueNotices));
  expect(await makeDueNotices(server)).toBeUndefined();
  const body = await notificationsOf(server, author, "?limit=1");
  expect(body).toEqual({
    success: true,
    notifications: [
      {
        ...{ _id: expect.any(String), type: "reply_to_post", title: "New reply to your post", count: 2, readAt: null },
        body: "“How do types help?” has a new reply.",
        link: expect.stringContaining(post._id),
        createdAt: expect.any(String),
      },
    ],
    unread: 1,
    nextCursor: expect.any(String),
  });
  const rest = await notificationsOf(server, author, `?after=${body.nextCursor}`);
  expect(rest).toMatchObject({ notifications: [{ type: "reply_to_post", count: 1 }], nextCursor: null });
  expect((await notificationsOf(server, other)).notifications).toEqual([]);
  expect(await db.Mail.countDocuments({ userId: author.id, type: "reply_to_post", state: "waiting" })).toBe(2);
  const hourAgo = { createdAt: new Date(Date.now() - 3_600_000) };
  await db.CommunityReply.updateMany({ postId: post._id }, hourAgo, { timestamps: false, overwriteImmutable: true });
  await db.Notice.updateOne({ _id: body.notifications[0]._id }, { key: `of ${post._id} and an earlier hour` });
  await writeReply(server, other, post._id);
  await makeDueNotices(server);
  const { notifications } = await notificationsOf(server, author);
  expect(notifications.map(({ count }: { count: number }) => count)).toEqual([1, 2, 1]);
});

test("fifty upvotes of fifty posts are few commands, so that a slow database takes them", async () => {
  const now = new Date();
  const authors = await Promise.all(Array.from({ length: 5 }, () => server.signedIn()));
  const posts = await Promise.all(Array.from({ length: 50 }, (_, n) => writePost(server, authors[n % 5] as SignedIn)));
  await db.Vote.insertMany(
    posts.map(({ _id }) => ({ userId: "voter", targetId: _id, postId: _id, noticeDueAt: now, createdAt: now })),
  );
  const commands = await commandsDuring(server, () => makeDueNotices(server));
  expect(await db.Notice.countDocuments({ type: "post_upvoted", count: 1 })).toBe(50);
  expect(commands.length).toBeLessThanOrEqual(24);
});

test("notifications are read one by one, or all at once, and what comes later is unread", async () => {
  const [author, other] = [await server.signedIn(), await server.signedIn()];
  const replied = async () => void (await writeReply(server, other, (await writePost(server, author))._id));
  for (let n = 0; n < 3; n += 1) await replied();
  await makeDueNotices(server);
  const { notifications } = await notificationsOf(server, author);
  const ids = [notifications[0]._id, notifications[0]._id, "nothing"];
  expect((await read(other, { ids })).body).toEqual({ success: true, unread: 0 });
  expect((await read(author, { ids })).body).toEqual({ success: true, unread: 2 });
  expect((await read(author, { ids })).body).toEqual({ success: true, unread: 2 });
  expect((await notificationsOf(server, author, "?unread=true")).notifications).toHaveLength(2);
  expect((await read(author)).body).toEqual({ success: true, unread: 0 });
  const all = await notificationsOf(server, author);
  expect(all.notifications.map(({ readAt }: { readAt: string }) => readAt)).not.toContain(null);
  await replied();
  await makeDueNotices(server);
  expect(await notificationsOf(server, author, "?unread=true")).toMatchObject({ notifications: [{}], unread: 1 });
  await read(author);
  const later = await notificationsOf(server, author);
  expect(later.notifications.slice(1)).toEqual(all.notifications);
  const { export: exported } = (await server.get("/api/user/export", author.token)).body;
  const marks = exported.notificationPreferences[0].readMarks;
  const newest = Math.max(...exported.notifications.map(({ seq }: { seq: number }) => seq));
  expect(marks).toMatchObject([{ at: all.notifications[1].readAt }, { upTo: expect.any(Number) }]);
  expect(marks[1].upTo).toBeGreaterThanOrEqual(newest);
  for (const bad of [{ ids: [] }, { ids: Array.from({ length: 101 }, () => "x") }, { ids: "x" }]) {
    expect(await read(author, bad)).toMatchObject(refusal(400, "Invalid request data"));
  }
  expect(await server.get("/api/user/notifications?unread=maybe", author.token)).toMatchObject({ status: 400 });
});

test("upvotes of an hour are one notice with their number; one that is given again counts once", async () => {
  const [author, ...voters] = [await server.signedIn(), await server.signedIn(), await server.signedIn()];
  const post = await writePost(server, author);
  await upvote(author, post._id);
  for (const voter of voters) await upvote(voter, post._id);
  await makeDueNotices(server);
  const [first] = (await notificationsOf(server, author)).notifications;
  expect(first).toMatchObject({ type: "post_upvoted", count: 2 });
  await read(author);
  for (const voter of voters) for (const _ of "again") await upvote(voter, post._id);
  for (const voter of voters) await upvote(voter, post._id);
  await makeDueNotices(server);
  expect(await notificationsOf(server, author)).toMatchObject({ notifications: [{ count: 2 }], unread: 0 });
  await upvote(await server.signedIn(), post._id);
  await makeDueNotices(server);
  const { notifications, unread } = await notificationsOf(server, author);
  expect(notifications).toMatchObject([{ _id: first._id, count: 3, readAt: null }]);
  expect(unread).toBe(1);
  const earlier = { $set: { createdAt: new Date(Date.now() - 3_600_000) } };
  await db.Vote.updateMany({ postId: post._id }, earlier, { timestamps: false, overwriteImmutable: true });
  await db.Notice.updateOne({ _id: first._id }, { key: "of an earlier hour" });
  await upvote(await server.signedIn(), post._id);
  await makeDueNotices(server);
  expect((await notificationsOf(server, author)).notifications).toMatchObject([{ count: 1 }, { count: 3 }]);
  expect(await db.Mail.countDocuments({ userId: author.id })).toBe(0);
});

test("a request that reads all, and a notice that is raised while it is unread, leave a right number", async () => {
  const author = await server.signedIn();
  const post = await writePost(server, author);
  const voters = [await server.signedIn(), await server.signedIn(), await server.signedIn(), await server.signedIn()];
  for (const voter of voters) {
    await upvote(voter, post._id);
    await Promise.all([makeDueNotices(server), read(author)]);
    const { notifications, unread } = await notificationsOf(server, author);
    expect(notifications.filter(({ readAt }: { readAt: string | null }) => readAt === null)).toHaveLength(unread);
    await upvote(await server.signedIn(), post._id);
    await makeDueNotices(server);
  }
});

test("an accepted reply is told to its author, once, although the next one is accepted before", async () => {
  const [author, other, third] = [await server.signedIn(), await server.signedIn(), await server.signedIn()];
  const post = await writePost(server, author);
  const [reply, own] = [await writeReply(server, other, post._id), await writeReply(server, author, post._id)];
  const first = await writeReply(server, third, post._id);
  const accept = (id: string) =>
    server.call("PATCH", `/api/community/posts/${post._id}/replies/${id}/accept`, { token: author.token });
  const undone = await writeReply(server, await server.signedIn(), post._id);
  for (const id of [undone._id, undone._id, first._id]) await accept(id);
  for (const id of [reply._id, reply._id, reply._id, own._id]) {
    await accept(id);
    await makeDueNotices(server);
  }
  const isTold = [{ type: "reply_accepted" }];
  for (const user of [third, other]) expect((await notificationsOf(server, user)).notifications).toMatchObject(isTold);
  const replies = [{ type: "reply_to_post", count: 3 }];
  expect((await notificationsOf(server, author)).notifications).toMatchObject(replies);
  expect(await db.Notice.countDocuments({ type: "reply_accepted", key: new RegExp(undone._id) })).toBe(0);
});

test("a sale and a rating are told to the educator", async () => {
  const [learner, educator] = [await server.signedIn(), await server.signedIn("educator")];
  const course = await buildCourse(server, { educatorId: educator.id });
  await buy(server, learner, course._id);
  await server.post("/api/user/add-rating", { courseId: course._id, rating: 4 }, learner.token);
  await makeDueNotices(server);
  expect((await notificationsOf(server, educator)).notifications).toMatchObject([
    { type: "review_written", body: `“${course.courseTitle}” was rated 4 of 5.` },
    { type: "new_student" },
  ]);
  expect(await notificationsOf(server, learner)).toMatchObject({ notifications: [], unread: 0 });
  const mails = await db.Mail.find({ userId: { $in: [learner.id, educator.id] } }, { type: 1, userId: 1 })
    .sort({ type: 1 })
    .lean();
  expect(mails).toMatchObject([{ userId: educator.id, type: "review_written" }]);
  expect(await db.Notice.findOne({ userId: educator.id, type: "new_student" }).lean()).toMatchObject({ mail: true });
});

test("reviews of an hour are one notice and one mail, which count the reviewers", async () => {
  const [first, second, educator] = [
    await server.signedIn(),
    await server.signedIn(),
    await server.signedIn("educator"),
  ];
  const course = await buildCourse(server, { educatorId: educator.id });
  for (const { id } of [first, second]) await enroll(server, id, course._id);
  const rate = async ({ token }: SignedIn, rating: number) => {
    await server.post("/api/user/add-rating", { courseId: course._id, rating }, token);
    await makeDueNotices(server);
    return (await notificationsOf(server, educator)).notifications;
  };
  for (const rating of [1, 2, 3, 4, 5, 1]) expect(await rate(first, rating)).toMatchObject([{ count: 1 }]);
  const repeated = { courseId: course._id, type: "review.written" as const, isRepeated: true };
  expect(await db.Event.countDocuments(repeated)).toBe(5);
  await read(educator);
  const raised = { type: "review_written", count: 2, readAt: null, body: expect.stringContaining("5 of 5") };
  expect(await rate(second, 5)).toMatchObject([raised]);
  expect(await db.Mail.countDocuments({ userId: educator.id })).toBe(1);
  // In a later hour the learner counts again; a rating of version 1.0 does not say when that was.
  const earlier = { $set: { noticeCausedAt: new Date(Date.now() - 3_600_000) } };
  for (const change of [earlier, { $unset: { noticeCausedAt: 1 as const } }]) {
    await db.CourseRating.updateOne({ userId: first.id }, change);
    await rate(first, 2);
    await rate(first, 4);
  }
  expect(await db.Event.countDocuments(repeated)).toBe(7);
});

test("deleted and erased users get no notices, not of stored causes either, until they come back", async () => {
  const [erased, deleted, other] = [await server.signedIn(), await server.signedIn(), await server.signedIn()];
  const courses = await Promise.all([erased, deleted].map(({ id }) => buildCourse(server, { educatorId: id })));
  const ids = [erased.id, deleted.id];
  const userId = { $in: ids };
  const kept = async () => [
    await db.Notice.countDocuments({ userId }),
    await db.Mail.countDocuments({ userId }),
    await db.Inbox.countDocuments({ _id: { $in: ids } }),
  ];
  for (const { _id } of courses) {
    await enroll(server, other.id, _id);
    await server.post("/api/user/add-rating", { courseId: _id, rating: 4 }, other.token);
  }
  const body = { confirm: erased.id };
  expect(await server.call("DELETE", "/api/user/data", { token: erased.token, body })).toMatchObject({ status: 200 });
  await deliverIdentity(server, { id: deleted.id, deleted: true }, "user.deleted");
  await makeDueNotices(server);
  const today = { begin: new Date(Date.now() - dayMs), end: new Date(Date.now() + dayMs) };
  await sendStudentDigests(server.deps, today, new AbortController().signal);
  expect(await kept()).toEqual([0, 0, 0]);
  const later = { updated_at: Date.now() + 60_000 };
  await deliverIdentity(server, userData(erased.id, "back@example.com", later));
  const { _id: courseId } = await buildCourse(server, { educatorId: erased.id });
  await enroll(server, other.id, courseId);
  await server.post("/api/user/add-rating", { courseId, rating: 5 }, other.token);
  await makeDueNotices(server);
  expect(await kept()).toEqual([1, 1, 1]);
});

test("a grant by an administrator is told to the educator, and one by the educator is not", async () => {
  const [educator, admin] = [await server.signedIn("educator"), await server.signedIn("admin")];
  const course = await buildCourse(server, { educatorId: educator.id });
  const grant = async (path: string, { token }: SignedIn) => {
    const { id: userId } = await server.signedIn();
    const body = { courseId: String(course._id), userId, reason: "A prize" };
    expect(await server.post(path, body, token)).toMatchObject({ status: 200 });
    await makeDueNotices(server);
    return (await notificationsOf(server, educator)).notifications;
  };
  expect(await grant(`/api/educator/courses/${course._id}/enrollments`, educator)).toEqual([]);
  expect(await grant("/api/admin/enrollments", admin)).toMatchObject([{ type: "new_student" }]);
});

test("an event that causes two types of notices stops the start", () => {
  const types = { ...noticeTypes, student_again: { from: noticeTypes.new_student.from } };
  expect(() => indexByEvent(types)).toThrow("enrollment.activated causes two types of notices, new_student and stud");
});

test("preferences default to on, change by type and channel, and count from the next notice", async () => {
  const [author, other] = [await server.signedIn(), await server.signedIn()];
  const { body } = await server.get("/api/user/notification-preferences", author.token);
  const both = { app: true, mail: true };
  expect(body.preferences).toEqual({
    ...Object.fromEntries(noticeTypeNames.map((type) => [type, both])),
    post_upvoted: { app: true, mail: false },
    purchase_receipt: { app: false, mail: true },
    purchase_refunded: { app: false, mail: true },
  });
  expect((await prefer(author, body.preferences)).body).toEqual(body);
  const changed = await prefer(author, { reply_to_post: { app: false }, new_student: {} });
  expect(changed.body.preferences).toEqual({ ...body.preferences, reply_to_post: { app: false, mail: true } });
  const refused = [
    undefined,
    null,
    [],
    { unknown: both },
    { announcement: { app: 1 } },
    { purchase_receipt: { mail: false } },
    { purchase_refunded: { app: true } },
  ];
  for (const bad of refused) expect(await prefer(author, bad)).toMatchObject(refusal(400, "Invalid request data"));

  const post = await writePost(server, author);
  await writeReply(server, other, post._id);
  await makeDueNotices(server);
  expect(await notificationsOf(server, author)).toMatchObject({ notifications: [], unread: 0 });
  expect(await db.Mail.countDocuments({ userId: author.id })).toBe(1);
  await prefer(author, { reply_to_post: { app: true, mail: false } });
  await writeReply(server, other, (await writePost(server, author))._id);
  await makeDueNotices(server);
  expect(await notificationsOf(server, author)).toMatchObject({ notifications: [{}], unread: 1 });
  expect(await db.Mail.countDocuments({ userId: author.id })).toBe(1);
});
