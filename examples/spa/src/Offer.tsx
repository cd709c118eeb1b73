import { useAuth, useClerk } from "@clerk/react";
import { type CheckCouponResponse, checkCoupon, createPurchase, verifyPayment } from "@lyceum/client";
import { type ReactNode, useState } from "react";
import { shownAmount } from "./Catalog.js";
import { pay } from "./checkout.js";
import { FoldedForm, Refusal } from "./parts.js";

type Item = { courseId: string } | { pathId: string };

interface Props {
  item: Item;
  title: string;
  /** What it costs without a coupon. */
  price: number;
  /** Says what it costs. */
  children: ReactNode;
  /** False until the server has said whether the learner owns it. */
  isKnown: boolean;
  reload: () => void;
}

/** Sells a course or a path. */
export function Offer({ item, title, price, children, isKnown, reload }: Props) {
  const { isSignedIn } = useAuth();
  const { openSignIn } = useClerk();
  const [coupon, setCoupon] = useState<{ code: string; amount: number }>();
  const [refused, setRefused] = useState<{ message: string }>();
  const [isBusy, setBusy] = useState(false);
  const buy = async () => {
    setBusy(true);
    const body = { ...item, ...(coupon && { coupon: coupon.code }) };
    setRefused((await purchase(body, title).catch((thrown: Error) => thrown)) ?? undefined);
    setBusy(false);
    reload();
  };
  const check = async (fields: FormData) => {
    const code = String(fields.get("code"));
    const answer = await checkCoupon({ body: { ...item, code } });
    if (answer.data) setCoupon({ code, amount: answer.data.amount });
    return answer;
  };
  const amount = coupon?.amount ?? price;
  const buyText = amount === 0 ? "Enroll for free" : `Buy for ${shownAmount(amount)}`;
  return (
    <>
      {children}
      <Refusal error={refused} />
      <button type="button" disabled={isBusy || !isKnown} onClick={isSignedIn ? buy : () => openSignIn()}>
        {isSignedIn ? buyText : price === 0 ? "Sign in to enroll" : "Sign in to buy"}
      </button>
      {isSignedIn && price > 0 && (
        <FoldedForm title="I have a coupon" action="Use the coupon" send={check} done={couponSays}>
          <label className="field">
            Code
            <input name="code" required autoComplete="off" />
          </label>
        </FoldedForm>
      )}
    </>
  );
}

const couponSays = ({ amount, discountAmount }: CheckCouponResponse): string =>
  amount === 0 ? "With this coupon it is free." : `The coupon takes ${shownAmount(discountAmount)} off.`;

/** Enrolls in the course or the path. @returns the server's refusal, if any. */
async function purchase(body: Item & { coupon?: string }, title: string): Promise<{ message: string } | undefined> {
  const opened = await createPurchase({ body });
  if (!opened.data) return opened.error;
  const { purchaseId, orderId, keyId, enrolled } = opened.data;
  // It is free, or a coupon makes it free: there is nothing to pay.
  if (enrolled || !orderId || !keyId) return undefined;
  const proof = await pay({ key: keyId, order_id: orderId, name: "Lyceum example", description: title });
  if (!proof) return { message: "You left the checkout. You can come back to it later." };
  return (await verifyPayment({ body: { ...proof, purchaseId } })).error;
}
