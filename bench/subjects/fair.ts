import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mongo } from "mongoose";
import { serveSubject } from "../processes/subject.js";

/**
 * A first webhook and a first lecture from node:http and the driver alone. They keep the promises that ours keep: each is
 * one transaction with its events, and a webhook is stored before it is applied. There is no check of a request beyond what
 * that needs, no limit, log or figure, and no background job.
 */

interface Given {
  readonly uri: string;
  readonly webhookSecret: string;
  readonly jwtKey: string;
}

const { uri, webhookSecret, jwtKey } = JSON.parse(process.argv[2] ?? "") as Given;
const publicKey = createPublicKey(jwtKey);
const client = await new mongo.MongoClient(uri).connect();
const db = client.db();
const [users, courses, purchases] = [db.collection("users"), db.collection("courses"), db.collection("purchases")];
const [enrollments, progresses] = [db.collection("enrollments"), db.collection("courseprogresses")];
const payments = db.collection<{ _id: string }>("payments");
const [inbox, events] = [db.collection("paymentevents"), db.collection("events")];

class Refused extends Error {
  constructor(readonly status: number) {
    super("refused");
  }
}

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const transaction = <T>(work: (session: mongo.ClientSession) => Promise<T>): Promise<T> =>
  client.withSession((session) => session.withTransaction(work, { writeConcern: { w: "majority" } }));

const eventOf = (type: string, userId: string, courseId: mongo.ObjectId, more: object = {}) => {
  const at = new Date();
  const data = { userId, courseId: String(courseId), ...more };
  return { type, at, data, courseId, userIds: [userId], unnumberedSince: at, uncountedAt: at };
};

/** Users by tokens that were verified before. */
const known = new Map<string, string>();

function userOf({ headers }: IncomingMessage): string {
  const token = headers.authorization?.slice("Bearer ".length) ?? "";
  const before = known.get(token);
  if (before) return before;
  const [head, claims = "", signature = ""] = token.split(".");
  const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, "base64url"));
  const { sub, exp } = isSigned ? JSON.parse(Buffer.from(claims, "base64url").toString()) : { sub: "", exp: 0 };
  if (exp * 1_000 < Date.now()) throw new Refused(401);
  known.set(token, sub);
  return sub;
}

/** Opens a purchase, which the payment of a webhook completes. It is not measured. */
async function openPurchase(req: IncomingMessage): Promise<object> {
  const userId = userOf(req);
  const { courseId } = JSON.parse((await bodyOf(req)).toString());
  const course = await courses.findOne({ _id: new mongo.ObjectId(String(courseId)) });
  const buyer = await users.findOne({ _id: userId as never }, { projection: { name: 1, email: 1 } });
  if (!course) throw new Refused(404);
  const [_id, amount] = [new mongo.ObjectId(), course.coursePrice * (100 - course.discount)];
  const providerOrderId = `order_${_id}`;
  const order = { _id, userId, courseId: course._id, buyer, amount, currency: "INR", providerOrderId };
  await purchases.insertOne({ ...order, status: "created", createdAt: new Date() });
  return { success: true, purchaseId: String(_id), orderId: providerOrderId };
}

interface Captured {
  readonly event: string;
  readonly payload: { readonly payment: { readonly entity: PaymentEntity } };
}
interface PaymentEntity {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly order_id: string;
  readonly notes: { readonly purchaseId: string };
}

async function receiveWebhook(req: IncomingMessage): Promise<object> {
  const body = await bodyOf(req);
  const signature = Buffer.from(String(req.headers["x-razorpay-signature"]), "hex");
  const expected = createHmac("sha256", webhookSecret).update(body).digest();
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) throw new Refused(400);
  const { event, payload } = JSON.parse(body.toString()) as Captured;
  const { entity } = payload.payment;
  const now = new Date();
  const eventKey = createHash("sha256").update(body).digest("hex");
  const row = { event, payload, state: "pending", attempts: 0, createdAt: now, nextAttemptAt: now };
  const kept = { upsert: true, returnDocument: "after" } as const;
  const stored = await inbox.findOneAndUpdate({ eventKey }, { $setOnInsert: row }, kept);
  if (stored?.state === "pending") await transaction((session) => complete(stored._id, entity, session));
  return { received: true };
}

