import { expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import { dieAtEveryWrite } from "../../server/dying-instance.js";
import { storageOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

/* No crash and no failure of the storage leaves a file without a resource, or a resource without its file. */

const server = await startTestServer();
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
