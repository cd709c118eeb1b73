import { randomBytes, randomUUID } from "node:crypto";
import type { Call } from "../measure/drive.js";
import type { Build, Builds } from "../processes/builds.js";
import { addUsers, enrollIn, fillCatalog, priceMinor } from "./plain-catalog.js";

/** Makes so many requests, each ready to be sent once. */
export type Operation = (builds: Builds, build: Build, count: number) => Promise<Call[]>;

const asJson = { "content-type": "application/json" };

const as = ({ signedAs }: Builds, userId: string, path: string, body: object = {}): Call => ({
  ...{ kind: path, path, method: "POST", headers: { ...asJson, ...signedAs(userId) }, body: JSON.stringify(body) },
});

async function answered({ url }: Build, { path, method = "GET", headers = {}, body }: Call): Promise<any> {
  const sent = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  if (sent.status !== 200) throw new Error(`${path} was answered ${sent.status}: ${await sent.text()}`);
  return sent.json();
}

async function newLearners({ connection }: Build, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `user_${randomUUID().replaceAll("-", "")}`);
  await addUsers(connection, ids);
  return ids;
}

/** Each learner's wish for one of twenty new courses. */
async function wishes(builds: Builds, build: Build, count: number): Promise<{ userId: string; call: Call }[]> {
  const courses = await fillCatalog(build.connection, 20, 1);
  const userIds = await newLearners(build, count);
  return userIds.map((userId, i) => ({
    userId,
    call: as(builds, userId, "/api/user/purchase", { courseId: courses[i % courses.length] }),
  }));
}

/** Learners who have opened a purchase each. */
async function opened(builds: Builds, build: Build, count: number) {
  const all: { userId: string; purchaseId: string; orderId: string; paymentId: string }[] = [];
  for (const { userId, call } of await wishes(builds, build, count)) {
    const { purchaseId, orderId } = await answered(build, call);
    all.push({ userId, purchaseId, orderId, paymentId: `pay_${randomBytes(7).toString("hex")}` });
  }
  return all;
}

const purchases: Operation = async (builds, build, count) =>
  (await wishes(builds, build, count)).map(({ call }) => call);

const webhooks: Operation = async (builds, build, count) =>
  (await opened(builds, build, count)).map(({ purchaseId, orderId, paymentId }) => {
    const entity = { id: paymentId, amount: priceMinor, currency: "INR", order_id: orderId, notes: { purchaseId } };
    const body = JSON.stringify({ event: "payment.captured", payload: { payment: { entity } } });
    const headers = { ...asJson, ...builds.emulators.payments?.signWebhook(body) };
    return { kind: "webhook", path: "/razorpay", method: "POST", headers, body };
  });

const verifications: Operation = async (builds, build, count) =>
  (await opened(builds, build, count)).map(({ userId, purchaseId, orderId, paymentId }) => {
    const razorpay_signature = builds.emulators.payments?.signCheckout(orderId, paymentId);
    const told = { razorpay_order_id: orderId, razorpay_payment_id: paymentId, razorpay_signature, purchaseId };
    return as(builds, userId, "/api/user/verify-razorpay", told);
  });

/** Each learner at one of ten posts, so that few of them meet. */
const onPosts =
  (path: (postId: string) => string, body: object = {}): Operation =>
  async (builds, build, count) => {
    const posts: string[] = [];
    for (const author of await newLearners(build, 10)) {
      const written = as(builds, author, "/api/community/posts", { title: "Bench", content: "Measured." });
      posts.push((await answered(build, written)).post._id);
    }
    const learners = await newLearners(build, count);
    return learners.map((learner, i) => as(builds, learner, path(posts[i % posts.length] ?? ""), body));
  };

/** Each learner in one of ten courses. */
const inCourses =
  (path: string, body: (courseId: string) => object): Operation =>
  async (builds, build, count) => {
    const calls: Call[] = [];
    for (const courseId of await fillCatalog(build.connection, 10, 1)) {
      const learners = await newLearners(build, count / 10);
      await enrollIn(build.connection, learners, [courseId]);
      calls.push(...learners.map((learner) => as(builds, learner, path, body(courseId))));
    }
    return calls;
  };

const memberships: Operation = async (builds, build, count) => {
  const [founders, learners] = [await newLearners(build, 10), await newLearners(build, count)];
  const groups: string[] = [];
  for (const founder of founders) {
    const founded = as(builds, founder, "/api/community/groups", { name: `Bench ${randomBytes(6).toString("hex")}` });
    groups.push((await answered(build, founded)).group._id);
  }
  return learners.map((learner, i) => as(builds, learner, `/api/community/groups/${groups[i % 10]}/membership`));
};

export const operations: Readonly<Record<string, Operation>> = {
  "purchase (order at the provider)": purchases,
  "sale by webhook": webhooks,
  "sale by checkout": verifications,
  "vote on a post": onPosts((post) => `/api/community/posts/${post}/upvote`),
  reply: onPosts((post) => `/api/community/posts/${post}/replies`, { content: "Agreed." }),
  membership: memberships,
  rating: inCourses("/api/user/add-rating", (courseId) => ({ courseId, rating: 4 })),
  "completed lecture": inCourses("/api/user/update-course-progress", (courseId) => ({ courseId, lectureId: "ch1-l1" })),
  "tracked session": inCourses("/api/user/track-time", (courseId) => ({
    ...{ page: "Learning", path: `/player/${courseId}`, duration: 30 },
  })),
};
