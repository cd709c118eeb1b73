import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { commandsDuring } from "../../assertions/commands.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { openPurchase, paymentId } from "../../factories/purchases.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ jobs: true });

test("a lone sale costs at most 20 commands in the three seconds behind its answer, its figures and notice included", async () => {
  const { db } = server.deps;
  const [educator, learner] = [await server.signedIn("educator"), await server.signedIn()];
  const course = await buildCourse(server, { educatorId: educator.id });
  const { purchaseId, orderId, amount } = await openPurchase(server, learner, course);
  const sale = paymentEvent("payment.captured", { id: paymentId(), amount, currency: "INR", orderId, purchaseId });
  // The jobs that the earlier writes have woken.
  await pause(4_000);
  expect(await deliver(server, sale)).toMatchObject({ status: 200 });
  // A pause as long as the promise.
  const commands = await commandsDuring(server, () => pause(3_000));
  expect(commands.length).toBeGreaterThan(5);
  expect(
    commands.length,
    commands.map((command) => Object.entries(command)[0]?.join(" ")).join("\n"),
  ).toBeLessThanOrEqual(20);
  expect(await db.CourseDailySales.findOne({ courseId: course._id }).lean()).toMatchObject({ sales: 1 });
  expect(await db.Notice.countDocuments({ userId: educator.id, type: "new_student" })).toBe(1);
});
