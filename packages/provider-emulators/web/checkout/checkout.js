/**
 * Defines `window.Razorpay` as the provider's own script does: the options `key`,
 * `order_id`, `name`, `description`, `prefill`, `handler`, `callback_url` with `redirect`, `modal.ondismiss`,
 * `modal.escape`, `modal.backdropclose`, `modal.confirm_close`, `retry`; `open()`, `close()`, `on("payment.failed", …)`.
 * `amount` and `currency` are only compared with the order. The payment itself happens in a frame of the emulator's
 * origin.
 */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const origin = new URL(script.src).origin;
  const overlayStyle =
    "position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;overflow:hidden;background:#0f172a99;display:grid;place-items:center";
  const frameStyle = "border:0;width:min(500px,100vw);height:440px;max-height:100vh;border-radius:14px";

  class Razorpay {
    #options;
    /** @type {HTMLDialogElement | undefined} */
    #overlay;
    /** @type {Map<string, ((response: object) => void)[]>} */
    #listeners = new Map();

    /** @param {any} options */
    constructor(options) {
      if (!options?.key) throw new TypeError("No key passed");
      if (!options.order_id) throw new TypeError("No order_id passed: the emulator supports payments of orders only");
      this.#options = options;
    }

    /** @param {string} event @param {(response: object) => void} listener */
    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }

    open() {
      if (this.#overlay) return this;
      const overlay = document.createElement("dialog");
      overlay.className = "razorpay-container";
      overlay.ariaLabel = "Checkout";
      overlay.style.cssText = overlayStyle;
      overlay.append(this.#frame());
      overlay.addEventListener("click", (event) => {
        if (event.target === overlay && this.#options.modal?.backdropclose) this.#dismiss();
      });
      // A browser closes a dialog at the second Escape key in any case, unless the key event is stopped.
      overlay.addEventListener("keydown", (event) => {
        if (event.key === "Escape") this.#escape(event);
      });
      overlay.addEventListener("cancel", (event) => this.#escape(event));
      this.#overlay = overlay;
      document.body.append(overlay);
      overlay.showModal();
      window.addEventListener("message", this.#receive);
      return this;
    }

    /** Closes the checkout without an event, because the page requested it. The focus returns to where it was. */
    close() {
      window.removeEventListener("message", this.#receive);
      this.#overlay?.close();
      this.#overlay?.remove();
      this.#overlay = undefined;
    }

    #frame() {
      const { order_id: orderId, name, description, prefill, retry } = this.#options;
      const address = new URL(`/checkout/${encodeURIComponent(orderId)}`, origin);
      const shown = { name, description, payer: prefill?.name, email: prefill?.email, contact: prefill?.contact };
      for (const [field, text] of Object.entries(shown)) if (text) address.searchParams.set(field, String(text));
      if (retry === false || retry?.enabled === false) address.searchParams.set("retry", "off");
      address.searchParams.set("embedder", window.location.origin);
      const frame = document.createElement("iframe");
      frame.title = "Checkout";
      frame.className = "razorpay-checkout-frame";
      frame.style.cssText = frameStyle;
      frame.src = address.href;
      frame.addEventListener("load", () => frame.focus());
      return frame;
    }

    #dismiss() {
      const { modal } = this.#options;
      if (modal?.confirm_close && !window.confirm("Do you want to leave the checkout?")) return;
      this.close();
      modal?.ondismiss?.();
    }

    /** @param {Event} [event] */
    #escape(event) {
      event?.preventDefault();
      if (this.#overlay && this.#options.modal?.escape !== false) this.#dismiss();
    }

    /** @param {MessageEvent} event */
    #receive = (event) => {
      const frame = this.#overlay?.querySelector("iframe");
      if (event.origin !== origin || event.source !== frame?.contentWindow) return;
      const { kind, response, height, order } = event.data ?? {};
      if (kind === "paid") {
        this.close();
        const { callback_url: callback, redirect, handler } = this.#options;
        if (callback && (redirect || !handler)) post(callback, response);
        else handler?.(response);
      } else if (kind === "failed") {
        for (const listener of this.#listeners.get("payment.failed") ?? []) listener(response);
      } else if (kind === "order") {
        warnOfDifference(this.#options, order);
      } else if (kind === "height") {
        frame.style.height = `${Number(height)}px`;
      } else if (kind === "dismissed") {
        this.#dismiss();
      } else if (kind === "escape") {
        this.#escape();
      }
    };
  }

  /**
   * Warns when the options have another amount or currency than the order, for which the payment is.
   * @param {{ amount?: number | string, currency?: string }} options
   * @param {{ amount: number, currency: string }} order
   */
  function warnOfDifference({ amount, currency }, order) {
    const given = { amount: Number(amount ?? order.amount), currency: currency ?? order.currency };
    if (given.amount === order.amount && given.currency === order.currency) return;
    console.warn(
      `Razorpay: the options have the amount ${given.amount} ${given.currency}, but the order has ${order.amount} ${order.currency}, in the currency's smallest unit. The order's amount is paid.`,
    );
  }

  /**
   * Leaves the page by a form post, as the provider does with `callback_url`.
   * @param {string} address
   * @param {object} fields
   */
  function post(address, fields) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = address;
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }

  Object.assign(window, { Razorpay });
})();
