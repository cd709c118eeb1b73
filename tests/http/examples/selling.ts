import { giveNumbers } from "../../../src/services/invoices/number-invoices.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { csvForm } from "../../factories/csv-form.js";
import { paymentEvent } from "../../factories/payment-events.js";
import { paymentId, unpaidPurchase } from "../../factories/purchases.js";
import { buy } from "../../factories/sales.js";
import { identityOf, paymentsOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { after, type Examples, examplesOf, must, newAdmin, newcomer, type Scene } from "./scene.js";

async function sold(scene: Scene) {
  const { token } = await newcomer(scene);
  const course = await buildCourse(scene.server);
  const { purchaseId: id, paymentId } = await buy(scene.server, { token }, course._id);
  return { token, id, paymentId };
}

/** The same with a number, for which the first request would wait. */
async function invoiced(scene: Scene) {
  const { token, id } = await sold(scene);
  const { db, config } = scene.server.deps;
  await giveNumbers({ db, settings: config.invoices }, new Date(Date.now() + 60_000));
  return { token, id };
}

/** The same, seen by an administrator. */
const asAdmin = (prepare: (scene: Scene) => Promise<{ id: string }>) => async (scene: Scene) => {
  const { id } = await prepare(scene);
  return { id, token: (await newAdmin(scene)).token };
};

/** A payment event in review: of a purchase that does not exist. */
async function inReview(scene: Scene) {
  const { token } = await newAdmin(scene);
  const body = paymentEvent("payment.captured", { id: paymentId(), purchaseId: "unknown" });
  const headers = { "content-type": "application/json", ...paymentsOf(scene.server).signWebhook(body) };
  await must(scene.server.call("POST", "/razorpay", { body, headers }));
  const { events } = await must(scene.server.get("/api/admin/payment-events?state=review", token));
  return { token, id: events[0]._id as string };
}

/** An educator with a course. */
async function teaching({ server }: Scene) {
  const { id, token } = await server.signedIn("educator");
  const { _id } = await buildCourse(server, { educatorId: id });
  return { token, courseId: String(_id) };
}

/** Who grants enrollments in a course, the fields of a grant, and a table of guests. */
const granting = {
  admin: async (scene: Scene) => {
    const { courseId } = scene;
    const table = `email,courseId,expiresAt\nguest@example.com,${courseId},\n`;
    return {
      token: (await newAdmin(scene)).token,
      courseId,
      base: "/api/admin/enrollments",
      grant: { courseId },
      table,
    };
  },
  educator: async ({ educator, courseId }: Scene) => ofEducator({ token: educator.token, courseId }),
};

const ofEducator = (made: { token: string; courseId: string }) => ({
  ...{ ...made, base: `/api/educator/courses/${made.courseId}/enrollments`, grant: {} },
  table: "email,expiresAt\nguest@example.com,\n",
});

/** An import holds up the next one of the same course, and a second grant is skipped. So each import has its own course. */
const importing = {
  admin: async (scene: Scene) => granting.admin({ ...scene, courseId: (await teaching(scene)).courseId }),
  educator: async (scene: Scene) => ofEducator(await teaching(scene)),
};

type Grantor = keyof typeof granting;
const enrollmentsOf = { admin: "/api/admin/enrollments", educator: "/api/educator/courses/{courseId}/enrollments" };

function enrollments(role: Grantor): Examples {
  const toGrant = async (scene: Scene) => {
    const made = await granting[role](scene);
    return { ...made, body: { userId: (await newcomer(scene)).id, ...made.grant, reason: "a prize" } };
  };
  const granted = async (scene: Scene) => {
    const { base, body, ...made } = await toGrant(scene);
    const { enrollment } = await must(scene.server.post(base, body, made.token));
    return { ...made, id: enrollment._id as string };
  };
  return examplesOf({
    [`POST ${enrollmentsOf[role]}`]: after(toGrant, ({ body }) => body),
    [`GET ${enrollmentsOf[role]}`]: after(
      role === "admin" ? newAdmin : ({ educator }) => educator,
      undefined,
      "?limit=1",
    ),
    [`DELETE ${enrollmentsOf[role]}/{id}`]: after(granted),
  });
}

function imports(role: Grantor): Examples {
  const begin = (scene: Scene) => importing[role](scene);
  const imported = async (scene: Scene) => {
    const { server } = scene;
    const { base, table, ...made } = await begin(scene);
    const body = csvForm(table);
    const { importId } = await must(server.call("POST", `${base}/import`, { token: made.token, body }));
    await runJob(server, "import-enrollments");
    return { ...made, importId };
  };
  return examplesOf({
    [`POST ${enrollmentsOf[role]}/import`]: after(begin, ({ table }) => csvForm(table)),
    [`GET ${enrollmentsOf[role]}/imports/{importId}`]: after(imported),
    [`GET ${enrollmentsOf[role]}/imports/{importId}/result.csv`]: after(imported),
  });
}

const coupon = { kind: "percent", value: 10 };

export const selling: Examples = {
  "POST /razorpay": async ({ server }) => {
    const { purchaseId, orderId, amount } = await unpaidPurchase(server);
    const body = paymentEvent("payment.captured", { id: paymentId(), amount, currency: "INR", orderId, purchaseId });
    const headers = { "content-type": "application/json", ...paymentsOf(server).signWebhook(body) };
    return { path: "/razorpay", body, headers };
  },
  "POST /clerk": async (scene) => {
    const { id } = await newcomer(scene);
    const data = { id, first_name: "Asha", email_addresses: [], updated_at: Date.now() };
    const body = JSON.stringify({ type: "user.updated", data });
    const headers = { "content-type": "application/json", ...identityOf(scene.server.emulators).signWebhook(body) };
    return { path: "/clerk", body, headers };
  },
  ...examplesOf({
    "POST /api/user/purchase": after(
      async (scene) => ({ ...(await newcomer(scene)), courseId: scene.courseId }),
      ({ courseId }) => ({ courseId }),
    ),
    "POST /api/user/verify-razorpay": after(
      async ({ server }) => {
        const { learner, purchaseId, orderId } = await unpaidPurchase(server);
        const { razorpay_payment_id, razorpay_signature } = await paymentsOf(server).pay(orderId, { webhook: false });
        const body = { razorpay_order_id: orderId, razorpay_payment_id, razorpay_signature, purchaseId };
        return { token: learner.token, body };
      },
      ({ body }) => body,
    ),
    "GET /api/user/purchases": after(sold, undefined, "?limit=3"),
    "GET /api/user/purchases/{id}/invoice": after(invoiced),
    "GET /api/admin/purchases/{id}/invoice": after(asAdmin(invoiced)),
    "POST /api/user/coupon/check": after(
      async (scene) => {
        const { code } = await buildCoupon(scene.server, await newAdmin(scene));
        return { token: (await newcomer(scene)).token, body: { courseId: scene.courseId, code } };
      },
      ({ body }) => body,
    ),
    "POST /api/admin/coupons": after(newAdmin, () => coupon),
    "GET /api/admin/coupons": after(newAdmin, undefined, "?limit=1"),
    "PATCH /api/admin/coupons/{id}": after(
      async (scene) => {
        const admin = await newAdmin(scene);
        return { token: admin.token, id: (await buildCoupon(scene.server, admin))._id };
      },
      () => ({ active: false }),
    ),
    "POST /api/educator/coupons": after(teaching, ({ courseId }) => ({ ...coupon, courseIds: [courseId] })),
    "GET /api/educator/coupons": after(({ educator }) => educator, undefined, "?limit=1"),
    "PATCH /api/educator/coupons/{id}": after(
      async (scene) => {
        const { token, courseId } = await teaching(scene);
        const made = scene.server.post("/api/educator/coupons", { ...coupon, courseIds: [courseId] }, token);
        return { token, id: (await must(made)).coupon._id as string };
      },
      () => ({ active: false }),
    ),
    "POST /api/admin/purchases/{id}/refund": after(asAdmin(sold), () => ({ reason: "asked for it" })),
    "POST /api/admin/purchases/{id}/review": after(
      asAdmin(async (scene) => {
        const { id, paymentId } = await sold(scene);
        await paymentsOf(scene.server).refund(paymentId, { amount: 100 });
        await paymentsOf(scene.server).settled();
        return { id };
      }),
      () => ({ reason: "partial_refund", note: "agreed" }),
    ),
    "GET /api/admin/payment-events": after(newAdmin, undefined, "?limit=1"),
    "POST /api/admin/payment-events/{id}/replay": after(inReview, () => ({})),
    "POST /api/admin/payment-events/{id}/review": after(inReview, () => ({ note: "agreed" })),
  }),
  ...enrollments("admin"),
  ...enrollments("educator"),
  ...imports("admin"),
  ...imports("educator"),
};
