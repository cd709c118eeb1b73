import { describe, expect, test, vi } from "vitest";
import { giveNumbers } from "../../../src/services/invoices/number-invoices.js";
import { expectCouponRecount, expectRecount } from "../../assertions/recount.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { activeCourses, paymentId } from "../../factories/purchases.js";
import { buy } from "../../factories/sales.js";
import { dieAtEveryWrite, dieInWork, requestBy } from "../../server/dying-instance.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";

vi.setConfig({ testTimeout: 120_000 });
const servers = {
  coupon: await startTestServer({ own: "recounts all rows" }),
  free: await startTestServer({ own: "recounts all rows" }),
  grant: await startTestServer({ own: "recounts all rows" }),
  import: await startTestServer({ own: "recounts all rows" }),
  invoices: await startTestServer({ own: "recounts all rows" }),
};

describe.concurrent("an instance that dies between any two writes", () => {
  test("of opening a purchase with a coupon reserves it once or not at all", async () => {
    const server = servers.coupon;
    const admin = await server.signedIn("admin");
    const writes = await dieAtEveryWrite(server, async () => {
      const learner = await server.signedIn();
      const course = await buildCourse(server);
      const { code } = await buildCoupon(server, admin, { maxRedemptions: 1 });
      const body = { courseId: String(course._id), coupon: code };
      return {
        request: requestBy(learner, "POST", "/api/user/purchase", body),
        async check() {
          await expectCouponRecount(server);
          await server.deps.db.Purchase.updateMany({ userId: learner.id }, { "orderLock.until": new Date(0) });
          const opened = await server.post("/api/user/purchase", body, learner.token);
          expect(opened).toMatchObject({ status: 200, body: { couponCode: code } });
          const { purchaseId } = opened.body;
          await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
          expect(await server.deps.db.Coupon.findOne({ code }).lean()).toMatchObject({ reserved: 0, redeemed: 1 });
          await expectRecount(server);
        },
      };
    });
    expect(writes).toBeGreaterThan(2);
  });

  test("of taking a course that a coupon makes free redeems it once or not at all", async () => {
    const server = servers.free;
    const admin = await server.signedIn("admin");
    const writes = await dieAtEveryWrite(server, async () => {
      const learner = await server.signedIn();
      const course = await buildCourse(server);
      const { code } = await buildCoupon(server, admin, { value: 100 });
      const body = { courseId: String(course._id), coupon: code };
      return {
        request: requestBy(learner, "POST", "/api/user/purchase", body),
        async check() {
          await expectCouponRecount(server);
          await server.post("/api/user/purchase", body, learner.token);
          expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
          expect(await server.deps.db.Coupon.findOne({ code }).lean()).toMatchObject({ reserved: 0, redeemed: 1 });
          await expectRecount(server);
        },
      };
    });
    expect(writes).toBeGreaterThan(5);
  });

  test("of a grant enrolls the learner or leaves nothing", async () => {
    const server = servers.grant;
    const admin = await server.signedIn("admin");
    const writes = await dieAtEveryWrite(server, async () => {
      const learner = await server.signedIn();
      const course = await buildCourse(server);
      const body = { courseId: String(course._id), userId: learner.id, reason: "x" };
      return {
        request: requestBy(admin, "POST", "/api/admin/enrollments", body),
        async check() {
          await expectRecount(server);
          const { status } = await server.post("/api/admin/enrollments", body, admin.token);
          expect([200, 409]).toContain(status);
          expect(await server.deps.db.Grant.countDocuments({ userId: learner.id })).toBe(1);
          await expectRecount(server);
        },
      };
    });
    expect(writes).toBeGreaterThan(3);
  });
});

test("an import that dies anywhere goes on where it was, and each row takes effect once", async () => {
  const server = servers.import;
  const { db } = server.deps;
  const admin = await server.signedIn("admin");
  const courses = [await buildCourse(server), await buildCourse(server)];
  const count = 250;
  await db.User.insertMany(
    Array.from({ length: count / 2 }, (_, i) => ({ _id: `user_row${i}`, verifiedEmail: `row${i}@example.com` })),
  );
  const rows = Array.from({ length: count }, (_, i) => `row${i}@example.com,${courses[i % 2]?._id},`);
  const form = new FormData();
  form.append("file", new Blob([`email,courseId,expiresAt\n${rows.join("\n")}`]), "rows.csv");
  const path = "/api/admin/enrollments/import";
  const { importId } = (await server.call("POST", path, { token: admin.token, body: form })).body;
  let deaths = 0;
  for (const writes of [0, 1, 3, 5, 7, 8, 9, 11, 13]) {
    const run = (other: typeof db) => runJob({ deps: { ...server.deps, db: other } }, "import-enrollments");
    if (await dieInWork(server, writes, run)) deaths += 1;
    const { granted, waiting, lastRow } = await db.EnrollmentImport.findById(importId).orFail().lean();
    expect(granted + waiting).toBe(Math.max(0, lastRow - 1));
    expect(await db.Grant.countDocuments()).toBe(granted + waiting);
    await expectRecount(server);
  }
  expect(deaths).toBeGreaterThan(5);
  await runJob(server, "import-enrollments");
  const done = await db.EnrollmentImport.findById(importId).orFail().lean();
  expect(done).toMatchObject({ state: "done", total: count, granted: count / 2, waiting: count / 2, failed: 0 });
  await expectRecount(server);
});

test("giving numbers that dies anywhere leaves no gap", async () => {
  const server = servers.invoices;
  const { db, config } = server.deps;
  for (const writes of [0, 1, 2, 3, 4]) {
    const learner = await server.signedIn();
    for (let i = 0; i < 3; i += 1) await buy(server, learner, (await buildCourse(server))._id);
    const work = (other: typeof db) => giveNumbers({ db: other, settings: config.invoices }, new Date());
    await dieInWork(server, writes, work);
    await giveNumbers({ db, settings: config.invoices }, new Date());
    const numbers = (await db.Invoice.find().sort({ number: 1 }).lean()).map(({ number }) => Number(number.slice(-6)));
    expect(numbers).toEqual(Array.from({ length: 3 * (writes + 1) }, (_, i) => i + 1));
  }
});
