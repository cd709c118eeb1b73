import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import { startWebServer } from "../../server/after-use.js";
import { dieAtEveryWrite } from "../../server/dying-instance.js";
import { storageOf } from "../../server/emulators.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

/* No crash and no failure of the storage leaves a file without a resource, or a resource without its file. */

const server = await startTestServer({ own: "runs jobs over all rows" });
const { db } = server.deps;
const educator = await server.signedIn("educator");

async function runJob(): Promise<void> {
  await db.CourseResource.updateMany({ discardAt: { $exists: true } }, { discardAt: new Date(1) });
  await backgroundJobs(server.deps)
    .find(({ name }) => name === "discard-resources")
    ?.run(new AbortController().signal);
}

/** Compares files and rows of all courses. */
async function expectNoOrphans(): Promise<void> {
  const files = storageOf(server.emulators)
    .assets()
    .filter(({ publicId }) => publicId.startsWith("resources/"));
  const rows = await db.CourseResource.find().lean();
  expect(files.map(({ publicId }) => publicId).sort()).toEqual(rows.map(({ file }) => file).sort());
  expect(rows.filter(({ state }) => state !== "stored")).toEqual([]);
}

test("an upload that fails leaves nothing, and the file of a removed resource is removed", async () => {
  const course = await buildCourse(server, { educatorId: educator.id });
  const path = `/api/educator/courses/${course._id}/resources`;
  const { faults } = storageOf(server.emulators);
  // The second fault stores the file and loses the reply.
  for (const kind of ["error", "lost-reply"] as const) {
    faults.add({ kind, on: "upload", times: 1 });
    const answer = await server.call("POST", path, { token: educator.token, body: resourceForm() });
    expect(answer).toMatchObject(refusal(500, "An unexpected error occurred"));
  }
  const { resourceId } = await addResource(server, educator, course._id);
  await server.call("DELETE", `${path}/${resourceId}`, { token: educator.token });

  faults.add({ kind: "error", on: "destroy", times: 1 });
  await runJob();
  await runJob();
  await expectNoOrphans();
  expect(await db.CourseResource.countDocuments({ courseId: course._id })).toBe(0);
});

test("an instance that dies before any write of an upload leaves no file without a resource", async () => {
  const deaths = await dieAtEveryWrite(server, async () => {
    const course = await buildCourse(server, { educatorId: educator.id });
    const path = `/api/educator/courses/${course._id}/resources`;
    const headers = { authorization: `Bearer ${educator.token}` };
    return {
      request: { path, method: "POST", body: resourceForm(), headers },
      async check() {
        await runJob();
        await expectNoOrphans();
      },
    };
  });
  expect(deaths).toBeGreaterThan(2);
});

test("a storage that fails before a file is an unexpected error, and leaves no header of the file", async () => {
  const course = await buildCourse(server, { educatorId: educator.id });
  const { resourceId } = await addResource(server, educator, course._id);
  const path = `/api/user/resources/${course._id}/${resourceId}`;
  const { faults } = storageOf(server.emulators);
  for (const fault of [{ kind: "error", status: 404 }, { kind: "error" }, { kind: "cut" }] as const) {
    faults.add({ ...fault, on: "download", times: 1 });
    const answer = await server.get(path, educator.token);
    expect(answer).toMatchObject(refusal(500, "An unexpected error occurred"));
    expect(answer.headers.get("content-disposition")).toBeNull();
  }
  expect((await server.get(path, educator.token)).status).toBe(200);
});

/** Another instance, whose storage answers as `listener` does. */
async function withStorage(answer: RequestListener): Promise<TestServer> {
  const storage = await startWebServer(answer);
  return server.another({ CLOUDINARY_URL: `cloudinary://k:s@c?upload_prefix=${storage.url}` });
}

