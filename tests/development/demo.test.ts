import { expect, test } from "vitest";
import { daysAgo } from "../../development/demo/demo-id.js";
import { loadDemo } from "../../development/demo/load-demo.js";
import { eventDifferences } from "../../ops/compare-events/event-differences.js";
import { reconcileSince } from "../../ops/reconcile/reconcile-since.js";
import { allDifferences } from "../assertions/recount.js";
import { identityOf, paymentsOf } from "../server/emulators.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
await loadDemo(server.deps);

const token = (id: string) => identityOf(server.emulators).issueToken(id, { role: "student" });
/** Reads the body of a reply to a demo user. */
const read = async (path: string, of: string) => (await server.get(path, token(`user_demo_${of}`))).body;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

async function snapshot(of = server): Promise<Record<string, number>> {
  const { transaction, jobWakeups, wakeEvents, close, ...models } = of.deps.db;
  const counts = await Promise.all(
    Object.entries(models).map(async ([name, model]) => [name, await model.countDocuments()] as const),
  );
  return Object.fromEntries(counts.filter(([name]) => name !== "Lease"));
}

test("loading again changes nothing", async () => {
  const before = await snapshot();
  const catalog = await server.get("/api/course/all");
  await loadDemo(server.deps);
  expect(await snapshot()).toEqual(before);
  expect((await server.get("/api/course/all")).body).toEqual(catalog.body);
});

test("two concurrent loads finish a load that was stopped halfway", async () => {
  const other = await startTestServer({ own: "recounts all rows" });
  const { Course } = other.deps.db;
  const stopping = new AbortController();
  const stopped = expect(loadDemo(other.deps, stopping.signal)).rejects.toThrow("abort");
  while ((await Course.countDocuments()) < 3);
  stopping.abort();
  await stopped;
  expect(await Course.countDocuments()).toBeLessThan(await server.deps.db.Course.countDocuments());
  const { deps } = await other.another();
  await Promise.all([loadDemo(other.deps), loadDemo(deps)]);
  expect(await snapshot(other)).toEqual(await snapshot());
});

test.each([
  ["typescript", "TypeScript for Working Developers"],
  ["typscript", "TypeScript for Working Developers"],
  ["types compiler", "TypeScript for Working Developers"],
  ["javascript", "TypeScript for Working Developers"],
  ["node", "Node.js Services That Stay Up"],
  ["node.js", "Node.js Services That Stay Up"],
  ["backend javascript", "Node.js Services That Stay Up"],
  ["queues deployments", "Node.js Services That Stay Up"],
  ["react", "React from First Principles"],
  ["raect", "React from First Principles"],
  ["frontend", "React from First Principles"],
  ["react native", "Mobile Apps with One Codebase"],
  ["android app", "Mobile Apps with One Codebase"],
  ["kuberntes", "Kubernetes Without the Fog"],
  ["docker", "Kubernetes Without the Fog"],
  ["web security", "Web Security by Attacking It"],
  ["owasp", "Web Security by Attacking It"],
  ["git", "Git, Calmly"],
  ["version control", "Git, Calmly"],
  ["sql", "SQL You Will Actually Use"],
  ["postgres", "SQL You Will Actually Use"],
  ["window functions", "SQL You Will Actually Use"],
  ["python", "Data Analysis with Python"],
  ["pandas charts", "Data Analysis with Python"],
  ["machine lerning", "Machine Learning, Honestly"],
  ["scikit", "Machine Learning, Honestly"],
  ["interface", "Interface Design for Engineers"],
  ["color spacing", "Interface Design for Engineers"],
  ["user interviews", "User Research in a Week"],
  ["landing page", "Marketing for Makers"],
])("a search for %s finds %s first", async (q, title) => {
  const query = new URLSearchParams({ q, sort: "relevance" });
  const { courses } = (await server.get(`/api/course/browse?${query}`)).body;
  expect(courses[0]?.courseTitle).toBe(title);
});

test("the facets of the demo differ", async () => {
  const { total, facets } = (await server.get("/api/course/browse")).body;
  expect(total).toBe(13);
  const counts = Object.entries(facets).map(([name, values]) => [name, (values as object[]).length]);
  expect(counts).toEqual([
    ["category", 8],
    ["tag", 46],
    ["level", 4],
    ["language", 1],
  ]);
});

