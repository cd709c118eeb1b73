import { z } from "zod";
import { JsonFile } from "../json-file.js";
import { randomId } from "../random-id.js";
import { type Account, Books, type Order, type Payment, type Refund } from "./entities.js";

/** Thrown for a request that the provider refuses with 400. `field` names the wrong parameter. */
export class PaymentRefusal extends Error {
  constructor(
    readonly description: string,
    readonly field: string | null = null,
  ) {
    super(description);
    this.name = "PaymentRefusal";
  }
}

const NotesObject = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
  .refine(
    (notes) => Object.keys(notes).length <= 15,
    "The number of fields in notes should be less than or equal to 15",
  )
  .refine(
    (notes) => Object.values(notes).every((note) => note.length <= 256),
    "The value of a note may not be greater than 256 characters.",
  );
const Notes = z.union(
  [NotesObject, z.array(z.never()).transform(() => ({}))],
  "The notes must be an object whose values are strings.",
);
const Receipt = z.string("The receipt must be a string.").max(40, "The receipt may not be greater than 40 characters.");
const Amount = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], "The amount must be an integer.")
  .refine(Number.isSafeInteger, "The amount must be an integer.")
  .refine((amount) => amount >= 100, "Order amount less than minimum amount allowed");

const currencies = new Set(Intl.supportedValuesOf("currency"));

const NewOrder = z.strictObject({
  amount: Amount,
  currency: z
    .string("The currency field is required.")
    .refine((code) => currencies.has(code), "Currency is not supported"),
  receipt: Receipt.nullish(),
  notes: Notes.nullish(),
  payment_capture: z
    .union(
      [z.boolean(), z.literal([0, 1, "0", "1"]).transform((value) => Number(value) === 1)],
      "The payment capture must be a boolean.",
    )
    .nullish(),
  // Payments never expire here, so `capture_options` have no effect.
  payment: z
    .strictObject({ capture: z.enum(["automatic", "manual"]), capture_options: z.object().optional() })
    .nullish(),
  partial_payment: z.union([z.literal(false), z.literal(0)], extraFields(["partial_payment"])).nullish(),
  // The emulator has no customers, so the id has no effect.
  customer_id: z.string().nullish(),
});

const NewRefund = z.strictObject({
  amount: z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)], "The amount must be an integer.").nullish(),
  receipt: Receipt.nullish(),
  notes: Notes.nullish(),
  speed: z.literal("normal", "Instant refunds are not enabled for this account").nullish(),
});

const Capture = z.strictObject({ amount: Amount, currency: z.string().default("INR") });

export interface Attempt {
  outcome: "captured" | "failed";
  /** Amount in minor units, by default the order's. */
  amount?: number | undefined;
  /** Currency code (ISO 4217), by default the order's. */
  currency?: string | undefined;
  /** True pays a paid order again, which the checkout itself refuses. */
  again?: boolean | undefined;
}

/** Keeps the provider's books in one file. Each change resolves when it is on disk. */
export class Bookkeeper {
  readonly account: Account = { capture: "automatic" };
  readonly #file: JsonFile<Books>;

  private constructor(file: JsonFile<Books>) {
    this.#file = file;
  }

  static async open(path: string | undefined): Promise<Bookkeeper> {
    return new Bookkeeper(await JsonFile.open(path, Books, { orders: [], payments: [], refunds: [] }));
  }

  get books(): Readonly<Books> {
    return this.#file.state;
  }

  order(id: string): Order {
    return findEntity(this.books.orders, id);
  }

  payment(id: string): Payment {
    return findEntity(this.books.payments, id);
  }

  refund(id: string): Refund {
    return findEntity(this.books.refunds, id);
  }

  /** Adds records of an earlier time, such as demo data. It keeps the records that the books have already. */
  async add(records: Books): Promise<void> {
    addUnknown(this.books.orders, records.orders);
    addUnknown(this.books.payments, records.payments);
    addUnknown(this.books.refunds, records.refunds);
    await this.#file.save();
  }

  /** Creates an order. @throws PaymentRefusal for amounts below 100 minor units, long receipts and too many notes. */
  async createOrder(request: unknown): Promise<Order> {
    const { amount, currency, receipt, notes, payment_capture, payment } = parse(NewOrder, request);
    const asked = payment_capture ?? undefined;
    const order: Order = {
      id: randomId("order_", 14),
      amount,
      amountPaid: 0,
      currency,
      receipt: receipt ?? null,
      status: "created",
      attempts: 0,
      notes: notes ?? {},
      capture: payment?.capture ?? (asked === undefined ? null : asked ? "automatic" : "manual"),
      createdAt: now(),
    };
    this.books.orders.push(order);
    await this.#file.save();
    return order;
  }

  /**
   * Records one attempt to pay an order. A captured payment pays the order. A successful payment stays authorized
   * when the order, or else the account, asks for manual capture.
   * @throws PaymentRefusal when the order is paid already.
   */
  async attempt(order: Order, { outcome, amount, currency, again = false }: Attempt): Promise<Payment> {
    if (order.status === "paid" && !again) throw new PaymentRefusal("This order has already been paid");
    const capture = order.capture ?? this.account.capture;
    const status = outcome === "captured" && capture === "manual" ? "authorized" : outcome;
    const payment: Payment = {
      id: randomId("pay_", 14),
      orderId: order.id,
      amount: amount ?? order.amount,
      amountRefunded: 0,
      currency: currency ?? order.currency,
      status,
      notes: order.notes,
      createdAt: now(),
    };
    order.attempts += 1;
    if (status === "captured") {
      order.status = "paid";
      order.amountPaid = order.amount;
    } else if (order.status === "created") {
      order.status = "attempted";
    }
    this.books.payments.push(payment);
    await this.#file.save();
    return payment;
  }

