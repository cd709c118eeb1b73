import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import express from "express";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { limitUploads } from "../../src/http/limits/requests-under-way.js";
import { errorHandler } from "../../src/http/pipeline/error-handler.js";
import { refusal } from "../assertions/refusal.js";
import { courseForm } from "../factories/course-forms.js";
import { buildCourse, enroll } from "../factories/courses.js";
import { type SignedIn, startTestServer } from "../server/test-server.js";
import { holdOpen, underWay } from "../server/unfinished-requests.js";

const busy = refusal(503, "The server is busy. Please try again in a moment.");
const anId = "665f1c2ab7e4d90012ab34cd";

const form = { type: "multipart/form-data; boundary=frontier", begin: "--frontier\r\n" };

test("a user has at most 64 requests under way; others, payments and webhooks are not held up", async () => {
  const server = await startTestServer({ own: "counts requests under way" });
  const [learner, other] = [await server.signedIn(), await server.signedIn()];
  const course = await buildCourse(server);
  await enroll(server, learner.id, course._id);
  const ends = await holdOpen(server, learner, 63);
  await expect.poll(() => underWay(server)).toBe(63);
  expect((await server.get("/api/user/data", learner.token)).status).toBe(200);
  await holdOpen(server, learner, 1);
  await expect.poll(() => underWay(server)).toBe(64);
  const paths = ["/api/user/data", "/api/course/all", `/api/quiz/${course._id}/ch1`, "/api/community/groups"];
  for (const path of paths) {
    const refused = await server.get(path, learner.token);
    expect([path, refused]).toMatchObject([path, busy]);
    expect([refused.headers.get("retry-after"), refused.headers.get("x-error-code")]).toEqual(["2", "overloaded"]);
  }
  const generate = await server.post(`/api/user/certificate/generate/${course._id}`, {}, learner.token);
  expect(generate).toMatchObject(busy);
  // What is refused for this reason counts nowhere else.
  expect(generate.headers.get("ratelimit-remaining")).toBeNull();
  expect((await server.get("/api/user/data", other.token)).status).toBe(200);
  expect((await server.get("/api/course/all")).status).toBe(200);
  for (const path of ["/api/user/purchase", "/api/user/verify-razorpay"])
    expect([path, (await server.post(path, {}, learner.token)).status]).toEqual([path, 400]);
  ends();
  await expect.poll(async () => (await server.get("/api/user/data", learner.token)).status).toBe(200);
});

test("an educator's fifth upload waits for its turn, and holds up nobody else", async () => {
  const server = await startTestServer({ own: "counts requests under way" });
  const [first, other] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const add = ({ token }: SignedIn) => server.post("/api/educator/add-course", courseForm(), token);
  const own = await buildCourse(server, { educatorId: first.id });
  const table = `/api/educator/courses/${own._id}/enrollments/import`;
  const ends = await holdOpen(server, first, 4, { path: "/api/educator/add-course", ...form });
  await holdOpen(server, other, 3, { path: "/api/educator/add-course", ...form });
  await expect.poll(() => underWay(server)).toBe(7);
  const waiting = [add(first), server.post(table, courseForm(), first.token)];
  await expect.poll(() => underWay(server)).toBe(9);
  expect((await add(other)).status).toBe(200);
  // An edit without a form holds no file.
  expect((await server.patch(`/api/educator/courses/${own._id}`, { version: 9 }, first.token)).status).toBe(409);
  expect(await underWay(server)).toBe(9);
  ends();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 400]);
});

test("an upload that has waited too long is refused, and one whose client has left takes no turn", async () => {
  const app = express();
  const reached: unknown[] = [];
  app.use((req, _res, next) => {
    req.authContext = { kind: "viewer", viewer: { id: "user_1", claimedRole: "educator" } };
    next();
  });
  app.use(limitUploads({ onRefused: () => undefined, maxWaitMs: 300 }), (req, res) => {
    reached.push(req.headers.name);
    if (req.headers.name !== "held") res.json({});
  });
  app.use(errorHandler(pino({ level: "silent" }), { detail: false }));
  const listening = app.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => void listening.close());
  const { port } = listening.address() as AddressInfo;
  const send = (name: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}`, {
      method: "POST",
      body: courseForm(),
      headers: { name },
      signal: signal ?? null,
    });
  const leave = new AbortController();
  const held = Array.from({ length: 4 }, () => send("held", leave.signal).catch(() => undefined));
  await expect.poll(() => reached.length).toBe(4);
  await expect(send("left", AbortSignal.timeout(50))).rejects.toThrow();
  const refused = await send("late");
  expect({ status: refused.status, body: await refused.json() }).toEqual(busy);
  expect(refused.headers.get("retry-after")).toBe("2");
  leave.abort();
  await Promise.all(held);
  expect((await send("next")).status).toBe(200);
  expect(reached.slice(4)).toEqual(["next"]);
});

test("a refused upload is not charged to the next one", async () => {
  const server = await startTestServer({ own: "counts requests under way" });
  const educator = await server.signedIn("educator");
  for (let n = 0; n < 5; n += 1)
    expect((await server.post("/api/educator/add-course", new FormData(), educator.token)).status).toBe(400);
  const path = `/api/educator/courses/${anId}/enrollments/import`;
  for (let n = 0; n < 5; n += 1) expect((await server.post(path, courseForm(), educator.token)).status).toBe(404);
  expect((await server.post("/api/educator/add-course", courseForm(), educator.token)).status).toBe(200);
});

test("an upload whose client has left is under way until the storage has answered", async () => {
  let calls = 0;
  const silent = new Set<Socket>();
  let isSilent = true;
  const storage = createServer((socket) => {
    calls += 1;
    if (isSilent) silent.add(socket.on("error", () => undefined).resume());
    else socket.destroy();
  });
  storage.listen(0, "127.0.0.1");
  await once(storage, "listening");
  onTestFinished(() => void storage.close());
  const { port } = storage.address() as AddressInfo;
  const address = `cloudinary://key:secret@lyceum?upload_prefix=http://127.0.0.1:${port}`;
  const server = await startTestServer({ env: { CLOUDINARY_URL: address } });
  const educator = await server.signedIn("educator");
  for (let n = 1; n <= 4; n += 1) {
    const client = new AbortController();
    const headers = { authorization: `Bearer ${educator.token}` };
    const sent = fetch(`${server.url}/api/educator/add-course`, {
      ...{ method: "POST", body: courseForm(), headers, signal: client.signal },
    }).catch(() => undefined);
    await expect.poll(() => calls).toBe(n);
    client.abort();
    await sent;
  }
  await expect.poll(() => underWay(server)).toBe(0);
  const fifth = server.post("/api/educator/add-course", courseForm(), educator.token);
  await expect.poll(() => underWay(server)).toBe(1);
  expect(calls).toBe(4);
  isSilent = false;
  for (const socket of silent) socket.destroy();
  expect((await fifth).status).toBe(500);
});

test("a multipart body that is no form is not read", async () => {
  const server = await startTestServer({ own: "counts requests under way" });
  const educator = await server.signedIn("educator");
  const headers = { "content-type": "multipart/mixed; boundary=b" };
  const body = Buffer.alloc(4_000_000, "x");
  const call = { token: educator.token, body, headers };
  expect(await server.call("POST", "/api/educator/add-course", call)).toMatchObject({ status: 400 });
});
