import { z } from "zod";
import { JsonFile } from "../json-file.js";
import {
  type AttemptResult,
  Delivery,
  type DeliveryTricks,
  type Duplicates,
  RedeliveryRefusal,
  tamperBody,
} from "./delivery.js";

export interface WebhookSenderOptions {
  /** JSON file with the deliveries, or undefined to keep them in memory. */
  path: string | undefined;
  /** Path of the receiving route, such as `/razorpay`. */
  route: string;
  /** Pauses between attempts, in milliseconds. After the last one the sender stops. */
  retryPausesMs: readonly number[];
  /** Age limit of a redelivery, which only unacknowledged messages get. Without it every message can be sent again. */
  redeliverableMs?: number;
  /** Headers of an attempt with its id and signature. */
  sign(delivery: Delivery, at: Date): Record<string, string>;
}

const maxFinished = 300;
/** Limit of the stored attempts of one delivery. */
const maxAttempts = 50;
const reorderMs = 1_500;
const attemptTimeoutMs = 10_000;

/**
 * Sends signed webhooks as the providers do: at least once, with retries after every reply but 2xx. Overlapping retries
 * change the order. Waiting messages are stored on disk and continue after a restart.
 */
export class WebhookSender {
  readonly tricks: DeliveryTricks = { suppress: false, copies: 1, delayMs: 0, reorder: false, tamper: false };
  readonly #options: WebhookSenderOptions;
  readonly #file: JsonFile<Delivery[]>;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #closing = new AbortController();
  /** Deliveries that are held back so that the newest is sent first. */
  readonly #held: Delivery[] = [];
  #inFlight = 0;
  #application: string | undefined;
  #onIdle: (() => void)[] = [];

  private constructor(options: WebhookSenderOptions, file: JsonFile<Delivery[]>) {
    this.#options = options;
    this.#file = file;
  }

  static async open(options: WebhookSenderOptions): Promise<WebhookSender> {
    return new WebhookSender(options, await JsonFile.open(options.path, z.array(Delivery), []));
  }

