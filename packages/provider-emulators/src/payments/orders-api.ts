import { type NextFunction, type Request, type Response, Router } from "express";
import { basicCredentials, sameText } from "../credentials.js";
import { faultInjector } from "../fault-routes.js";
import type { Faults, TransportFault } from "../faults.js";
import { type Bookkeeper, extraFields, PaymentRefusal } from "./bookkeeper.js";
import { type Order, orderEntity, type Payment, paymentEntity, type Refund, refundEntity } from "./entities.js";

/** Operations that a fault can name in `on`. */
export type PaymentsOperation =
  | "orders.create"
  | "orders.list"
  | "orders.fetch"
  | "orders.payments"
  | "payments.list"
  | "payments.fetch"
  | "payments.capture"
  | "payments.refund"
  | "payments.refunds"
  | "refunds.list"
  | "refunds.fetch";

export interface OrdersApiParts {
  books: Bookkeeper;
  faults: Faults<TransportFault>;
  keyId: string;
  keySecret: string;
  /** Called once for every new refund. */
  refunded(refund: Refund, payment: Payment): Promise<void>;
  /** Called after a payment is captured. */
  captured(payment: Payment): Promise<void>;
}

/** Serves the REST calls for orders, payments and refunds. It expects parsed JSON bodies. */
export function ordersApi({ books, faults, keyId, keySecret, refunded, captured }: OrdersApiParts): Router {
  const router = Router();
  const injectFault = (operation: PaymentsOperation) =>
    faultInjector(faults, (res, status) => fail(res, status, "Scripted fault"))(operation);

  router.use("/v1", (req: Request, res: Response, next: NextFunction) => {
    const { user, password } = basicCredentials(req);
    if (sameText(user, keyId) && sameText(password, keySecret)) next();
    else fail(res, 401, "Authentication failed");
  });

  router.post("/v1/orders", injectFault("orders.create"), async (req, res) => {
    res.json(orderEntity(await books.createOrder(req.body)));
  });
  router.get("/v1/orders", injectFault("orders.list"), (req, res) => {
    // A payment here is never by card, so `payments.card` adds no more than `payments`.
    const { expand, rest } = splitExpand(req.query, ["payments", "payments.card"]);
    const { receipt, authorized, ...paging } = rest;
    const isAuthorized = readAuthorized(authorized);
    const paymentsOf = (order: Order) => books.books.payments.filter(({ orderId }) => orderId === order.id);
    const orders = books.books.orders.filter(
      (order) =>
        (receipt === undefined || order.receipt === receipt) &&
        (isAuthorized === undefined || isAuthorized === paymentsOf(order).some(({ status }) => status !== "failed")),
    );
    const write = (order: Order) => ({
      ...orderEntity(order),
      ...(expand ? { payments: collection(paymentsOf(order).map(paymentEntity)) } : {}),
    });
    res.json(page(orders, paging, write));
  });
  router.get("/v1/orders/:id", injectFault("orders.fetch"), (req, res) => {
    res.json(orderEntity(books.order(req.params.id)));
  });
  router.get("/v1/orders/:id/payments", injectFault("orders.payments"), (req, res) => {
    const { id } = books.order(req.params.id);
    res.json(collection(books.books.payments.filter(({ orderId }) => orderId === id).map(paymentEntity)));
  });
  router.get("/v1/payments", injectFault("payments.list"), (req, res) => {
    // Payments here have no card, no instalments and no offers to add.
    const { rest: paging } = splitExpand(req.query, ["card", "emi", "offers"]);
    res.json(page(books.books.payments, paging, paymentEntity));
  });
  router.get("/v1/payments/:id", injectFault("payments.fetch"), (req, res) => {
    res.json(paymentEntity(books.payment(req.params.id)));
  });
  router.post("/v1/payments/:id/capture", injectFault("payments.capture"), async (req, res) => {
    const payment = books.payment(req.params.id);
    await books.capture(payment, req.body);
    await captured(payment);
    res.json(paymentEntity(payment));
  });
  router.post("/v1/payments/:id/refund", injectFault("payments.refund"), async (req, res) => {
    const payment = books.payment(req.params.id);
    const key = req.get("x-refund-idempotency") ?? req.get("idempotency-key") ?? null;
    const { refund, made } = await books.refundPayment(payment, req.body, key);
    if (made) await refunded(refund, payment);
    res.json(refundEntity(refund));
  });
  router.get("/v1/payments/:id/refunds", injectFault("payments.refunds"), (req, res) => {
    const { id } = books.payment(req.params.id);
    res.json(
      page(
        books.books.refunds.filter(({ paymentId }) => paymentId === id),
        req.query,
        refundEntity,
      ),
    );
  });
  router.get("/v1/refunds", injectFault("refunds.list"), (req, res) => {
    res.json(page(books.books.refunds, req.query, refundEntity));
  });
  router.get("/v1/payments/:paymentId/refunds/:id", injectFault("refunds.fetch"), (req, res) => {
    const refund = books.refund(req.params.id);
    if (refund.paymentId !== req.params.paymentId) throw new PaymentRefusal("The id provided does not exist");
    res.json(refundEntity(refund));
  });
  router.get("/v1/refunds/:id", injectFault("refunds.fetch"), (req, res) => {
    res.json(refundEntity(books.refund(req.params.id)));
  });

  router.use("/v1", (_req, res) => fail(res, 404, "The requested URL was not found on the server."));
  router.use("/v1", (error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (error instanceof PaymentRefusal) fail(res, 400, error.description, error.field);
    else next(error);
  });
  return router;
}

