import { expect, test } from "vitest";
import { buildCourse } from "../factories/courses.js";
import { deliver, paymentEvent, refundEvent } from "../factories/payment-events.js";
import { openPurchase, paymentId } from "../factories/purchases.js";
import { paymentsOf } from "../server/emulators.js";
import { startTestServer, type TestServer } from "../server/test-server.js";
import { isLinearizable, type Model, oneByOne } from "./linearizable.js";

const server = await startTestServer();
const other = await server.another();

type Request = "open" | "verify" | "capture" | "refund" | "look";

/** The status of a reply, with the opened purchase or the enrollment. */
interface Reply {
  readonly status: number;
  readonly purchaseId?: string;
  readonly enrolled?: boolean;
}

/** One payment of the first purchase. `open` is the unpaid purchase: the first, another, or none. */
interface Sale {
  readonly open: string | null;
  readonly paid: boolean;
  readonly refunded: boolean;
}

/**
 * Models a sale, one request at a time. A refund may arrive before its capture; the payment then completes the purchase
 * and is refunded at once. A second purchase can be opened only while the learner does not own the course.
 */
const saleOf = (first: string): Model<Sale, Request, Reply> => {
  const paid = (state: Sale): Sale => ({ ...state, paid: true, open: state.open === first ? null : state.open });
  return {
    initial: { open: first, paid: false, refunded: false },
    step(state, request, { status, purchaseId, enrolled }) {
      const owned = state.paid && !state.refunded;
      if (request === "look") return enrolled === owned ? state : undefined;
      if (request === "capture") return status === 200 ? paid(state) : undefined;
      if (request === "refund") return status === 200 ? { ...state, refunded: true } : undefined;
      if (request === "verify") return status === (state.refunded ? 409 : 200) ? paid(state) : undefined;
      if (owned) return status === 409 ? state : undefined;
      if (status !== 200 || purchaseId === undefined) return undefined;
      if (state.open === null) return purchaseId === first ? undefined : { ...state, open: purchaseId };
      return purchaseId === state.open ? state : undefined;
    },
    key: ({ open, paid, refunded }) => `${open} ${paid} ${refunded}`,
  };
};

test("openings, verifications, webhooks and refunds of one learner and course, on two instances at once", async () => {
  for (let round = 0; round < 6; round += 1) {
    const learner = await server.signedIn();
    const course = await buildCourse(server, { coursePrice: 100, discount: 0 });
    const { purchaseId, orderId, amount } = await openPurchase(server, learner, course);
    const id = paymentId();
    const razorpay_signature = paymentsOf(server).signCheckout(orderId, id);
    const checkout = { razorpay_order_id: orderId, razorpay_payment_id: id, razorpay_signature, purchaseId };
    const captured = paymentEvent("payment.captured", { purchaseId, orderId, amount, id, currency: "INR" });
    const refunded = refundEvent({ id: `rfnd_${id}`, paymentId: id, amount });
    const asks: Record<Request, (at: TestServer) => Promise<Reply>> = {
      open: async (at) => {
        const { status, body } = await at.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
        return { status, purchaseId: body.purchaseId };
      },
      verify: async (at) => ({ status: (await at.post("/api/user/verify-razorpay", checkout, learner.token)).status }),
      capture: async (at) => ({ status: (await deliver(at, captured)).status }),
      refund: async (at) => ({ status: (await deliver(at, refunded)).status }),
      look: async (at) => {
        const { status } = await at.get(`/api/user/enrolled-courses/${course._id}`, learner.token);
        return { status, enrolled: status === 200 };
      },
    };
    const ask = (requests: readonly Request[], turn: number) =>
      oneByOne(requests, turn % 2 ? [other, server] : [server, other], (request, at) => asks[request](at));
    const history = await Promise.all([
      ask(["open", "look", "open", "look"], round),
      ask(["verify", "verify", "look"], round + 1),
      ask(["capture", "look", "capture"], round),
      ask(round % 2 ? ["refund", "look", "refund"] : ["look", "look", "refund"], round + 1),
    ]);
    const calls = [...history.flat(), ...(await ask(["look", "open"], round))];
    expect(isLinearizable(calls, saleOf(purchaseId)), JSON.stringify(calls)).toBe(true);
  }
});
