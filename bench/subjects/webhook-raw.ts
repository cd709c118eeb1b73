import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import mongoose, { Types } from "mongoose";
import { ensureIndexes } from "../../src/db/indexes.js";
import { createModels } from "../../src/models/index.js";
import { serveSubject } from "../processes/subject.js";

/**
 * The least that a completion can cost: node:http, the HMAC of the raw body and, through the bare driver, the writes
 * that the application makes, with nothing read, checked or counted.
 */
const { uri, secret } = JSON.parse(process.argv[2] ?? "{}") as { uri: string; secret: string };
const connection = await mongoose.createConnection(uri).asPromise();
await ensureIndexes(createModels(connection));
const collection = (name: string) => connection.collection(name);
const majority = { writeConcern: { w: "majority" as const } };

async function write(body: Buffer): Promise<void> {
  const { payload } = JSON.parse(body.toString()) as {
    payload: { payment: { entity: { id: string; notes: { purchaseId: string } } } };
  };
  const { id: paymentId, notes } = payload.payment.entity;
  const [_id, courseId, seat] = [new Types.ObjectId(notes.purchaseId), new Types.ObjectId(), new Types.ObjectId()];
  const now = new Date();
  const eventKey = createHash("sha256").update(body).digest("hex");
  const row = {
    ...{ event: "payment.captured", headerEventId: null, paymentId, orderId: null, purchaseId: notes.purchaseId },
    ...{ refundId: null, amountMinor: 99_900, body, state: "pending", outcome: "", reviewReason: null },
    ...{ attempts: 0, nextAttemptAt: now, createdAt: now, updatedAt: now },
  };
  await collection("paymentevents").findOneAndUpdate(
    { eventKey },
    { $setOnInsert: row },
    { upsert: true, returnDocument: "before", ...majority },
  );
  const paid = { status: "completed", providerPaymentId: paymentId, completedAt: now, updatedAt: now };
  await collection("purchases").findOneAndUpdate(
    { _id },
    { $set: { ...paid, applied: false, movedAt: now }, $unset: { slot: "", orderClaim: "", nextCheckAt: "" } },
    { returnDocument: "after", ...majority },
  );
  const taken = { active: true, enrolledAt: now, revokedAt: null, change: 1, countedChange: 0, unsettledSince: now };
  await collection("enrollments").findOneAndUpdate(
    { userId: paymentId, courseId },
    { $setOnInsert: { _id: seat, ...taken, createdAt: now, updatedAt: now } },
    { upsert: true, returnDocument: "before" },
  );
  const catalog = (field: string) =>
    collection("catalogrevisions").updateOne(
      named("catalog"),
      { $inc: { [field]: 1 }, $set: { at: now } },
      { upsert: true },
    );
  const [sold, seated] = [`${_id}:completed`, `${seat}:1`];
  const count = (name: string, filter: object, inc: Record<string, number>, keys: string[]) =>
    collection(name).updateOne(
      { ...filter, countedKeys: { $nin: keys } },
      { $inc: inc, $push: { countedKeys: { $each: keys, $slice: -1_000 } } } as object,
      { upsert: true },
    );
  const course = async () => {
    await catalog("started");
    const both = { totalEnrolledStudents: 1, revenueMinor: 1, completedPurchases: 1 };
    await count("courses", named(theCourse), both, [seated, sold]);
    await catalog("finished");
  };
  await Promise.all([
    course(),
    count("platformtotals", named("platform"), { enrollments: 1, revenueMinor: 1 }, [seated, sold]),
    count("revenuedays", named("2026-01-01"), { revenueMinor: 1 }, [sold]),
  ]);
  await collection("purchases").updateOne(
    { _id, status: "completed", applied: false, movedAt: now },
    { $set: { applied: true }, $unset: { movedAt: "" } },
    majority,
  );
  await collection("enrollments").updateOne(
    { _id: seat, unsettledSince: now },
    { $set: { countedChange: 1 }, $unset: { unsettledSince: "" } },
  );
  const forget = (name: string, filter: object, keys: string[]) =>
    collection(name).updateOne(filter, { $pull: { countedKeys: { $in: keys } } } as object);
  await Promise.all([
    forget("courses", named(theCourse), [seated, sold]),
    forget("platformtotals", named("platform"), [seated, sold]),
    forget("revenuedays", named("2026-01-01"), [sold]),
  ]);
  await collection("paymentevents").updateOne(
    { eventKey },
    { $set: { state: "processed", outcome: "completed", reviewReason: null, updatedAt: new Date() } },
    majority,
  );
}

const theCourse = "course";
let last = 0;

/** Opens purchases that wait for their payment, as the application's are. @returns their ids. */
async function pending(count: number): Promise<string[]> {
  const now = new Date();
  const rows = Array.from({ length: count }, () => {
    const [_id, courseId, userId] = [new Types.ObjectId(), new Types.ObjectId(), `user_${last++}`];
    return {
      ...{ _id, userId, courseId, amount: 999, currency: "INR", status: "pending" },
      ...{ slot: `unfinished:${courseId}:${userId}`, providerOrderId: `order_${_id}`, nextCheckAt: now, checks: 0 },
      ...{ completedAt: null, refundedAt: null, refundedMinor: 0, reviewReason: null, applied: true },
      ...{ createdAt: now, updatedAt: now },
    };
  });
  await collection("purchases").insertMany(rows);
  return rows.map(({ _id }) => String(_id));
}
const named = (_id: string) => ({ _id }) as object;

const server = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on("data", (part: Buffer) => parts.push(part));
  req.on("end", async () => {
    const body = Buffer.concat(parts);
    const signed = createHmac("sha256", secret).update(body).digest("hex") === req.headers["x-razorpay-signature"];
    if (signed) await write(body);
    res.writeHead(signed ? 200 : 400, { "content-type": "application/json" });
    res.end('{"received":true}');
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveSubject(`http://127.0.0.1:${port}`, { pending }, async () => {
    server.close();
    await connection.dropDatabase();
    await connection.close();
  });
});