test("the size of a file decides, whatever the storage sends", async () => {
  const course = await buildCourse(server, { educatorId: educator.id });
  const { resourceId } = await addResource(server, educator, course._id, resourceForm("0123456789", "a.txt"));
  let [status, head, pieces]: [number, Record<string, string>, string[]] = [200, {}, []];
  const other = await withStorage(async (_req, res) => {
    res.writeHead(status, head);
    for (const piece of pieces) {
      res.write(piece);
      await sleep(20);
    }
    res.end();
  });
  const get = async (range: string) => {
    const headers = { authorization: `Bearer ${educator.token}`, ...(range && { range }) };
    const answer = await fetch(`${other.url}/api/user/resources/${course._id}/${resourceId}`, { headers });
    const text = await answer.text().catch(() => "cut");
    const described = ["content-range", "content-length", "etag"].map((name) => answer.headers.get(name));
    return [answer.status, text, ...described.slice(0, answer.ok ? 2 : 3)];
  };
  const fault = [500, expect.stringContaining("An unexpected error occurred"), null, expect.anything(), null];
  pieces = ["01", "23456", "789"];
  expect(await get("")).toEqual([200, "0123456789", null, "10"]);
  expect(await get("bytes=3-7")).toEqual([206, "34567", "bytes 3-7/10", "5"]);
  expect(await get("bytes=0-0")).toEqual([206, "0", "bytes 0-0/10", "1"]);
  pieces = ["012345", "67890"];
  expect(await get("")).toEqual([200, "cut", null, "10"]);
  pieces = ["012345"];
  expect(await get("")).toEqual([200, "cut", null, "10"]);
  pieces = ["0123456789more"];
  expect(await get("")).toEqual(fault);
  pieces = [];
  expect(await get("")).toEqual(fault);
  [status, head, pieces] = [206, { "content-range": "bytes 0-1/10" }, ["01"]];
  expect(await get("bytes=3-4")).toEqual(fault);
  [status, head] = [416, {}];
  expect(await get("bytes=3-4")).toEqual(fault);
});

test("two redirects of the storage are followed, but none to another host without encryption", async () => {
  const course = await buildCourse(server, { educatorId: educator.id });
  const { resourceId } = await addResource(server, educator, course._id, resourceForm("0123456789", "a.txt"));
  let targets: string[] = [];
  const other = await withStorage((_req, res) => {
    const location = targets.shift();
    if (location === undefined) res.end("0123456789");
    else res.writeHead(302, { location }).end();
  });
  const get = async (...locations: string[]) => {
    targets = locations;
    return (await other.get(`/api/user/resources/${course._id}/${resourceId}`, educator.token)).status;
  };
  expect(await get("/a", "/b")).toBe(200);
  expect(await get("/a", "/b", "/c")).toBe(500);
  expect(await get("http://127.0.0.1:1/")).toBe(500);
});

test("the storage sends no faster than the reader takes, and stops when the reader leaves", async () => {
  let [sent, isOpen] = [0, false];
  const piece = Buffer.alloc(65_536, "x");
  const other = await withStorage((_req, res) => {
    isOpen = true;
    res.once("close", () => {
      isOpen = false;
    });
    res.writeHead(200, { "content-length": 1_000_000_000 });
    const pour = () => {
      while (!res.destroyed && res.write(piece)) sent += piece.length;
    };
    res.on("drain", pour);
    pour();
  });
  const course = await buildCourse(server, { educatorId: educator.id });
  const { resourceId } = await addResource(server, educator, course._id);
  await db.CourseResource.updateOne({ _id: resourceId }, { size: 1_000_000_000 });
  const reader = connect(Number(new URL(other.url).port), "127.0.0.1");
  const head = [`GET /api/user/resources/${course._id}/${resourceId} HTTP/1.1`, "Host: x"];
  reader.write([...head, `Authorization: Bearer ${educator.token}`, "", ""].join("\r\n"));
  await once(reader, "readable");
  const seen = async () => {
    const before = sent;
    await sleep(100);
    return sent - before;
  };
  await expect.poll(seen).toBe(0);
  // The sockets of the system hold a few megabytes.
  expect(sent).toBeLessThan(50_000_000);
  reader.destroy();
  await expect.poll(() => isOpen).toBe(false);
});
