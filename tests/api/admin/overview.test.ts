import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { apply } from "../../factories/applications.js";
import { buildCourse } from "../../factories/courses.js";
import { buy, refund } from "../../factories/sales.js";
import { identityOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "asserts totals" });
const admin = await server.signedIn("admin", "Nisha");
const educator = await server.signedIn("educator", "Meera");

const stats = async () => (await server.get("/api/admin/stats", admin.token)).body.stats;
const charts = async () => (await server.get("/api/admin/chart-data", admin.token)).body;
const courses = async () => (await server.get("/api/admin/courses", admin.token)).body.courses;
const purchases = async (query = "") => (await server.get(`/api/admin/purchases${query}`, admin.token)).body.purchases;
const users = async () => (await server.get("/api/admin/users", admin.token)).body.users;

/** Every figure of the platform, counted anew from what is stored. */
async function recount() {
  const { User, Course, RoleRecord, EducatorApplication, Purchase, Enrollment } = server.deps.db;
  const completed = await Purchase.find({ status: "completed" }).lean();
  return {
    totalStudents: (await User.find().lean()).length,
    totalCourses: (await Course.find().lean()).length,
    totalEducators: (await RoleRecord.find({ role: "educator" }).lean()).length,
    pendingApplications: (await EducatorApplication.find({ status: "pending" }).lean()).length,
    totalRevenue: Number(completed.reduce((sum, { amount }) => sum + amount, 0).toFixed(2)),
    totalEnrollments: (await Enrollment.find({ active: true }).lean()).length,
  };
}