/** Completes the purchase of a payment once, however often and by how many processes its event is applied. */
async function complete(event: mongo.ObjectId, paid: PaymentEntity, session: mongo.ClientSession): Promise<void> {
  const now = new Date();
  const end = (state: string) =>
    inbox.updateOne({ _id: event }, { $set: { state, processedAt: now }, $unset: { nextAttemptAt: 1 } }, { session });
  const { id, amount, currency } = paid;
  const purchase = await purchases.findOne({ _id: new mongo.ObjectId(paid.notes.purchaseId) }, { session });
  if (!purchase || purchase.amount !== amount || purchase.currency !== currency) return void (await end("review"));
  const { _id, userId, courseId } = purchase;
  const completed = { status: "completed", providerPaymentId: id, completedAt: now, invoiceDueAt: now };
  const unfinished = { _id, status: { $in: ["created", "pending", "failed"] } };
  const { modifiedCount } = await purchases.updateOne(unfinished, { $set: completed }, { session });
  const payment = { purchaseId: _id, amount, currency, captured: true, refunds: [], createdAt: now };
  await payments.updateOne({ _id: id }, { $setOnInsert: payment }, { session, upsert: true });
  if (modifiedCount === 1) {
    const access = { active: true, kind: "purchase", enrolledAt: now, purchasedAt: now, updatedAt: now };
    await enrollments.updateOne(
      { userId, courseId },
      { $set: access, $inc: { purchases: 1 }, $setOnInsert: { createdAt: now } },
      { session, upsert: true },
    );
    const sale = { purchaseId: String(_id), amount, currency };
    const facts = [
      eventOf("purchase.completed", userId, courseId, sale),
      eventOf("enrollment.created", userId, courseId),
    ];
    await events.insertMany(facts, { session });
  }
  await end("processed");
  const sold = { totalEnrolledStudents: 1, completedPurchases: 1, revenueMinor: amount };
  // The row that other sales of the course write comes last.
  if (modifiedCount === 1) await courses.updateOne({ _id: courseId }, { $inc: sold }, { session });
}

async function completeLecture(req: IncomingMessage): Promise<object> {
  const userId = userOf(req);
  const given = JSON.parse((await bodyOf(req)).toString());
  const [courseId, lectureId] = [new mongo.ObjectId(String(given.courseId)), String(given.lectureId)];
  const lecture = { _id: courseId, "courseContent.chapterContent.lectureId": lectureId };
  if (!(await courses.findOne(lecture, { projection: { _id: 1 } }))) throw new Refused(404);
  await transaction(async (session) => {
    const now = new Date();
    const change = { $addToSet: { lectureCompleted: lectureId }, $set: { updatedAt: now } };
    const before = { session, upsert: true, projection: { lectureCompleted: 1 }, returnDocument: "before" } as const;
    const progress = await progresses.findOneAndUpdate({ userId, courseId }, change, before);
    const isNew = !progress?.lectureCompleted.includes(lectureId);
    const figures = { $set: { lastActiveAt: now }, $inc: { lecturesCompleted: isNew ? 1 : 0 } };
    const enrolled = await enrollments.updateOne({ userId, courseId, active: true }, figures, { session });
    if (enrolled.matchedCount === 0) throw new Refused(403);
    if (isNew) await events.insertOne(eventOf("lecture.completed", userId, courseId, { lectureId }), { session });
  });
  return { success: true, message: "Progress Updated" };
}

const routes: Record<string, (req: IncomingMessage) => Promise<object>> = {
  "/razorpay": receiveWebhook,
  "/api/user/purchase": openPurchase,
  "/api/user/update-course-progress": completeLecture,
};

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const reply = (status: number, body: object): void => {
    const text = JSON.stringify(body);
    res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
  };
  try {
    const route = routes[req.url ?? ""];
    if (!route) throw new Refused(404);
    reply(200, await route(req));
  } catch (error) {
    reply(error instanceof Refused ? error.status : 500, { success: false, message: String(error) });
  }
}

const server = createServer((req, res) => void answer(req, res));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveSubject(`http://127.0.0.1:${port}`, {}, async () => {
    server.close();
    await client.close();
  });
});