function collection(items: unknown[]): Record<string, unknown> {
  return { entity: "collection", count: items.length, items };
}

const maxPageRows = 100;

/**
 * Returns one page of a list, newest first. `from` and `to` are seconds since the epoch, both inclusive.
 * @throws PaymentRefusal for other parameters, a value that is no integer and a count above 100.
 */
function page<Entity extends { createdAt: number }>(
  entities: readonly Entity[],
  query: Request["query"],
  write: (entity: Entity) => unknown,
): Record<string, unknown> {
  const unknown = Object.keys(query).filter((name) => !["from", "to", "skip", "count"].includes(name));
  if (unknown.length > 0) throw new PaymentRefusal(extraFields(unknown));
  const from = integer(query, "from", 0);
  const to = integer(query, "to", Number.MAX_SAFE_INTEGER);
  const skip = integer(query, "skip", 0);
  const count = integer(query, "count", 10);
  if (count > maxPageRows) throw new PaymentRefusal(`The count may not be greater than ${maxPageRows}.`, "count");
  const found = entities.filter(({ createdAt }) => createdAt >= from && createdAt <= to).reverse();
  return collection(found.slice(skip, skip + count).map(write));
}

/**
 * Splits a query into the entity to add and the rest. The provider's SDK writes `expand[]` as `expand[expand]`.
 * @throws PaymentRefusal for an entity that is not supported.
 */
function splitExpand(query: Request["query"], supported: string[]): { expand: unknown; rest: Request["query"] } {
  const { "expand[]": plain, "expand[expand]": expand = plain, ...rest } = query;
  if (expand !== undefined && !supported.includes(String(expand))) throw invalid("expand[]");
  return { expand, rest };
}

/** Reads the filter `authorized`. @throws PaymentRefusal for a value that is no boolean. */
function readAuthorized(value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  throw invalid("authorized");
}

function invalid(field: string): PaymentRefusal {
  return new PaymentRefusal(`The selected ${field} is invalid.`, field);
}

function integer(query: Request["query"], field: string, fallback: number): number {
  const value = query[field];
  if (value === undefined) return fallback;
  if (typeof value !== "string" || !/^\d{1,10}$/.test(value)) {
    throw new PaymentRefusal(`The ${field} must be an integer.`, field);
  }
  return Number(value);
}

/** Builds the provider's error shape. */
function fail(res: Response, status: number, description: string, field: string | null = null): void {
  const input = status === 400;
  res.status(status).json({
    error: {
      code: status >= 500 ? "SERVER_ERROR" : "BAD_REQUEST_ERROR",
      description,
      source: input ? "business" : "NA",
      step: input ? "payment_initiation" : "NA",
      reason: input ? "input_validation_failed" : "NA",
      metadata: {},
      ...(field === null ? {} : { field }),
    },
  });
}