  /**
   * Captures an authorized payment on the merchant's request.
   * @throws PaymentRefusal when it is not authorized, or for another amount or currency.
   */
  async capture(payment: Payment, request: unknown): Promise<void> {
    const { amount, currency } = parse(Capture, request);
    if (payment.status === "failed") {
      throw new PaymentRefusal("Only payments which have been authorized and not yet captured can be captured");
    }
    if (payment.status === "authorized" && currency !== payment.currency) {
      throw new PaymentRefusal("The currency differs from that of the payment", "currency");
    }
    if (payment.status === "authorized" && amount !== payment.amount) {
      throw new PaymentRefusal("Capture amount must be equal to the amount authorized", "amount");
    }
    await this.captureLate(payment);
  }

  /**
   * Captures an authorized payment, or a failed payment that the bank authorises late.
   * @throws PaymentRefusal when it is captured already.
   */
  async captureLate(payment: Payment): Promise<void> {
    if (payment.status === "captured" || payment.status === "refunded")
      throw new PaymentRefusal("This payment has already been captured");
    const order = this.order(payment.orderId);
    payment.status = "captured";
    order.status = "paid";
    order.amountPaid = order.amount;
    await this.#file.save();
  }

  /**
   * Refunds a captured payment, by default completely.
   * @param idempotencyKey a repeated key returns the first refund and moves no money.
   * @returns the refund, and true when this call created it.
   * @throws PaymentRefusal when the amount exceeds the rest, or when another request used the key.
   */
  async refundPayment(
    payment: Payment,
    request: unknown,
    idempotencyKey: string | null,
  ): Promise<{ refund: Refund; made: boolean }> {
    const { amount, receipt, notes } = parse(NewRefund, request ?? {});
    const earlier = this.books.refunds.find(
      (refund) => idempotencyKey !== null && refund.idempotencyKey === idempotencyKey,
    );
    if (earlier) {
      const same = earlier.paymentId === payment.id && earlier.amount === (amount ?? earlier.amount);
      if (!same) throw new PaymentRefusal("Different request body for the same idempotency key");
      return { refund: earlier, made: false };
    }

    if (payment.status === "failed" || payment.status === "authorized")
      throw new PaymentRefusal("The payment status should be captured for action to be taken");
    if (payment.status === "refunded") throw new PaymentRefusal("The payment has been fully refunded already");
    const left = payment.amount - payment.amountRefunded;
    const refunded = amount ?? left;
    if (refunded < 100 && refunded < left) throw new PaymentRefusal("The amount must be atleast INR 1.00", "amount");
    if (refunded > left) {
      throw new PaymentRefusal("The total refund amount is greater than the refund payment amount", "amount");
    }
    const refund: Refund = {
      id: randomId("rfnd_", 14),
      paymentId: payment.id,
      amount: refunded,
      currency: payment.currency,
      notes: notes ?? {},
      receipt: receipt ?? null,
      idempotencyKey,
      status: "processed",
      createdAt: now(),
    };
    payment.amountRefunded += refunded;
    if (payment.amountRefunded === payment.amount) payment.status = "refunded";
    this.books.refunds.push(refund);
    await this.#file.save();
    return { refund, made: true };
  }

  /** Records that the bank could not pay a refund. The money returns to the merchant. */
  async failRefund(refund: Refund): Promise<void> {
    if (refund.status === "failed") return;
    refund.status = "failed";
    const payment = this.payment(refund.paymentId);
    payment.amountRefunded -= refund.amount;
    payment.status = "captured";
    await this.#file.save();
  }
}

/** Adds the entities with new ids, in the order of their time. */
function addUnknown<Entity extends { id: string; createdAt: number }>(known: Entity[], added: readonly Entity[]): void {
  known.push(...added.filter(({ id }) => !known.some((entity) => entity.id === id)));
  known.sort((left, right) => left.createdAt - right.createdAt);
}

function findEntity<Entity extends { id: string }>(entities: Entity[], id: string): Entity {
  const entity = entities.find((candidate) => candidate.id === id);
  if (!entity) throw new PaymentRefusal("The id provided does not exist");
  return entity;
}

function parse<Output>(schema: z.ZodType<Output>, request: unknown): Output {
  const parsed = schema.safeParse(request, {
    error: ({ path = [] }) => `The ${path.join(".") || "request"} is invalid.`,
  });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys") throw new PaymentRefusal(extraFields(issue.keys));
  const field = issue?.path[0];
  throw new PaymentRefusal(issue?.message ?? "Invalid request", field === undefined ? null : String(field));
}

/** Writes the provider's message about parameters that it does not know. */
export function extraFields(names: readonly string[]): string {
  return `${names.join(", ")} is/are not required and should not be sent`;
}

/** Returns the time in seconds since the epoch. */
function now(): number {
  return Math.floor(Date.now() / 1000);
}
