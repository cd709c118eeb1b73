import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createDatabaseTools } from "../../development/demo/database-tools.js";
import { loadDemo } from "../../development/demo/load-demo.js";
import { prepareDatabase } from "../../src/server.js";
import { buildCourse } from "../factories/courses.js";
import { temporaryFolder } from "../server/after-use.js";
import { storageOf } from "../server/emulators.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "empties the database" });
const { deps } = server;
const folder = await temporaryFolder();
const tools = createDatabaseTools(deps, folder, {
  prepare: () => prepareDatabase(server.databaseUri),
  load: () => loadDemo(deps),
});

const titles = async (): Promise<string[]> =>
  (await server.get("/api/course/all")).body.courses.map(({ courseTitle }: any) => courseTitle);

test("a snapshot brings everything back, and the catalog that is kept in memory with it", async () => {
  await buildCourse(server, { courseTitle: "Kept" });
  expect(await titles()).toEqual(["Kept"]);
  const before = await tools.documents("courses");
  expect((await tools.save("before")).name).toBe("before");
  await buildCourse(server, { courseTitle: "Later" });
  expect(await titles()).toEqual(["Kept", "Later"]);
  await tools.restore("before");
  expect(await titles()).toEqual(["Kept"]);
  expect(await tools.documents("courses")).toEqual(before);
  expect(await tools.snapshots()).toMatchObject([{ name: "before", bytes: expect.any(Number) }]);
});

test("a snapshot of a time when the media emulator had another port names the present port", async () => {
  const file = "/lyceum/image/upload/v1/cover.png";
  await buildCourse(server, { courseTitle: "Moved", courseThumbnail: `http://127.0.0.1:9${file}` });
  await tools.save("moved");
  await tools.restore("moved");
  const moved = await deps.db.Course.findOne({ courseTitle: "Moved" }).lean();
  expect(moved?.courseThumbnail).toBe(`${storageOf(server.emulators).url}${file}`);
  await tools.restore("before");
});

test("a snapshot of a version that stored no HTML of texts has them rendered", async () => {
  await deps.db.Course.updateOne(
    { courseTitle: "Kept" },
    { $set: { "courseContent.0.chapterContent.0.blocks": [{ kind: "text", text: "*a*" }] } },
  );
  await tools.save("old");
  await tools.restore("old");
  expect(await deps.db.Course.findOne({ courseTitle: "Kept" }).lean()).toMatchObject({ rendererVersion: 0 });
  await tools.restore("before");
});

test("a file that cannot be read changes nothing", async () => {
  const before = await titles();
  await writeFile(join(folder, "damaged.jsonl.gz"), gzipSync("{").subarray(0, 12));
  await expect(tools.restore("damaged")).rejects.toThrow();
  await expect(tools.restore("not-there")).rejects.toThrow("ENOENT");
  expect(await titles()).toEqual(before);
});

test("emptied, the server goes on with what an empty database has", async () => {
  await tools.reset("empty");
  expect(await titles()).toEqual([]);
  const groups = (await server.get("/api/community/groups")).body.groups;
  expect(groups.length).toBeGreaterThan(0);
});

test("documents are shown page by page", async () => {
  for (let n = 0; n < 25; n += 1) await buildCourse(server, { courseTitle: `Course ${n}` });
  const first = await tools.documents("courses");
  const second = await tools.documents("courses", first.next);
  expect([first.documents.length, second.documents.length, second.next]).toEqual([20, 5, undefined]);
  await expect(tools.documents("nothing")).rejects.toThrow("no collection");
});

test("the demo data comes back", { timeout: 120_000 }, async () => {
  await tools.reset("demo");
  expect(await titles()).toHaveLength(await deps.db.Course.countDocuments({ isPublished: true }));
  const course = await deps.db.Course.findOne({ isPublished: true }).lean();
  const film = course?.courseContent[0]?.chapterContent[0]?.lectureUrl ?? "";
  const part = await fetch(film, { headers: { range: "bytes=0-99" } });
  expect([part.status, part.headers.get("content-type"), (await part.arrayBuffer()).byteLength]).toEqual([
    206,
    "video/webm",
    100,
  ]);
});
