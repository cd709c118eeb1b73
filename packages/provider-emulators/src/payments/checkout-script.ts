/**
 * The browser side of the checkout: defines `window.Razorpay` with the options the provider's own script takes (`key`,
 * `order_id`, `handler`, `callback_url` is not supported, `modal.ondismiss`), `open()`, `close()` and
 * `on("payment.failed", …)`. The payment itself happens in an overlay.
 * @param origin where the checkout pages are served.
 */
export function checkoutScript(origin: string): string {
  return `"use strict";
(() => {
  const origin = ${JSON.stringify(origin)};
  class Razorpay {
    #options; #overlay = null; #listeners = new Map();
    constructor(options) {
      if (!options || !options.key) throw new Error("No key passed");
      if (!options.order_id) throw new Error("No order_id passed");
      this.#options = options;
    }
    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }
    open() {
      if (this.#overlay) return this;
      const overlay = document.createElement("div");
      overlay.setAttribute("role", "dialog");
      overlay.setAttribute("aria-label", "Checkout");
      overlay.style.cssText = "position:fixed;inset:0;z-index:2147483647;background:#0f172a99;display:grid;place-items:center";
      const frame = document.createElement("iframe");
      frame.title = "Checkout";
      frame.className = "razorpay-checkout-frame";
      frame.src = origin + "/checkout/" + encodeURIComponent(this.#options.order_id) + "?embedded=1";
      frame.style.cssText = "border:0;width:min(520px,96vw);height:min(460px,92vh);border-radius:14px;background:#fff";
      overlay.append(frame);
      overlay.addEventListener("click", (event) => { if (event.target === overlay) this.#dismiss(); });
      this.#overlay = overlay;
      document.body.append(overlay);
      window.addEventListener("message", this.#receive);
      return this;
    }
    close() {
      window.removeEventListener("message", this.#receive);
      this.#overlay?.remove();
      this.#overlay = null;
    }
    #dismiss() {
      this.close();
      this.#options.modal?.ondismiss?.();
    }
    #receive = (event) => {
      if (event.origin !== origin || event.data?.from !== "lyceum-checkout") return;
      const { kind, result, error } = event.data;
      if (kind === "paid") {
        this.close();
        this.#options.handler?.(result);
      } else if (kind === "failed") {
        for (const listener of this.#listeners.get("payment.failed") ?? []) listener({ error });
      } else if (kind === "dismiss") {
        this.#dismiss();
      }
    };
  }
  window.Razorpay = Razorpay;
})();
`;
}
