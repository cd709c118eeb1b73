import { type Finding, same } from "./findings.js";
import { addCourses } from "./freezing.js";
import { misshapen } from "./misshapen-requests.js";
import { sell } from "./sales.js";
import type { Target } from "./target.js";
import { textsElsewhere } from "./texts-elsewhere.js";

interface Operation {
  readonly method: string;
  /** With an id that is well formed in each place. */
  readonly path: string;
}

const anId = "665f1c2ab7e4d90012ab34cd";

async function operations(target: Target): Promise<Operation[]> {
  const { body } = await target.call("GET", "/api/openapi.json");
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ["get", "post", "put", "patch", "delete"].includes(method))
      .map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, anId) })),
  );
}

/** Every route below a path as a user who may not. */
async function refusals(target: Target): Promise<Finding[]> {
  const [student, educator] = [await target.user(), await target.user("educator")];
  const all = await operations(target);
  const asked = async (begins: string, token?: string): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { method, path } of all.filter((one) => one.path.startsWith(begins))) {
      const body = method === "GET" ? {} : { body: {} };
      const { status } = await target.call(method, path, { ...body, ...(token ? { token } : {}) });
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  };
  const only = (counts: object) => Object.keys(counts).join();
  return [
    same("every admin route without a token", only(await asked("/api/admin")), "401"),
    same("every admin route as a student", only(await asked("/api/admin", student.token)), "403"),
    same("every admin route as an educator", only(await asked("/api/admin", educator.token)), "403"),
    same("every user route without a token", only(await asked("/api/user")), "401"),
    same("every user route with `Bearer null`", only(await asked("/api/user", "null")), "401"),
  ];
}

const operatorQueries = [
  "status[$ne]=x",
  "q[$regex]=.*",
  "limit[$gt]=1",
  "state[$ne]=1",
  "tab[$ne]=x",
  "groupId[$ne]=x",
];

/** Operators of the database, and prototypes, in the place of every value. */
async function operatorsInValues(target: Target): Promise<Finding[]> {
  const admin = await target.user("admin");
  const statuses = new Set<number>();
  const values: unknown[] = [{ $ne: null }, { $gt: "" }, { $where: "sleep(1000)" }, [{ $ne: 1 }], { __proto__: 1 }];
  const fields = ["courseId", "sessionId", "content", "page", "path", "rating", "title", "name", "reason", "groupId"];
  const paths = ["/api/user/add-rating", "/api/user/ai-chat", "/api/user/track-time", "/api/user/purchase"];
  const more = ["/api/user/get-course-progress", "/api/user/update-course-progress", "/api/community/groups"];
  for (const path of [...paths, ...more]) {
    for (const value of values) {
      const { token } = await target.user();
      const body = Object.fromEntries(fields.map((field) => [field, value]));
      statuses.add((await target.call("POST", path, { token, body })).status);
    }
  }
  await sell(target);
  await target.call("POST", "/api/community/posts", { token: admin.token, body: { title: "A", content: "B" } });
  const idsAt = async (path: string) => {
    const { status, body } = await target.call("GET", path, { token: admin.token });
    const rows: { _id: string }[] = body.purchases ?? body.posts ?? body.courses ?? body.courseData ?? [];
    return { status, ids: rows.map(({ _id }) => _id).join() };
  };
  const read: string[] = [];
  for (const path of ["/api/admin/purchases", "/api/community/posts", "/api/course/all"]) {
    const plain = await idsAt(path);
    if (plain.ids === "") read.push(`${path}: no rows`);
    for (const query of operatorQueries) {
      const { status, ids } = await idsAt(`${path}?${query}`);
      if (status !== 400 && ids !== plain.ids) read.push(`${path}?${query}: ${status}`);
    }
  }
  const polluter = await target.user();
  const polluted = '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}},"role":"admin"}';
  const headers = { "content-type": "application/json" };
  await target.call("POST", "/api/user/track-time", { token: polluter.token, body: polluted, headers });
  const after = await target.call("GET", "/api/admin/stats", { token: (await target.user()).token });
  return [
    same("operators as values of bodies: answered", [...statuses], [400]),
    same("operators in queries: refused, or answered as if they were not there", read, []),
    same("prototypes in a body: another caller's admin page", after.status, 403),
  ];
}