test("the catalog has a dozen published courses, a free one, and no draft", async () => {
  const { courses } = (await server.get("/api/course/all")).body;
  expect(courses.length).toBeGreaterThanOrEqual(12);
  expect(courses.some((course: any) => course.coursePrice === 0)).toBe(true);
  const created = courses.map(({ createdAt }: any) => createdAt);
  expect(created).toEqual(created.toSorted());
  expect(await server.deps.db.Course.countDocuments({ isPublished: false })).toBe(1);
  for (const course of courses) {
    expect(course.educatorId.name).not.toBe("Deleted user");
    const { courseContent } = (await server.get(`/api/course/${course._id}`)).body.courseData;
    const lectures = courseContent.flatMap((chapter: any) => chapter.chapterContent);
    expect(lectures.length).toBe(course.totalLectures);
    expect(lectures.filter((lecture: any) => lecture.isPreviewFree)).toHaveLength(2);
    const picture = await fetch(course.courseThumbnail);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  }
});

test("every derived number equals its recount, and every fact has its event", async () => {
  const { db } = server.deps;
  expect(await allDifferences(db)).toEqual([]);
  await db.EventCounter.updateOne({ _id: "events" }, { since: new Date(0) });
  const ofEvents: string[] = [];
  for await (const line of eventDifferences(db, { eventRetentionDays: 365 })) ofEvents.push(line);
  expect(ofEvents).toEqual([]);
  const { stats } = await read("/api/admin/stats", "admin");
  const money = await db.Purchase.find({ status: "completed" }).lean();
  expect(Math.round(stats.totalRevenue * 100)).toBe(sum(money.map(({ amount }) => Math.round(amount * 100))));
  expect(stats.totalEnrollments).toBe(await db.Enrollment.countDocuments({ active: true }));
});

test("what the identity emulator says of a demo user is what the demo data says", async () => {
  const grace = async () => (await read("/api/user/data", "grace")).user;
  const before = await grace();
  expect(before).toMatchObject({ email: "grace@lyceum.example", imageUrl: expect.stringMatching(/^data:image/) });
  const identity = identityOf(server.emulators);
  await identity.updateUser("user_demo_grace", { lastName: "Okafor-Lee" });
  await identity.settled();
  expect(await grace()).toEqual({ ...before, name: "Grace Okafor-Lee" });
});

test("there is something to see in every corner", async () => {
  const { db } = server.deps;
  for (const status of ["created", "pending", "completed", "failed", "refunded"] as const) {
    expect(await db.Purchase.countDocuments({ status }), status).toBeGreaterThan(0);
  }
  expect(await db.Certificate.countDocuments({ status: "issued" })).toBeGreaterThanOrEqual(2);
  for (const group of ["needs_review", "on_track", "mastered"] as const) {
    expect(await db.QuizResult.countDocuments({ group }), group).toBeGreaterThan(0);
  }
  expect((await read("/api/user/enrolled-courses", "asha")).enrolledCourses).toHaveLength(4);
  expect((await read("/api/user/analytics", "asha")).analytics.totalDuration).toBeGreaterThan(0);
  const chats = await server.post("/api/user/previous-chats", {}, token("user_demo_asha"));
  expect(chats.body.chats).toHaveLength(1);
  const { _id } = await db.Course.findOne({ courseTitle: /TypeScript/ })
    .orFail()
    .lean();
  const { reviews, distribution } = (await server.get(`/api/course/${_id}/reviews`)).body;
  expect(distribution).toEqual({ 1: 0, 2: 0, 3: 1, 4: 1, 5: 2 });
  expect(reviews.map(({ helpfulCount }: any) => helpfulCount)).toEqual([5, 2, 2, 1]);
  expect(reviews.filter(({ response }: any) => response)).toHaveLength(1);
  expect((await server.get("/api/community/posts")).body.posts.length).toBeGreaterThanOrEqual(12);
  expect((await read("/api/educator/dashboard", "meera")).dashboardData.totalCourses).toBe(5);
  const { stats } = await read("/api/admin/stats", "admin");
  expect(stats).toMatchObject({ totalStudents: 13, totalEducators: 3, pendingApplications: 1 });
  const { weeklyRevenue } = await read("/api/admin/chart-data", "admin");
  expect(sum(weeklyRevenue.map(({ revenue }: any) => revenue))).toBeGreaterThan(0);
  const { applications } = await read("/api/admin/educator-applications", "admin");
  expect(applications.map(({ status }: any) => status).sort()).toEqual(["approved", "pending", "rejected"]);
});

test("a lesson has a text and a file that its learners can download", async () => {
  const asha = token("user_demo_asha");
  const git = await server.deps.db.Course.findOne({ courseTitle: "Git, Calmly" }).lean();
  const lectureId = git?.courseContent[0]?.chapterContent[0]?.lectureId;
  const { lecture } = await read(`/api/user/enrolled-courses/${git?._id}/lectures/${lectureId}`, "asha");
  expect(lecture.blocks[0].html).toContain("<h1 id=");
  const download = await fetch(server.url + lecture.resources[0].url, { headers: { authorization: `Bearer ${asha}` } });
  expect([download.status, await download.text()]).toEqual([200, expect.stringContaining("cheat sheet")]);
});