  /** Lists deliveries, oldest first. It keeps the newest 300 finished ones. */
  deliveries(): readonly Delivery[] {
    return structuredClone(this.#file.state);
  }

  /** Sets the application's address and sends the messages that waited for it. */
  pointAt(application: string): void {
    this.#application = application.replace(/\/$/, "");
    for (const delivery of this.#file.state) {
      if (delivery.state !== "waiting" || this.#timers.has(delivery.id) || this.#held.includes(delivery)) continue;
      this.#schedule(delivery, 0);
    }
  }

  /** Records a message and starts its delivery. It resolves when the message is recorded. */
  async send(message: { id: string; type: string; body: string }): Promise<void> {
    const { suppress, copies, delayMs, reorder } = this.tricks;
    const delivery: Delivery = {
      ...message,
      createdAt: Date.now(),
      state: suppress ? "withheld" : "waiting",
      attempts: [],
      retries: 0,
    };
    this.#file.state.push(delivery);
    this.#forgetOld();
    await this.#file.save();
    if (suppress) return;
    if (reorder) return this.#hold(delivery);
    this.#schedule(delivery, delayMs);
    for (let copy = 1; copy < copies; copy += 1) void this.#attempt(delivery);
  }

  /**
   * Sends a recorded message again, within the provider's limits.
   * @throws RedeliveryRefusal for a message that was acknowledged or is too old.
   */
  async redeliver(id: string): Promise<AttemptResult> {
    const { state, createdAt } = this.#find(id);
    const { redeliverableMs } = this.#options;
    if (redeliverableMs !== undefined) {
      if (state === "delivered") throw new RedeliveryRefusal("This event has been acknowledged");
      if (Date.now() - createdAt > redeliverableMs) throw new RedeliveryRefusal("This event is too old");
    }
    return this.duplicate(id);
  }

  /**
   * Sends a recorded message again in any state.
   * @param options `copies` is the number of simultaneous copies; `tamper` changes the body after signing.
   * @returns the first attempt.
   */
  async duplicate(id: string, { copies = 1, tamper }: Duplicates = {}): Promise<AttemptResult> {
    const delivery = this.#find(id);
    const others = Array.from({ length: copies - 1 }, () => this.#attempt(delivery, tamper));
    const first = await this.#attempt(delivery, tamper);
    await Promise.all(others);
    await this.#file.save();
    return first;
  }

  /** Retries every waiting message now. It resolves when all have a reply. */
  async retryNow(): Promise<void> {
    const waiting = this.#file.state.filter(({ id }) => this.#timers.has(id));
    for (const { id } of waiting) {
      clearTimeout(this.#timers.get(id));
      this.#timers.delete(id);
    }
    await Promise.all(waiting.map((delivery) => this.#deliver(delivery)));
  }

  /** Resolves when no message waits for an attempt or a reply. */
  settled(): Promise<void> {
    if (this.#timers.size === 0 && this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  async close(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#closing.abort();
    this.#announceIdle();
    await this.settled();
    await this.#file.save();
  }

  #find(id: string): Delivery {
    const delivery = this.#file.state.find((candidate) => candidate.id === id);
    if (!delivery) throw new Error(`No delivery ${id}`);
    return delivery;
  }

  #schedule(delivery: Delivery, delay: number): void {
    if (this.#application === undefined || this.#closing.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#inFlight += 1;
      this.#timers.delete(delivery.id);
      void this.#deliver(delivery).finally(() => this.#finishOne());
    }, delay);
    timer.unref();
    this.#timers.set(delivery.id, timer);
  }

  /** Delays the first of several messages, so that later ones overtake it. */
  #hold(delivery: Delivery): void {
    if (this.#application === undefined) return;
    this.#held.push(delivery);
    if (this.#held.length > 1) return;
    const release = async (): Promise<void> => {
      for (const held of this.#held.splice(0).reverse()) await this.#deliver(held);
    };
    const timer = setTimeout(() => {
      this.#inFlight += 1;
      this.#timers.delete("held");
      void release().finally(() => this.#finishOne());
    }, reorderMs);
    timer.unref();
    this.#timers.set("held", timer);
  }

  async #deliver(delivery: Delivery): Promise<void> {
    await this.#attempt(delivery);
    if (delivery.state === "waiting" && !this.#closing.signal.aborted) {
      const pause = this.#options.retryPausesMs[delivery.retries];
      if (pause === undefined) delivery.state = "exhausted";
      else {
        delivery.retries += 1;
        this.#schedule(delivery, pause);
      }
    }
    await this.#file.save();
  }

  async #attempt(delivery: Delivery, tamper = this.tricks.tamper): Promise<AttemptResult> {
    this.#inFlight += 1;
    try {
      const at = new Date();
      const headers = this.#options.sign(delivery, at);
      const body = tamper ? tamperBody(delivery.body) : delivery.body;
      const { status, answer } = await this.#post(body, headers);
      const mark = tamper ? { tampered: true } : {};
      delivery.attempts.push({ at: at.getTime(), status, answer: answer.slice(0, 200), headers, ...mark });
      delivery.attempts.splice(0, delivery.attempts.length - maxAttempts);
      if (status !== null && status >= 200 && status < 300) delivery.state = "delivered";
      return { status, answer };
    } finally {
      this.#finishOne();
    }
  }

  async #post(body: string, headers: Record<string, string>): Promise<AttemptResult> {
    if (this.#application === undefined) return { status: null, answer: "The application has no address yet" };
    try {
      const response = await fetch(this.#application + this.#options.route, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(attemptTimeoutMs)]),
      });
      return { status: response.status, answer: await response.text() };
    } catch (error) {
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return { status: null, answer: reason instanceof Error ? reason.message : String(reason) };
    }
  }

  #finishOne(): void {
    this.#inFlight -= 1;
    this.#announceIdle();
  }

  #announceIdle(): void {
    if (this.#inFlight > 0 || this.#timers.size > 0) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }

  #forgetOld(): void {
    const finished = this.#file.state.filter(({ state }) => state !== "waiting");
    const excess = new Set(finished.slice(0, Math.max(0, finished.length - maxFinished)));
    if (excess.size === 0) return;
    const kept = this.#file.state.filter((delivery) => !excess.has(delivery));
    this.#file.state.splice(0, this.#file.state.length, ...kept);
  }
}
