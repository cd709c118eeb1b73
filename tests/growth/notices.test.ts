import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { expect, test } from "vitest";
import { commandsDuring, effortOf } from "../assertions/commands.js";
import { buildCourse, enroll } from "../factories/courses.js";
import { makeDueNotices, notificationsOf } from "../factories/notices.js";
import { writePost, writeReply } from "../factories/posts.js";
import { insertRows } from "../factories/stored-sales.js";
import { startTestServer } from "../server/test-server.js";

/* What one more notice of an hour costs after few and after many causes. */

const server = await startTestServer({ own: "makes the notices of all rows" });
const { db } = server.deps;

/** One more reply and one more rating after so many of the same hour, whose notices are made. */
async function oneMoreAfter(causes: number) {
  const [user, learner] = [await server.signedIn("educator"), await server.signedIn()];
  const { _id: courseId } = await buildCourse(server, { educatorId: user.id });
  await enroll(server, learner.id, courseId);
  const post = await writePost(server, user);
  const at = new Date();
  const others = Array.from({ length: causes }, () => `user_${randomUUID()}`);
  const postId = new Types.ObjectId(post._id);
  const reply = { postId, content: "x", createdAt: at, updatedAt: at };
  await insertRows(
    db.CommunityReply,
    others.map((authorId) => ({ ...reply, authorId })),
  );
  const event = { type: "review.written" as const, at, courseId, educatorId: user.id };
  const { last = 0 } = (await db.EventCounter.findById("events").lean()) ?? {};
  await insertRows(
    db.Event,
    others.map((userId, i) => ({
      ...{ ...event, seq: last + 1 + i, userIds: [userId] },
      data: { userId, courseId: String(courseId), rating: 1 },
    })),
  );
  await db.EventCounter.updateOne({ _id: "events" }, { $inc: { last: causes } }, { upsert: true });
  await writeReply(server, learner, post._id);
  await server.post("/api/user/add-rating", { courseId, rating: 4 }, learner.token);
  const effort = await effortOf(server, await commandsDuring(server, () => makeDueNotices(server)));
  const { notifications } = await notificationsOf(server, user);
  const types = notifications.map(({ type }: { type: string }) => type).sort();
  expect(types).toEqual(["reply_to_post", "review_written"]);
  return effort;
}

test("one more notice costs the same after 2 and after 2,000 causes of its hour", async () => {
  const [few, many] = [await oneMoreAfter(2), await oneMoreAfter(2_000)];
  expect(many).toMatchObject({ scans: few.scans });
  // One of the engines does not say what it examined.
  if (Number.isNaN(many.documents)) return;
  expect(many.documents).toBeLessThanOrEqual(few.documents + 5);
  expect(many.keys).toBeLessThanOrEqual(few.keys + 20);
});