test("an assessment was passed by a learner, failed by another, and is in the gradebook", async () => {
  const typescript = await server.deps.db.Course.findOne({ courseTitle: /TypeScript/ }).lean();
  const { _id, courseContent } = typescript ?? {};
  const { assessment } = await read(`/api/quiz/assessments/${_id}/ch3`, "asha");
  expect(assessment).toMatchObject({ questionCount: 4, passed: true, bestPercent: 80, attemptsUsed: 1 });
  const rows = (await read(`/api/educator/courses/${_id}/gradebook.csv`, "meera")).split("\r\n");
  const chapter = courseContent?.[2]?.chapterTitle ?? "";
  const column = rows[0].split(",").findIndex((title: string) => title.includes(chapter));
  const cellOf = (userId: string) => rows.find((row: string) => row.includes(userId)).split(",")[column];
  expect(["asha", "liam", "yuki"].map((name) => cellOf(`user_demo_${name}`))).toEqual(["80", "40", ""]);
});

test("a purchase that waits for money is the learner's one unfinished purchase of the course, and can be paid", async () => {
  const { Purchase } = server.deps.db;
  const waiting = await Purchase.find({ status: { $in: ["created", "pending"] } }).lean();
  expect(waiting.map(({ status }) => status).sort()).toEqual(["created", "pending"]);
  for (const { _id, userId, courseId, status, providerOrderId } of waiting) {
    const { body } = await server.post("/api/user/purchase", { courseId }, token(userId));
    expect(body).toMatchObject({ success: true, purchaseId: String(_id), enrolled: false });
    if (status === "pending") expect(body.orderId).toBe(providerOrderId);
    expect(await Purchase.countDocuments({ userId, courseId })).toBe(1);
    const courses = async () => (await server.get("/api/user/data", token(userId))).body.user.enrolledCourses;
    const bought = await courses();
    await paymentsOf(server).pay(body.orderId);
    await expect.poll(courses).toEqual([...bought, String(courseId)]);
  }
});

test("there is a coupon, a grant that waits, and an invoice of every paid purchase, a credit note of a refund", async () => {
  const { db } = server.deps;
  expect(await db.Coupon.countDocuments({ active: true })).toBe(1);
  expect(await db.Grant.countDocuments({ state: "waiting" })).toBe(1);
  const paid = await db.Purchase.find({ status: { $in: ["completed", "refunded"] }, amount: { $gt: 0 } }).lean();
  expect(paid.every(({ invoiceNumber, invoiceDueAt }) => invoiceNumber || invoiceDueAt)).toBe(true);
  expect(await db.Invoice.countDocuments({ kind: "invoice" })).toBeGreaterThan(10);
  const refunded = paid.filter(({ status }) => status === "refunded");
  expect(refunded.every(({ creditNoteNumber }) => creditNoteNumber !== undefined)).toBe(true);
});

test("a demo sale is in the books of the payments emulator, and its refund there arrives by webhook", async () => {
  const { db } = server.deps;
  const payments = paymentsOf(server);
  const sold = await db.Purchase.find({ providerPaymentId: /^pay_demo/ }).lean();
  const { orders, payments: paid } = payments.records();
  const reported = paid.filter(({ id }) => id.startsWith("pay_demo")).map(({ notes }) => notes.purchaseId);
  expect(reported.sort()).toEqual(sold.map(({ _id }) => String(_id)).sort());
  expect(orders.filter(({ id, status }) => id.startsWith("order_demo") && status === "paid")).toHaveLength(sold.length);
  const purchases = () => db.Purchase.find().sort({ _id: 1 }).lean();
  const before = await purchases();
  const found = await reconcileSince(server.deps, daysAgo(90), () => undefined);
  expect(found).toMatchObject({ inReview: [], unfinished: 0 });
  expect(await purchases()).toEqual(before);
  const { _id, providerPaymentId } = sold.find(({ status }) => status === "completed") ?? {};
  await payments.dispute(String(providerPaymentId), "created");
  await payments.refund(String(providerPaymentId));
  await expect.poll(async () => (await db.Purchase.findById(_id).lean())?.status).toBe("refunded");
  expect(await db.Purchase.findById(_id).lean()).toMatchObject({ reviewReason: "disputed" });
  expect(await allDifferences(db)).toEqual([]);
});
