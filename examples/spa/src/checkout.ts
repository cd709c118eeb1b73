import type { VerifyPaymentData } from "@lyceum/client";

type Proof = Omit<VerifyPaymentData["body"], "purchaseId">;
interface Checkout {
  open(): void;
  on(event: "payment.failed", listener: (response: { error: { description: string } }) => void): Checkout;
}
declare global {
  interface Window {
    Razorpay?: new (options: object) => Checkout;
  }
}

const address = "https://checkout.razorpay.com/v1/checkout.js";

/** Opens the provider's checkout. @returns the proof of payment, or undefined when the learner left. */
export async function pay(order: {
  key: string;
  order_id: string;
  name: string;
  description: string;
}): Promise<Proof | undefined> {
  const Razorpay = window.Razorpay ?? (await loadScript());
  return new Promise((resolve) => {
    new Razorpay({ ...order, handler: resolve, modal: { ondismiss: () => resolve(undefined) } }).open();
  });
}

function loadScript(): Promise<NonNullable<Window["Razorpay"]>> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => (window.Razorpay ? resolve(window.Razorpay) : reject(new Error("No checkout")));
    script.onerror = () => reject(new Error(`The checkout script ${address} cannot be loaded`));
    document.head.append(script);
  });
}
