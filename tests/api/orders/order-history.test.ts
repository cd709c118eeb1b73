import { expect, test } from "vitest";
import { buildCourse } from "../../factories/courses.js";
import { buy, refund } from "../../factories/sales.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const { db } = server.deps;

const history = (learner: SignedIn, query = "") => server.get(`/api/user/purchases${query}`, learner.token);

test("an order is shown as it was bought, with its coupon and what was paid back", async () => {
  const [learner, other] = [await server.signedIn(), await server.signedIn()];
  const course = await buildCourse(server, { courseTitle: "As it was" });
  const sale = await buy(server, learner, course._id);
  await buy(server, other, course._id);
  // An order keeps its title when its course is renamed, and when it is gone.
  await db.Course.updateOne({ _id: course._id }, { courseTitle: "As it is now" });
  const completed = {
    ...{ _id: sale.purchaseId, courseId: String(course._id), pathId: null, courseTitle: "As it was" },
    ...{ courseThumbnail: course.courseThumbnail, amount: 899.1, currency: "INR", status: "completed" },
    ...{ couponCode: null, refundedAmount: 0, refundedAt: null, invoiceNumber: null, creditNoteNumber: null },
    ...{ createdAt: expect.stringMatching(/Z$/), completedAt: expect.stringMatching(/Z$/) },
  };
  expect((await history(learner)).body).toEqual({ success: true, purchases: [completed], nextCursor: null });
  await refund(server, sale);
  await db.Course.deleteOne({ _id: course._id });
  expect((await history(learner)).body.purchases).toEqual([
    {
      ...completed,
      courseThumbnail: "",
      status: "refunded",
      refundedAmount: 899.1,
      refundedAt: expect.stringMatching(/Z$/),
    },
  ]);
});

test("orders are read newest first, a page at a time, and a page that cannot be asked for is refused", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const stored = Array.from({ length: 120 }, (_, i) => ({
    ...{ userId: learner.id, courseId: course._id, amount: i, currency: "INR", status: "failed" },
    terms: { courseTitle: "Practical TypeScript", coursePrice: 10, discount: 0, accessDays: null },
    createdAt: new Date(Date.now() - Math.floor(i / 2) * 1000),
  }));
  await db.Purchase.insertMany(stored);
  const seen: number[] = [];
  let after = "";
  do {
    const { body } = await history(learner, `?limit=50${after}`);
    seen.push(...body.purchases.map(({ amount }: { amount: number }) => amount));
    after = body.nextCursor && `&after=${body.nextCursor}`;
  } while (after);
  expect(new Set(seen).size).toBe(120);
  expect(seen.map((amount) => Math.floor(amount / 2))).toEqual(stored.map((_, i) => Math.floor(i / 2)));
  expect((await history(learner)).body.purchases).toHaveLength(50);
});