test("an empty platform has figures, seven days and empty lists", async () => {
  expect(await stats()).toEqual({
    totalStudents: 2,
    totalCourses: 0,
    totalEducators: 1,
    pendingApplications: 0,
    totalRevenue: 0,
    totalEnrollments: 0,
  });
  const { topCourseData, weeklyRevenue } = await charts();
  expect(topCourseData).toEqual([]);
  expect(weeklyRevenue.map(({ revenue }: any) => revenue)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect([await courses(), await purchases()]).toEqual([[], []]);
});

describe("figures and lists", () => {
  test("equal a recount after sales, refunds, applications and deletions at the same moment", async () => {
    const graphs = await buildCourse(server, { educatorId: educator.id, coursePrice: 100.1, discount: 0 });
    const trees = await buildCourse(server, { educatorId: educator.id, coursePrice: 19.99, discount: 10 });
    const free = await buildCourse(server, { educatorId: educator.id, coursePrice: 0, isPublished: false });
    const learners = await Promise.all(Array.from({ length: 8 }, (_, n) => server.signedIn("student", `Learner ${n}`)));
    const identity = identityOf(server.emulators);
    const leaving = await identity.createUser({ firstName: "Leaving" });
    await identity.settled();
    const sales = await Promise.all([
      ...learners.map((learner) => buy(server, learner, graphs._id)),
      ...learners.slice(0, 3).map((learner) => buy(server, learner, trees._id)),
    ]);
    await Promise.all([
      buy(server, educator, free._id),
      ...sales.slice(0, 3).map((sale) => refund(server, sale)),
      ...learners.slice(0, 2).map((learner) => apply(server, learner)),
      identity.deleteUser(leaving.id),
      identity.createUser({ firstName: "Coming" }),
    ]);
    await server.emulators.razorpay?.settled();
    await identity.settled();

    expect(await stats()).toEqual(await recount());
    expect(await stats()).toMatchObject({ totalRevenue: 554.47, totalEnrollments: 9, pendingApplications: 2 });
    const [newest, second, oldest] = await courses();
    const card = { _id: educator.id, name: "Meera", email: expect.stringContaining("@") };
    expect(oldest).toEqual({
      _id: String(graphs._id),
      courseTitle: "Practical TypeScript",
      educatorId: card,
      educator: card,
      enrolledCount: 5,
      isPublished: true,
      coursePrice: 100.1,
      discount: 0,
      createdAt: graphs.createdAt.toISOString(),
      revenue: 500.5,
      purchases: 5,
    });
    expect(second).toMatchObject({ _id: String(trees._id), revenue: 53.97, purchases: 3, enrolledCount: 3 });
    expect(newest).toMatchObject({ _id: String(free._id), revenue: 0, purchases: 1, enrolledCount: 1 });
    await runJob(server, "number-events");
    const { topCourseData, weeklyRevenue } = await charts();
    expect(topCourseData.map(({ enrollments }: any) => enrollments)).toEqual([5, 3, 1]);
    expect(weeklyRevenue.at(-1).revenue).toBe(554.47);
    const byUser = new Map((await users()).map((user: any) => [user._id, user]));
    expect(byUser.get(learners[2]?.id)).toMatchObject({ name: "Learner 2", enrolledCount: 1, isEducator: false });
    expect(byUser.get(educator.id)).toMatchObject({ coursesCreated: 3, enrolledCount: 1, isEducator: true });
    expect(byUser.has(leaving.id)).toBe(false);
  });

  test("users are listed newest first from local data, and never with null", async () => {
    const identity = identityOf(server.emulators);
    const bare = await identity.createUser({ firstName: null, lastName: null, imageUrl: "" });
    await identity.settled();
    identity.faults.add({ kind: "cut" });
    const listed = await users();
    identity.faults.clear();
    expect(listed[0]).toEqual({
      _id: bare.id,
      name: "",
      email: expect.any(String),
      imageUrl: "",
      enrolledCount: 0,
      coursesCreated: 0,
      isEducator: false,
      createdAt: expect.stringMatching(/Z$/),
    });
    const times = listed.map(({ createdAt }: any) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  test("purchases filter by state; an unknown state matches nothing", async () => {
    const all = await purchases();
    expect(all).toHaveLength(await server.deps.db.Purchase.countDocuments());
    expect(await purchases("?status=all")).toEqual(all);
    const states = ["created", "pending", "completed", "failed", "refunded"];
    for (const state of states) {
      expect(await purchases(`?status=${state}`)).toEqual(all.filter(({ status }: any) => status === state));
    }
    expect(all.filter(({ status }: any) => status === "refunded")).toHaveLength(3);
    for (const query of ["?status=nonsense", "?status=", "?status=%24ne"]) expect(await purchases(query)).toEqual([]);
    expect((await server.get("/api/admin/purchases?status[$ne]=x", admin.token)).status).toBe(400);
    const times = all.map(({ createdAt }: any) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(all[0]).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      userId: expect.any(String),
      courseId: { _id: expect.any(String), courseTitle: "Practical TypeScript" },
      pathId: null,
      amount: expect.any(Number),
      currency: "INR",
      status: "completed",
      reviewReason: null,
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  test("a purchase of a course that is not there, and a course of a user who is not there, are shown", async () => {
    const { Purchase } = server.deps.db;
    const lost = await Purchase.create({
      userId: "user_lost",
      courseId: "665f1c2ab7e4d90012ab34cd",
      amount: 10,
      currency: "INR",
      status: "failed",
      terms: { courseTitle: "Practical TypeScript", coursePrice: 10, discount: 0, accessDays: null },
      reviewReason: "amount_mismatch",
    });
    const [shown] = await purchases("?status=failed");
    expect(shown).toMatchObject({ _id: String(lost._id), courseId: null, reviewReason: "amount_mismatch", amount: 10 });
    await buildCourse(server, { educatorId: "user_gone" });
    const [orphan] = await courses();
    expect(orphan.educatorId).toEqual({ _id: "user_gone", name: "Deleted user", email: "" });
    expect(orphan.educator).toEqual(orphan.educatorId);
  });
});

describe("the charts", () => {
  test("name the six most enrolled courses, cut to 22 characters", async () => {
    const { Course } = server.deps.db;
    const long = "𝒢raph theory for the impatient";
    for (let n = 0; n < 8; n += 1) {
      const course = await buildCourse(server, {
        courseTitle: n === 7 ? long : `Course ${n} of twenty-two`.slice(0, 22),
      });
      await Course.updateOne({ _id: course._id }, { $set: { totalEnrolledStudents: 100 + n } });
    }
    const { topCourseData } = await charts();
    expect(topCourseData).toHaveLength(6);
    expect(topCourseData[0]).toEqual({ name: "𝒢raph theory for the i…", enrollments: 107 });
    expect(topCourseData[1]).toEqual({ name: "Course 6 of twenty-two", enrollments: 106 });
  });

  test("show seven UTC days, today last, each as weekday and day of the month", async () => {
    const { CourseDailySales } = server.deps.db;
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
    const sales: [number, number][] = [
      [6, 1_000],
      [6, 50],
      [7, 99_999],
    ];
    for (const [ago, revenueMinor] of sales) {
      const row = { courseId: new Types.ObjectId(), day: day(ago).toISOString().slice(0, 10), revenueMinor };
      await CourseDailySales.create(row);
    }
    const { weeklyRevenue } = await charts();
    const label = (at: Date) =>
      `${at.toLocaleDateString("en-GB", { weekday: "short", timeZone: "UTC" })} ${at.getUTCDate()}`;
    expect(weeklyRevenue.map(({ date }: any) => date)).toEqual([6, 5, 4, 3, 2, 1, 0].map((ago) => label(day(ago))));
    expect(weeklyRevenue[0]).toEqual({ date: label(day(6)), revenue: 10.5 });
    expect(weeklyRevenue.slice(1, 6).map(({ revenue }: any) => revenue)).toEqual([0, 0, 0, 0, 0]);
  });
});

test("purchases as a table hold what the list holds, newest first, and take the same filter", async () => {
  const all = await purchases();
  const answer = await server.get("/api/admin/purchases.csv", admin.token);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="purchases.csv"');
  const [header, ...rows] = answer.body.trim().split("\r\n");
  expect(header).toBe("Purchase ID,User ID,Course ID,Course,Amount,Currency,Status,Review reason,Created,Completed");
  expect(rows.map((row: string) => row.split(",")[0])).toEqual(all.map(({ _id }: any) => _id));
  expect(rows[0]).toContain(`${all[0].userId},665f1c2ab7e4d90012ab34cd,,10.00,INR,failed,amount_mismatch,`);
  const refunded = (await server.get("/api/admin/purchases.csv?status=refunded", admin.token)).body;
  expect(refunded.trim().split("\r\n")).toHaveLength(1 + 3);
  const nothing = (await server.get("/api/admin/purchases.csv?status=nonsense", admin.token)).body;
  expect(nothing.trim().split("\r\n")).toHaveLength(1);
});

test("the administrators' paths are refused to every other user, unknown ones and variants too", async () => {
  const student = await server.signedIn();
  for (const path of ["/api/admin/nothing", "/API/Admin/stats/", "/api/admin", "/api/admin/%73tats"]) {
    expect((await server.get(path)).status).toBe(401);
    for (const { token } of [student, educator]) {
      expect(await server.get(path, token)).toMatchObject(refusal(403, "Unauthorized Access"));
    }
  }
  expect(await server.get("/api/admin/nothing", admin.token)).toMatchObject({ status: 404 });
});
