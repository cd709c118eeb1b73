import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const educator = await server.signedIn("educator");
const course = await buildCourse(server, { educatorId: educator.id });
const base = `/api/educator/courses/${course._id}/resources`;
const unknownId = "665f1c2ab7e4d90012ab34cd";

const download = (courseId: unknown, resourceId: string, token: string) =>
  fetch(`${server.url}/api/user/resources/${courseId}/${resourceId}`, {
    headers: { authorization: `Bearer ${token}` },
    redirect: "manual",
  });

test("an educator adds, lists and removes the files of a course", async () => {
  const own = await buildCourse(server, { educatorId: educator.id });
  const path = `/api/educator/courses/${own._id}/resources`;
  const first = await addResource(server, educator, own._id, resourceForm("# Plan", "Übersicht 1.md"));
  expect(first).toEqual({
    resourceId: expect.stringMatching(/^[0-9a-f]{24}$/),
    ...{ name: "Übersicht 1.md", size: 6, contentType: "text/markdown" },
    createdAt: expect.stringMatching(/Z$/),
  });
  const second = await addResource(server, educator, own._id);
  expect((await server.get(path, educator.token)).body).toEqual({ success: true, resources: [first, second] });

  const remove = () => server.call("DELETE", `${path}/${first.resourceId}`, { token: educator.token });
  expect(await remove()).toMatchObject({ status: 200, body: { success: true } });
  expect(await remove()).toMatchObject(refusal(404, "Resource not found"));
  expect((await server.get(path, educator.token)).body.resources).toEqual([second]);
});

test("only the educator of a course manages its files", async () => {
  const { resourceId } = await addResource(server, educator, course._id);
  const other = await server.signedIn("educator");
  const calls = [
    (path: string, token: string) => server.get(path, token),
    (path: string, token: string) => server.call("POST", path, { token, body: resourceForm() }),
    (path: string, token: string) => server.call("DELETE", `${path}/${resourceId}`, { token }),
  ];
  for (const call of calls) {
    expect(await call(base, other.token)).toMatchObject(refusal(403, "Not authorized"));
    expect(await call(base.replace(String(course._id), unknownId), educator.token)).toMatchObject(
      refusal(404, "Course not found"),
    );
    expect((await call(base.replace(String(course._id), "x"), educator.token)).status).toBe(500);
  }
});

test("a learner and the educator are sent to an address that works for ten minutes", async () => {
  const learner = await server.signedIn();
  await enroll(server, learner.id, course._id);
  const { resourceId } = await addResource(server, educator, course._id, resourceForm("x,y\n", "a.csv"));
  for (const { token } of [learner, educator]) {
    const answer = await download(course._id, resourceId, token);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const address = new URL(answer.headers.get("location") ?? "");
    const lastsSeconds = Number(address.searchParams.get("expires_at")) - Date.now() / 1_000;
    expect(lastsSeconds).toBeGreaterThan(590);
    expect(lastsSeconds).toBeLessThanOrEqual(600);
    const file = await fetch(address);
    expect(await file.text()).toBe("x,y\n");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
    address.searchParams.set("expires_at", String(Number(address.searchParams.get("expires_at")) + 1));
    expect((await fetch(address)).status).toBe(401);
  }
  const stranger = await server.signedIn();
  const denied = refusal(403, "Access denied or course not found");
  const path = `/api/user/resources/${course._id}/${resourceId}`;
  expect(await server.get(path, stranger.token)).toMatchObject(denied);
  expect(await server.get(`/api/user/resources/${unknownId}/${resourceId}`, learner.token)).toMatchObject(denied);
  const missing = refusal(404, "Resource not found");
  expect(await server.get(`/api/user/resources/${course._id}/${unknownId}`, learner.token)).toMatchObject(missing);
  const other = await buildCourse(server, { educatorId: educator.id });
  expect(await server.get(`/api/user/resources/${other._id}/${resourceId}`, educator.token)).toMatchObject(missing);
});

test("a form without a file, with an unusable name or with a file over 25 MiB is refused", async () => {
  const add = (form: FormData) => server.call("POST", base, { token: educator.token, body: form });
  expect(await add(resourceForm("a", "a.txt", "image"))).toMatchObject(refusal(400, "Invalid request data"));
  expect(await server.post(base, {}, educator.token)).toMatchObject(refusal(400, "Invalid request data"));
  expect(await add(resourceForm("a", `${"x".repeat(252)}.txt`))).toMatchObject(refusal(400, "Invalid request data"));
  const limit = 25 * 1_048_576;
  expect(await add(resourceForm(Buffer.alloc(limit + 1, "x"), "a.txt"))).toMatchObject(
    refusal(413, "Request body too large"),
  );
  expect((await add(resourceForm(Buffer.alloc(limit, "x"), "a.txt"))).status).toBe(200);
});

test("a course has at most 200 files, also when uploads race", async () => {
  const own = await buildCourse(server, { educatorId: educator.id });
  const others = await server.another();
  const row = { courseId: own._id, educatorId: educator.id, file: "x", name: "x", size: 1, contentType: "text/plain" };
  await server.deps.db.CourseResource.insertMany(Array.from({ length: 198 }, () => ({ ...row, state: "stored" })));
  const path = `/api/educator/courses/${own._id}/resources`;
  const answers = await Promise.all(
    [server, others, server, others].map((one) =>
      one.call("POST", path, { token: educator.token, body: resourceForm() }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)).toMatchObject(refusal(409, "Too many resources"));
  const { resources } = (await server.get(path, educator.token)).body;
  expect(resources.length).toBe(200);
  // A removed file counts no more.
  await server.call("DELETE", `${path}/${resources[0].resourceId}`, { token: educator.token });
  await addResource(server, educator, own._id);
});
