/**
 * What the operations that write cost: commands to the database, and CPU of the server's own process; beside another
 * checkout of the server, measured in turns in one run. The database is the embedded one in a process of its own, or the
 * one that MONGODB_URI names.
 *
 *     npx tsx bench/operations.ts [folder of another checkout, with node_modules]
 */
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { median, printTable, type Subject, startSubject } from "./support.js";

const rounds = 9;
const amount = 40;
const atOnce = 8;
const builds = process.argv[2] ? { here: ".", there: process.argv[2] } : { here: "." };

interface Request {
  readonly path: string;
  readonly method?: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Sends requests, some at once. @throws when one is refused. */
async function send(subject: Subject, requests: readonly Request[], concurrency: number): Promise<void> {
  const left = [...requests];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { path, method = "POST", body, headers } = next;
      const sent = await fetch(subject.url + path, { method, body, headers });
      const text = await sent.text();
      if (sent.status !== 200) throw new Error(`${path} answered ${sent.status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

interface Learner {
  readonly id: string;
  readonly token: string;
}
const asJson = ({ token }: Learner) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
const as = (learner: Learner, path: string, body: object = {}): Request => ({
  path,
  body: JSON.stringify(body),
  headers: asJson(learner),
});

async function call(subject: Subject, { path, body, headers }: Request) {
  const answer = await fetch(subject.url + path, { method: "POST", body, headers });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, never> & {
    purchaseId: string;
    orderId: string;
    post: { _id: string };
    group: { _id: string };
  };
}

/** Learners who have opened a purchase each, over several courses. */
async function openPurchases(subject: Subject, count: number) {
  const courses = await subject.ask<string[]>("courses", 20);
  const learners = await subject.ask<Learner[]>("learners", { count });
  const opened = [];
  for (const [i, learner] of learners.entries()) {
    const { purchaseId, orderId } = await call(
      subject,
      as(learner, "/api/user/purchase", { courseId: courses[i % courses.length] }),
    );
    opened.push({ learner, purchaseId, orderId, paymentId: `pay_${randomBytes(7).toString("hex")}` });
  }
  return opened;
}

async function webhooks(subject: Subject, count: number): Promise<Request[]> {
  const requests = [];
  for (const { purchaseId, orderId, paymentId } of await openPurchases(subject, count)) {
    const entity = { id: paymentId, amount: 99_900, currency: "INR", order_id: orderId, notes: { purchaseId } };
    const body = JSON.stringify({ event: "payment.captured", payload: { payment: { entity } } });
    requests.push({ path: "/razorpay", body, headers: await subject.ask<Record<string, string>>("signWebhook", body) });
  }
  return requests;
}

async function verifications(subject: Subject, count: number): Promise<Request[]> {
  const requests = [];
  for (const { learner, purchaseId, orderId, paymentId } of await openPurchases(subject, count)) {
    const razorpay_signature = await subject.ask<string>("signCheckout", { orderId, paymentId });
    const told = { razorpay_order_id: orderId, razorpay_payment_id: paymentId, razorpay_signature, purchaseId };
    requests.push(as(learner, "/api/user/verify-razorpay", told));
  }
  return requests;
}

/** Each learner at one of some posts, so that few of them meet. */
async function onPosts(subject: Subject, count: number, request: (learner: Learner, postId: string) => Request) {
  const learners = await subject.ask<Learner[]>("learners", { count });
  const authors = await subject.ask<Learner[]>("learners", { count: 10 });
  const posts: string[] = [];
  for (const author of authors) {
    const { post } = await call(subject, as(author, "/api/community/posts", { title: "Bench", content: "Measured." }));
    posts.push(post._id);
  }
  return learners.map((learner, i) => request(learner, posts[i % posts.length] ?? ""));
}

async function inCourse(subject: Subject, count: number, request: (learner: Learner, courseId: string) => Request) {
  const requests = [];
  for (const courseId of await subject.ask<string[]>("courses", 10)) {
    const learners = await subject.ask<Learner[]>("learners", { count: count / 10, enrolledIn: courseId });
    requests.push(...learners.map((learner) => request(learner, courseId)));
  }
  return requests;
}

async function memberships(subject: Subject, count: number): Promise<Request[]> {
  const [founder, ...learners] = await subject.ask<Learner[]>("learners", { count: count + 1 });
  if (!founder) return [];
  const groups: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const name = `Bench ${randomBytes(6).toString("hex")}`;
    groups.push((await call(subject, as(founder, "/api/community/groups", { name }))).group._id);
  }
  return learners.map((learner, i) => as(learner, `/api/community/groups/${groups[i % 10]}/membership`));
}

const operations: Record<string, (subject: Subject, count: number) => Promise<Request[]>> = {
  "sale by webhook": webhooks,
  "sale by checkout": verifications,
  upvote: (subject, count) =>
    onPosts(subject, count, (learner, post) => as(learner, `/api/community/posts/${post}/upvote`)),
  reply: (subject, count) =>
    onPosts(subject, count, (learner, post) =>
      as(learner, `/api/community/posts/${post}/replies`, { content: "Agreed." }),
    ),
  membership: memberships,
  rating: (subject, count) =>
    inCourse(subject, count, (learner, courseId) => as(learner, "/api/user/add-rating", { courseId, rating: 4 })),
  progress: (subject, count) =>
    inCourse(subject, count, (learner, courseId) =>
      as(learner, "/api/user/update-course-progress", { courseId, lectureId: "ch1-l1" }),
    ),
  "tracked session": (subject, count) =>
    inCourse(subject, count, (learner, courseId) =>
      as(learner, "/api/user/track-time", { page: "Learning", path: `/player/${courseId}`, duration: 30 }),
    ),
};

async function start(root: string, name: string, options = "") {
  const given = process.env.MONGODB_URI;
  const file = resolve(root, "bench/subjects/database.ts");
  const database = given ? undefined : await startSubject(file);
  const uri = new URL(given ?? database?.url ?? "");
  uri.pathname = `/bench_${name}_${process.pid}`;
  const databaseUri = options ? `${uri.href}${uri.search ? "&" : "?"}${options}` : uri.href;
  const subject = await startSubject("bench/subjects/build.ts", { root: resolve(root), databaseUri });
  return {
    subject,
    async end() {
      await subject.end();
      await database?.end();
    },
  };
}

const rows: Record<string, string | number>[] = Object.keys(operations).map((operation) => ({ operation }));

for (const [name, root] of Object.entries(builds)) {
  const { subject, end } = await start(root, `${name}_commands`, "monitorCommands=true");
  for (const [i, prepare] of Object.values(operations).entries()) {
    const requests = await prepare(subject, 20);
    const before = await subject.ask<number>("commands");
    await send(subject, requests, 1);
    Object.assign(rows[i] ?? {}, {
      [`commands ${name}`]: ((await subject.ask<number>("commands")) - before) / requests.length,
    });
  }
  await end();
}

const running = new Map<string, Awaited<ReturnType<typeof start>>>();
for (const [name, root] of Object.entries(builds)) running.set(name, await start(root, name));
for (const [i, prepare] of Object.values(operations).entries()) {
  const used = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { subject }] of running) {
      const requests = await prepare(subject, amount);
      const before = await subject.cpu();
      await send(subject, requests, atOnce);
      const perRequest = ((await subject.cpu()) - before) / requests.length / 1_000;
      // The first round warms up.
      if (round > 0) used.set(name, [...(used.get(name) ?? []), perRequest]);
    }
  }
  for (const [name, figures] of used) Object.assign(rows[i] ?? {}, { [`CPU ms ${name}`]: median(figures) });
  const [here = 0, there] = [...used.values()].map(median);
  if (there) Object.assign(rows[i] ?? {}, { ratio: here / there });
}
for (const { end } of running.values()) await end();
printTable(`Operations that write: commands, and CPU of the server's process (median of ${rounds} rounds)`, rows);
