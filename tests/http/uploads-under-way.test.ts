import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { refusal } from "../assertions/refusal.js";
import { courseForm } from "../factories/course-forms.js";
import { buildCourse } from "../factories/courses.js";
import { type SignedIn, startTestServer } from "../server/test-server.js";
import { holdOpen, underWay } from "../server/unfinished-requests.js";

const busy = refusal(503, "The server is busy. Please try again in a moment.");
const anId = "665f1c2ab7e4d90012ab34cd";

const form = { type: "multipart/form-data; boundary=frontier", begin: "--frontier\r\n" };

test("an educator has four uploads under way and an instance eight; more are refused at once", async () => {
  const server = await startTestServer();
  const [first, ...others] = await Promise.all(Array.from({ length: 3 }, () => server.signedIn("educator")));
  if (!first) throw new Error("no educator");
  const add = ({ token }: SignedIn) => server.post("/api/educator/add-course", courseForm(), token);
  const ends = await holdOpen(server, first, 4, { path: "/api/educator/add-course", ...form });
  await expect.poll(() => underWay(server)).toBe(4);
  // A request is under way a moment before the limit counts it.
  await expect.poll(async () => (await add(first)).status).toBe(503);
  const refused = await add(first);
  expect(refused).toMatchObject(busy);
  expect(refused.headers.get("retry-after")).toBe("2");
  const own = await buildCourse(server, { educatorId: first.id });
  const table = `/api/educator/courses/${own._id}/enrollments/import`;
  expect(await server.post(table, courseForm(), first.token)).toMatchObject(busy);
  // An edit without a form holds no file.
  const edit = await server.patch(`/api/educator/courses/${own._id}`, { version: 0, courseTitle: "B" }, first.token);
  expect(edit.status).not.toBe(503);
  expect((await add(others[0] as SignedIn)).status).toBe(200);
  await holdOpen(server, others[1] as SignedIn, 4, { path: "/api/educator/add-course", ...form });
  await expect.poll(() => underWay(server)).toBe(8);
  await expect.poll(async () => (await add(others[0] as SignedIn)).status).toBe(503);
  ends();
  await expect.poll(async () => (await add(others[0] as SignedIn)).status).toBe(200);
});

test("a refused upload is not charged to the next one", async () => {
  const server = await startTestServer();
  const educator = await server.signedIn("educator");
  for (let n = 0; n < 5; n += 1)
    expect((await server.post("/api/educator/add-course", new FormData(), educator.token)).status).toBe(400);
  const path = `/api/educator/courses/${anId}/enrollments/import`;
  for (let n = 0; n < 5; n += 1) expect((await server.post(path, courseForm(), educator.token)).status).toBe(404);
  expect((await server.post("/api/educator/add-course", courseForm(), educator.token)).status).toBe(200);
});

test("an upload whose client has left is under way until the storage has answered", async () => {
  let calls = 0;
  const storage = createServer((socket) => {
    calls += 1;
    socket.on("error", () => undefined).resume();
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
  expect(await server.post("/api/educator/add-course", courseForm(), educator.token)).toMatchObject(busy);
  expect(calls).toBe(4);
});

test("a multipart body that is no form is not read", async () => {
  const server = await startTestServer();
  const educator = await server.signedIn("educator");
  const headers = { "content-type": "multipart/mixed; boundary=b" };
  const body = Buffer.alloc(4_000_000, "x");
  const call = { token: educator.token, body, headers };
  expect(await server.call("POST", "/api/educator/add-course", call)).toMatchObject({ status: 400 });
});