/** One user's data, asked for and changed by another. */
async function dataOfOtherUsers(target: Target): Promise<Finding[]> {
  const [owner, thief] = [await target.user(), await target.user()];
  const [mine, theirs] = [await target.user("educator"), await target.user("educator")];
  const [courseId] = await addCourses(target, [{ educatorId: mine.id, version: 1 }], owner);
  const as = (who: { token: string }, method: string, path: string, body?: object) =>
    target.call(method, path, { token: who.token, ...(body ? { body } : {}) });
  const chat = (await as(owner, "POST", "/api/user/ai-chat", { content: "Hello" })).body.activeSessionId;
  const { post } = (await as(owner, "POST", "/api/community/posts", { title: "A", content: "B" })).body;
  const { reply } = (await as(owner, "POST", `/api/community/posts/${post._id}/replies`, { content: "C" })).body;
  const postPath = `/api/community/posts/${post._id}`;
  const course = `/api/educator/courses/${courseId}`;
  const tries: [string, number, ReturnType<typeof as>][] = [
    ["read a chat", 404, as(thief, "GET", `/api/user/chat/${chat}`)],
    ["delete a chat", 404, as(thief, "DELETE", `/api/user/chat/${chat}`)],
    ["play a course", 403, as(thief, "GET", `/api/user/enrolled-courses/${courseId}`)],
    ["rate a course", 403, as(thief, "POST", "/api/user/add-rating", { courseId, rating: 1 })],
    ["a quiz of a course", 403, as(thief, "GET", `/api/quiz/${courseId}/ch1`)],
    ["a certificate", 403, as(thief, "GET", `/api/user/certificate/${courseId}`)],
    ["edit a post", 403, as(thief, "PATCH", postPath, { title: "X" })],
    ["delete a post", 403, as(thief, "DELETE", postPath)],
    ["resolve a post", 403, as(thief, "PATCH", `${postPath}/resolve`)],
    ["edit a reply", 403, as(thief, "PATCH", `${postPath}/replies/${reply._id}`, { content: "X" })],
    ["delete a reply", 403, as(thief, "DELETE", `${postPath}/replies/${reply._id}`)],
    ["accept a reply", 403, as(thief, "PATCH", `${postPath}/replies/${reply._id}/accept`)],
    ["edit a course", 403, as(theirs, "PATCH", course, { version: 1, courseTitle: "X" })],
    ["publish a course", 403, as(theirs, "PATCH", `${course}/publish`, { isPublished: false })],
    ["make a quiz", 403, as(theirs, "POST", "/api/quiz/generate", { courseId, chapterId: "ch1" })],
  ];
  const got: string[] = [];
  for (const [name, expected, reply2] of tries) {
    const { status } = await reply2;
    if (status !== expected) got.push(`${name}: ${status}`);
  }
  const posed = await as(thief, "POST", "/api/user/ai-chat", { content: "Go on", sessionId: chat });
  return [
    same(`${tries.length} things of another learner or educator: not refused as they must be`, got, []),
    same("another learner's chat is not gone on with", posed.body.activeSessionId === chat, false),
  ];
}

/** Limits that depend on who asks. */
async function spoofedAddresses(target: Target): Promise<Finding[]> {
  const variants = ["/api/user/ai-chat", "/API/user/AI-chat", "/api/user/ai-chat/"];
  let refused = 0;
  for (let n = 0; n < 48; n += 1) {
    const address = `203.0.113.${n}`;
    const headers = {
      "x-forwarded-for": address,
      "x-real-ip": address,
      forwarded: `for=${address}`,
      "cf-connecting-ip": address,
    };
    const path = variants[n % variants.length] ?? "";
    const { status } = await target.call("POST", path, { body: { content: "x" }, headers });
    if (status === 429) refused += 1;
  }
  const { token } = await target.user();
  const encoded = await target.call("POST", "/api/user/%61i-chat", { token, body: { content: "x" } });
  return [
    same(
      "48 calls with made-up addresses over variants of one path, limit 30: at least 18 refused",
      refused >= 18,
      true,
    ),
    same("a variant that is not limited reaches no route", encoded.status, 404),
  ];
}

/** The same message again, and an old one. */
async function replays(target: Target): Promise<Finding[]> {
  const event = { event: "payment.captured", payload: { payment: { entity: { id: "pay_replayed", notes: {} } } } };
  const first = await target.deliver(event);
  const again = await target.deliver(event);
  const rows = await target.db.PaymentEvent.countDocuments({ paymentId: "pay_replayed" });
  const unsigned = await target.call("POST", "/razorpay", { body: event });
  const wrong = await target.deliver(event, "another secret, as long as this one");
  const clerk = await target.call("POST", "/clerk", {
    body: { type: "user.created", data: { id: "user_x" } },
    headers: { "svix-id": "msg_1", "svix-timestamp": "1", "svix-signature": "v1,AAAA" },
  });
  return [
    same("a payment message twice: answers, rows", [first.status, again.status, rows], [200, 200, 1]),
    same("a payment message unsigned, and signed by another", [unsigned.status, wrong.status], [400, 400]),
    same(
      "an old identity message with a wrong signature: answer, users",
      [clerk.status, await target.db.User.countDocuments({ _id: "user_x" })],
      [500, 0],
    ),
  ];
}

export async function intrusion(target: Target): Promise<Finding[]> {
  const findings: Finding[] = [];
  const groups = [refusals, operatorsInValues, dataOfOtherUsers, spoofedAddresses, misshapen, textsElsewhere, replays];
  for (const group of groups) findings.push(...(await group(target)));
  return findings;
}
