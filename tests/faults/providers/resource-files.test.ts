import { once } from "node:events";
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
import { startTestServer } from "../../server/test-server.js";

/* No crash and no failure of the storage leaves a file without a resource, or a resource without its file. */

const server = await startTestServer({ own: "runs jobs over all rows" });
const { db } = server.deps;
const educator = await server.signedIn("educator");

async function runJob(): Promise<void> {
  await db.CourseResource.updateMany({ discardAt: { $exists: true } }, { discardAt: new Date(0) });
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

test("the storage sends no faster than the reader takes, and stops when the reader leaves", async () => {
  let [sent, isOpen] = [0, false];
  const piece = Buffer.alloc(65_536, "x");
  const storage = await startWebServer((_req, res) => {
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
  const other = await server.another({ CLOUDINARY_URL: `cloudinary://k:s@c?upload_prefix=${storage.url}` });
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
