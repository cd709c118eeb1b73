import { expect, onTestFinished, test, vi } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { deliverIdentity } from "../../factories/identity-events.js";
import { makeDueNotices } from "../../factories/notices.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { eventsOf } from "../../server/chat-stream.js";
import { identityOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "makes the notices of all rows" });
const { db } = server.deps;
const path = "/api/user/notifications/stream";

async function openStream({ url }: TestServer, { token }: SignedIn, headers: Record<string, string> = {}) {
  const controller = new AbortController();
  const { signal } = controller;
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}`, ...headers }, signal });
  const leave = () => controller.abort();
  onTestFinished(leave);
  return { response, events: eventsOf(response, controller), leave };
}

async function authorWithReplies() {
  const [author, other] = [await server.signedIn(), await server.signedIn()];
  const reply = async (title: string) => {
    const post = await writePost(server, author, { title });
    await writeReply(server, other, post._id);
    await makeDueNotices(server);
  };
  return { author, reply };
}
const next = async (events: AsyncGenerator<{ id?: string; data: { body: string } }>) => (await events.next()).value;

test("a stream sends each notification once, and resumes behind the last one", async () => {
  const { author, reply } = await authorWithReplies();
  await reply("before");
  const stream = await openStream(server, author);
  expect(stream.response.status).toBe(200);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
  await reply("first");
  const first = await next(stream.events);
  expect(first).toMatchObject({ event: "notification", data: { type: "reply_to_post", readAt: null, count: 1 } });
  expect(first?.data.body).toContain("first");
  const { body } = await server.get("/api/user/notifications?limit=1", author.token);
  expect(first?.data).toEqual(body.notifications[0]);
  stream.leave();
  await reply("second");
  await reply("third");
  const resumed = await openStream(server, author, { "last-event-id": first?.id ?? "" });
  for (const expected of ["second", "third"]) expect((await next(resumed.events))?.data.body).toContain(expected);
  await reply("fourth");
  expect((await next(resumed.events))?.data.body).toContain("fourth");
});

/** Stores notices of a user, as a job does. @returns the numbers. */
async function storeNotices({ id: userId }: SignedIn, count: number, body = ""): Promise<number[]> {
  const reserved = { $inc: { last: count } };
  const { last } = await db.NoticeCounter.findOneAndUpdate({}, reserved, { returnDocument: "after" }).orFail();
  const seqs = Array.from({ length: count }, (_, n) => last - count + 1 + n);
  const notice = { userId, type: "announcement", title: "x", body, app: true, mail: false, createdAt: new Date() };
  await db.Notice.insertMany(seqs.map((seq) => ({ ...notice, seq, key: `${userId} ${seq}` })));
  return seqs;
}

test("a stream ends after 500 missed notifications, and resumes behind them", async () => {
  const user = await server.signedIn();
  const seqs = await storeNotices(user, 501);
  const { events } = await openStream(server, user, { "last-event-id": "0" });
  const ids: string[] = [];
  for await (const { id = "" } of events) ids.push(id);
  expect(ids).toEqual(seqs.slice(0, 500).map(String));
  const resumed = await openStream(server, user, { "last-event-id": ids.at(-1) ?? "" });
  expect((await next(resumed.events))?.id).toBe(String(seqs.at(-1)));
});

test("a stream resumes behind a notification that its instance has not seen yet", async () => {
  const user = await server.signedIn();
  await openStream(server, user);
  const [sent, later] = await storeNotices(user, 2);
  const { events } = await openStream(server, user, { "last-event-id": String(sent) });
  expect((await next(events))?.id).toBe(String(later));
});

test("clients that never read are cut off, and hold no slot any more", { timeout: 30_000 }, async () => {
  const user = await server.signedIn();
  for (const _ of "123") await openStream(server, user);
  const statusOfNext = async () => (await openStream(server, user)).response.status;
  expect(await statusOfNext()).toBe(429);
  const sendMore = async () => {
    await storeNotices(user, 40, "x".repeat(50_000));
    return statusOfNext();
  };
  await expect.poll(sendMore, { timeout: 20_000 }).toBe(200);
});

test("a user has three streams on an instance; a slot is free when its stream has gone", async () => {
  const [another, user] = [await server.another(), await server.signedIn()];
  const open = await Promise.all([1, 2, 3, 4, 5].map(() => openStream(server, user)));
  expect(open.map(({ response }) => response.status).sort()).toEqual([200, 200, 200, 429, 429]);
  expect(await server.get(path, user.token)).toMatchObject(refusal(429, "Too many open streams"));
  expect((await openStream(another, user)).response.status).toBe(200);
  open.find(({ response }) => response.status === 200)?.leave();
  await expect.poll(async () => (await openStream(server, user)).response.status).toBe(200);
  expect((await server.get(path, user.token)).status).toBe(429);
});

test("streams of deleted and erased users end within five seconds, on other instances too", async () => {
  const [another, users] = [await server.another(), [await server.signedIn(), await server.signedIn()]];
  const [deleted, erased] = users as [SignedIn, SignedIn];
  const open = await Promise.all([server, another].flatMap((on) => users.map((user) => openStream(on, user))));
  const newcomer = { ...deleted, token: identityOf(server.emulators).issueToken("user_without_event") };
  const { response } = await openStream(another, newcomer);
  await deliverIdentity(server, { id: deleted.id, deleted: true }, "user.deleted");
  await server.call("DELETE", "/api/user/data", { token: erased.token, body: { confirm: erased.id } });
  const since = Date.now();
  for (const stream of open) expect(await stream.response.text()).toBe(":\n\n");
  expect(Date.now() - since).toBeLessThan(5_000);
  for (const user of users) expect(await server.get(path, user.token)).toMatchObject(refusal(404, "User not found"));
  expect(response.body?.locked).toBe(false);
}, 20_000);

test("a stream has a comment every 25 seconds, and a shutdown ends it in order", async () => {
  const [another, user] = [await server.another(), await server.signedIn()];
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { response } = await openStream(another, user);
  let text = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })();
  await expect.poll(() => text).toBe(":\n\n");
  await vi.advanceTimersByTimeAsync(25_000);
  await expect.poll(() => text).toBe(":\n\n:\n\n");
  vi.useRealTimers();
  await another.close();
  await reading;
  const calls: string[] = [];
  const call = (name: string) => async () => void calls.push(name);
  const reader = { send: call("send"), push: call("push"), comment: call("comment"), end: call("end") };
  const late = { ...reader, isOver: false, onClose: () => undefined };
  await another.deps.noticeStreams.open(user.id, late, undefined);
  expect(calls).toEqual(["comment", "end"]);
});
