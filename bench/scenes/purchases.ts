import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import type { Db } from "../../src/db/db.js";
import { unfinishedSlot } from "../../src/models/payments/purchase.js";
import { insertRows } from "../../tests/factories/stored-sales.js";
import { priceMinor } from "./plain-catalog.js";

/** Stores purchases of one course that wait for their payment. @returns the bodies of events that report these. */
export async function openPurchases(db: Pick<Db, "Purchase">, courseId: string, count: number): Promise<string[]> {
  const at = new Date();
  const course = new Types.ObjectId(courseId);
  const rows = Array.from({ length: count }, () => {
    const [_id, userId] = [new Types.ObjectId(), `user_${randomUUID()}`];
    const order = { providerOrderId: `order_${_id}`, slot: unfinishedSlot(userId, course), nextCheckAt: at };
    const facts = {
      amount: priceMinor / 100,
      currency: "INR",
      status: "pending" as const,
      createdAt: at,
      updatedAt: at,
    };
    return { ...facts, ...order, _id, userId, courseId: course };
  });
  await insertRows(db.Purchase, rows);
  return rows.map(({ _id, providerOrderId }) => {
    const notes = { purchaseId: String(_id) };
    const entity = { id: `pay_${_id}`, amount: priceMinor, currency: "INR", order_id: providerOrderId, notes };
    return JSON.stringify({ event: "payment.captured", payload: { payment: { entity } } });
  });
}
