import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { courseData, courseForm } from "../../factories/course-forms.js";
import { buildCourse } from "../../factories/courses.js";
import { activeCourses, purchaseOf } from "../../factories/purchases.js";
import { paymentsOf } from "../../server/emulators.js";
import { reconcile } from "../../server/payment-jobs.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";

test.each([
  ["JPY", { coursePrice: 1_999, discount: 10 }, 1_799, 1_799, "1799"],
  ["INR", { coursePrice: 19.99, discount: 50 }, 10, 1_000, "10.00"],
  ["KWD", { coursePrice: 12.345, discount: 10 }, 11.11, 11_110, "11.110"],
  // Usually written without decimals, and counted with them.
  ["HUF", { coursePrice: 4_990, discount: 50 }, 2_495, 249_500, "2495.00"],
])(
  "a sale in %s is ordered, completed, summed and refunded in its own minor unit",
  async (currency, price, major, minor, written) => {
    const server = await startTestServer({ env: { CURRENCY: currency } });
    const [learner, late, admin] = [await server.signedIn(), await server.signedIn(), await server.signedIn("admin")];
    const course = await buildCourse(server, price);
    const buy = async (by: typeof learner) =>
      (await server.post("/api/user/purchase", { courseId: String(course._id) }, by.token)).body;
    const payments = paymentsOf(server);

    const opened = await buy(learner);
    expect(opened).toMatchObject({ amount: major, currency });
    expect(payments.records().orders).toMatchObject([{ amount: minor, currency }]);
    await payments.pay(opened.orderId);
    await payments.settled();
    expect(await purchaseOf(server, opened.purchaseId)).toMatchObject({ status: "completed", reviewReason: null });

    const second = await buy(late);
    await payments.pay(second.orderId, { webhook: false });
    await reconcile(server, { all: true });
    expect(await activeCourses(server, late)).toEqual([String(course._id)]);

    const stats = async () => (await server.get("/api/admin/stats", admin.token)).body.stats.totalRevenue;
    expect(await stats()).toBe(2 * major);
    await runJob(server, "number-events");
    const chart = (await server.get("/api/admin/chart-data", admin.token)).body.weeklyRevenue;
    expect(chart.at(-1).revenue).toBe(await stats());
    const [row] = (await server.get("/api/admin/courses", admin.token)).body.courses;
    expect(row.revenue).toBe(await stats());
    const exported = (await server.get("/api/admin/purchases.csv", admin.token)).body;
    expect(exported).toContain(`,${written},${currency},`);

    const refunded = await server.post(
      `/api/admin/purchases/${opened.purchaseId}/refund`,
      { reason: "asked for it" },
      admin.token,
    );
    expect(refunded.status).toBe(200);
    await payments.settled();
    expect(payments.records().refunds).toMatchObject([{ amount: minor }]);
    expect(await purchaseOf(server, opened.purchaseId)).toMatchObject({ status: "refunded", refundedMinor: minor });
    expect(await stats()).toBe(major);
  },
);

test.each([
  ["JPY", [100.5, 1999.01, 99], [100, 1999]],
  ["KWD", [1.2345, 20.0001, 0.094], [1.234, 0.1]],
])("a price that nobody can pay in %s is refused where courses are written", async (currency, wrong, right) => {
  const server = await startTestServer({ env: { CURRENCY: currency } });
  const educator = await server.signedIn("educator");
  const add = (coursePrice: number) =>
    server.post("/api/educator/add-course", courseForm(courseData({ coursePrice, discount: 0 })), educator.token);
  for (const price of wrong) expect(await add(price)).toMatchObject(refusal(400, "Invalid request data"));
  for (const price of right) expect((await add(price)).status).toBe(200);
  const stored = await server.deps.db.Course.find({ educatorId: educator.id }).lean();
  expect(stored.map(({ coursePrice }) => coursePrice).sort()).toEqual([...right].sort());
  const [{ _id, version }] = (await server.get("/api/educator/courses", educator.token)).body.courses;
  const edit = (coursePrice: number) =>
    server.patch(`/api/educator/courses/${_id}`, { coursePrice, version }, educator.token);
  expect(await edit(wrong[0] ?? 0)).toMatchObject(refusal(400, "Invalid request data"));
  expect((await edit(300)).status).toBe(200);
});
