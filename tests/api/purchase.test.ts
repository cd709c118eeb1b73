import { expect, test } from "vitest";
import { buildCourse } from "../support/courses.js";
import { startTestServer } from "../support/server.js";

test("a learner buys a course, pays at the checkout, and is enrolled", async () => {
  const server = await startTestServer();
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const opened = await server.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
  expect(opened).toMatchObject({
    status: 200,
    body: { success: true, enrolled: false, amount: 899.1, currency: "INR" },
  });
  const paid = await server.sandbox.payments?.pay(opened.body.orderId);
  await server.sandbox.payments?.settled();
  const data = await server.get("/api/user/data", learner.token);
  expect(data.body.user.enrolledCourses).toEqual([String(course._id)]);
  const verified = await server.post(
    "/api/user/verify-razorpay",
    { ...paid, purchaseId: opened.body.purchaseId },
    learner.token,
  );
  expect(verified).toMatchObject({ status: 200, body: { success: true } });
});
