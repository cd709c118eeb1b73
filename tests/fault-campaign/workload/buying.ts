import type { Step } from "./life.js";
import type { Learner } from "./scene.js";

type Buying = Extract<Step, { do: "buy" }>;

/** Opens a purchase, of the path behind the last course, and pays it at the provider in one of several ways. */
export async function buy(learner: Learner, { course, checkout, coupon }: Buying): Promise<void> {
  const { scene, client } = learner;
  const { payments } = scene.system.emulators;
  const sold = scene.courses[course];
  const item = sold ? { courseId: String(sold._id) } : { pathId: String(scene.path._id) };
  const courses = sold ? [String(sold._id)] : scene.path.courseIds.map(String);
  const body = { ...item, ...(coupon ? { coupon: scene.coupon } : {}) };
  const open = () => client.insist("POST", "/api/user/purchase", body);
  const opened =
    checkout === "opened three times at once" ? (await Promise.all([open(), open(), open()]))[0] : await open();
  if (opened?.status !== 200) return;
  const { purchaseId, orderId } = opened.body;
  if (checkout === "abandoned") return;
  if (checkout === "failed first") await payments.pay(orderId, { outcome: "failed" });

  const byBrowser = checkout === "verified" || checkout === "both at once" || checkout.startsWith("opened");
  const webhook = checkout !== "verified" && checkout !== "paid silently";
  const paid = await payments.pay(orderId, { webhook });
  learner.paid.push({ purchaseId, paymentId: paid.razorpay_payment_id });
  learner.courses.push(...courses);
  if (checkout === "paid twice") await payments.pay(orderId, { again: true });
  if (!byBrowser) return;
  const verified = await client.insist("POST", "/api/user/verify-razorpay", { ...paid, purchaseId });
  if (verified?.status !== 200) return;
  const paymentId = paid.razorpay_payment_id;
  scene.journal.bought.push({ purchaseId, paymentId });
}

export async function takeForFree({ scene, client, courses }: Learner): Promise<void> {
  const courseId = String(scene.freeCourse._id);
  const taken = await client.insist("POST", "/api/user/purchase", { courseId });
  if (taken?.status !== 200) return;
  courses.push(courseId);
  scene.journal.free.push({ purchaseId: taken.body.purchaseId });
}

/** Refunds the newest payment. */
export async function refund(learner: Learner, by: Extract<Step, { do: "refund" }>["by"]): Promise<void> {
  const { scene, administrator, paid } = learner;
  const payment = paid.at(-1);
  if (!payment) return;
  if (by === "dashboard") {
    await scene.system.emulators.payments.refund(payment.paymentId);
    return;
  }
  const ask = async () => {
    const path = `/api/admin/purchases/${payment.purchaseId}/refund`;
    const answer = await administrator.insist("POST", path, { reason: "asked for", paymentId: payment.paymentId });
    if (answer?.status !== 200) return;
    scene.journal.refunds.push(payment);
  };
  await Promise.all(by === "administrator" ? [ask()] : [ask(), ask()]);
}

/** Lets an administrator grant a course to the learner, or to an address that signs up later. */
export async function beGranted(learner: Learner, to: { email: string } | { userId: string }): Promise<void> {
  const { scene, administrator } = learner;
  const courseId = String(scene.courses.at(-1)?._id);
  const given = await administrator.ask("POST", "/api/admin/enrollments", { ...to, courseId, reason: "a prize" });
  if (given?.status !== 200) return;
  scene.journal.grants.push({ id: given.body.enrollment._id });
}
