import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import mongoose, { type ClientSession, type mongo, Types } from "mongoose";
import { ensureIndexes } from "../../src/db/indexes.js";
import { createModels } from "../../src/models/index.js";
import { serveSubject } from "../processes/subject.js";

/**
 * The least that a completed purchase can cost: node:http, the HMAC of the raw body and, through the native driver, the
 * writes that the application makes, in one transaction, with nothing read or checked.
 */
const { uri, secret } = JSON.parse(process.argv[2] ?? "{}") as { uri: string; secret: string };
const connection = await mongoose.createConnection(uri).asPromise();
await ensureIndexes(createModels(connection));
const collection = (name: string) => connection.collection<mongo.BSON.Document>(name);
const courseId = new Types.ObjectId();

async function complete(body: Buffer): Promise<void> {
  const { entity } = JSON.parse(body.toString()).payload.payment;
  const { id: paymentId, order_id: orderId, amount: amountMinor, notes } = entity;
  const now = new Date();
  const facts = { createdAt: now, updatedAt: now };
  const eventKey = createHash("sha256").update(body).digest("hex");
  const event = {
    ...{ ...facts, event: "payment.captured", headerEventId: null, paymentId, orderId, refundId: null, amountMinor },
    ...{ purchaseId: notes.purchaseId, body, state: "pending", outcome: "", reviewReason: null, attempts: 0 },
    nextAttemptAt: now,
  };
  await collection("paymentevents").findOneAndUpdate(
    { eventKey },
    { $setOnInsert: event },
    { upsert: true, returnDocument: "before", writeConcern: { w: "majority" } },
  );
  await connection
    .getClient()
    .withSession((session) =>
      session.withTransaction(() =>
        write(session, { eventKey, paymentId, now, purchaseId: new Types.ObjectId(notes.purchaseId) }),
      ),
    );
}

interface Facts {
  readonly eventKey: string;
  readonly paymentId: string;
  readonly purchaseId: Types.ObjectId;
  readonly now: Date;
}

async function write(session: ClientSession, { eventKey, paymentId, purchaseId, now }: Facts): Promise<void> {
  const facts = { createdAt: now, updatedAt: now };
  await collection("payments").findOneAndUpdate(
    { _id: paymentId as never },
    { $setOnInsert: { captured: true, refundedMinor: 0, purchaseId, ...facts } },
    { upsert: true, session },
  );
  const purchase = await collection("purchases").findOneAndUpdate(
    { _id: purchaseId },
    {
      $set: { status: "completed", providerPaymentId: paymentId, completedAt: now, updatedAt: now },
      $unset: { slot: "" },
    },
    { returnDocument: "after", session },
  );
  const taken = { active: true, enrolledAt: now, revokedAt: null, ...facts };
  await collection("enrollments").findOneAndUpdate(
    { userId: purchase?.userId, courseId },
    { $setOnInsert: taken, $inc: { purchases: 1 } },
    { upsert: true, session },
  );
  const sold = { revenueMinor: 180_000 };
  await collection("coursedailysales").updateOne(
    { courseId, day: "2026-01-01" },
    { $inc: { ...sold, sales: 1 } },
    { upsert: true, session },
  );
  await collection("courses").updateOne(
    { _id: courseId },
    { $inc: { ...sold, totalEnrolledStudents: 1, completedPurchases: 1 } },
    { upsert: true, session },
  );
  const processed = { state: "processed", outcome: "completed", reviewReason: null, updatedAt: now };
  await collection("paymentevents").updateOne({ eventKey }, { $set: processed }, { session });
}

// Deliveries of one course run one after another, as in the application, instead of disturbing each other's transactions.
let last = Promise.resolve();
const inTurn = (body: Buffer): Promise<void> => {
  last = last.then(() => complete(body));
  return last;
};

const server = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on("data", (part: Buffer) => parts.push(part));
  req.on("end", async () => {
    const body = Buffer.concat(parts);
    const signed = createHmac("sha256", secret).update(body).digest("hex") === req.headers["x-razorpay-signature"];
    if (signed) await inTurn(body);
    res.writeHead(signed ? 200 : 400, { "content-type": "application/json" });
    res.end('{"received":true}');
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveSubject(`http://127.0.0.1:${port}`, {}, async () => {
    server.close();
    await connection.close();
  });
});
