import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import mongoose, { Types } from "mongoose";
import { createModels, ensureIndexes } from "../../src/models/index.js";
import { serveSubject } from "../support.js";

/**
 * The least that a completion can cost: node:http, the HMAC of the raw body and, through the bare driver, the writes that
 * the application makes, with nothing read, checked or counted.
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
    event: "payment.captured",
    paymentId,
    purchaseId: notes.purchaseId,
    body,
    state: "pending",
    createdAt: now,
  };
  await collection("paymentevents").findOneAndUpdate(
    { eventKey },
    { $setOnInsert: row },
    { upsert: true, ...majority },
  );
  const paid = { status: "completed", providerPaymentId: paymentId, completedAt: now, applied: false, movedAt: now };
  await collection("purchases").findOneAndUpdate(
    { _id },
    { $set: paid, $unset: { slot: 1 } },
    { upsert: true, ...majority },
  );
  await collection("enrollments").insertOne({
    _id: seat,
    userId: paymentId,
    courseId,
    active: true,
    enrolledAt: now,
    change: 1,
  });
  const catalog = (field: string) =>
    collection("catalogrevisions").updateOne(
      named("catalog"),
      { $inc: { [field]: 1 }, $set: { at: now } },
      { upsert: true },
    );
  const count = (name: string, filter: object, inc: Record<string, number>, key: string) =>
    collection(name).updateOne({ ...filter, countedKeys: { $ne: key } }, {
      $inc: inc,
      $push: { countedKeys: { $each: [key], $slice: -200 } },
    } as object);
  await catalog("started");
  await count("courses", { _id: courseId }, { totalEnrolledStudents: 1 }, `${seat}:1`);
  await catalog("finished");
  await count("platformtotals", named("platform"), { enrollments: 1 }, `${seat}:1`);
  await collection("enrollments").updateOne({ _id: seat }, { $max: { countedChange: 1 } });
  await Promise.all([
    count("courses", { _id: courseId }, { revenueMinor: 1, completedPurchases: 1 }, `${_id}:completed`),
    count("revenuedays", named("2026-01-01"), { revenueMinor: 1 }, `${_id}:completed`),
    count("platformtotals", named("platform"), { revenueMinor: 1 }, `${_id}:completed`),
  ]);
  await collection("purchases").updateOne({ _id }, { $set: { applied: true }, $unset: { movedAt: 1 } }, majority);
  await collection("paymentevents").updateOne({ eventKey }, { $set: { state: "processed" } }, majority);
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
  serveSubject(`http://127.0.0.1:${port}`, {}, async () => {
    server.close();
    await connection.dropDatabase();
    await connection.close();
  });
});
