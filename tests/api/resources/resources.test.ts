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

const download = (courseId: unknown, resourceId: string, token: string, init: RequestInit = {}) =>
  fetch(`${server.url}/api/user/resources/${courseId}/${resourceId}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token}` },
    redirect: "manual",
  });

/** Adds a file, and names it in the first lecture of the course. */
async function addNamed(content: string | Uint8Array, name: string): Promise<string> {
  const { resourceId } = await addResource(server, educator, course._id, resourceForm(content, name));
  const path = "courseContent.0.chapterContent.0.blocks";
  await server.deps.db.Course.updateOne({ _id: course._id }, { $push: { [path]: { kind: "file", resourceId } } });
  return resourceId;
}

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
  }
});

test("a learner and the educator get the file itself, under its own name", async () => {
  const learner = await server.signedIn();
  await enroll(server, learner.id, course._id);
  const resourceId = await addNamed("x,y\n", 'Übersicht "1".csv');
  for (const { token } of [learner, educator]) {
    const answer = await download(course._id, resourceId, token);
    expect([answer.status, await answer.text()]).toEqual([200, "x,y\n"]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-length": "4",
      "content-disposition": `attachment; filename="?bersicht \\"1\\".csv"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.csv`,
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
    // Nothing says where the storage has the file, or how the server asks for it.
    expect(JSON.stringify([...answer.headers])).not.toMatch(/location|signature|api_key/);
    const head = await download(course._id, resourceId, token, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "4", ""]);
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
  const { resourceId: unnamed } = await addResource(server, educator, course._id);
  expect(await server.get(`/api/user/resources/${course._id}/${unnamed}`, learner.token)).toMatchObject(missing);
  expect((await download(course._id, unnamed, educator.token)).status).toBe(200);
});

test("a range of a file is answered as such; other ranges get the whole file", async () => {
  const resourceId = await addNamed("0123456789", "digits.txt");
  const get = async (headers: Record<string, string>) => {
    const answer = await download(course._id, resourceId, educator.token, { headers });
    return [answer.status, answer.headers.get("content-range"), await answer.text()];
  };
  const etag = (await download(course._id, resourceId, educator.token)).headers.get("etag") ?? "";
  expect(await get({ range: "bytes=2-4" })).toEqual([206, "bytes 2-4/10", "234"]);
  expect(await get({ range: "bytes=7-", "if-range": etag })).toEqual([206, "bytes 7-9/10", "789"]);
  expect(await get({ range: "Bytes=-2" })).toEqual([206, "bytes 8-9/10", "89"]);
  expect(await get({ range: "bytes=-20" })).toEqual([206, "bytes 0-9/10", "0123456789"]);
  const ignored = ["bytes=1-2,4-5", "lines=1-2", "bytes=4-2", "bytes=-"].map((range) => ({ range }));
  for (const headers of [...ignored, { range: "bytes=7-", "if-range": '"x"' }])
    expect(await get(headers)).toEqual([200, null, "0123456789"]);
  const refused = await get({ range: "bytes=10-" });
  expect(refused.slice(0, 2)).toEqual([416, "bytes */10"]);
  expect(JSON.parse(String(refused[2]))).toEqual({ success: false, message: "Range not satisfiable" });
});

test("a form without a file, with an unusable name or with too long a file is refused", async () => {
  const add = (form: FormData) => server.call("POST", base, { token: educator.token, body: form });
  expect(await add(resourceForm("a", "a.txt", "image"))).toMatchObject(refusal(400, "Invalid request data"));
  expect(await server.post(base, {}, educator.token)).toMatchObject(refusal(400, "Invalid request data"));
  expect(await add(resourceForm("a", `${"x".repeat(252)}.txt`))).toMatchObject(refusal(400, "Invalid request data"));
  const limit = 25 * 1_048_576;
  // The second body is refused by its announced length.
  for (const bytes of [limit + 1, limit + 1_048_576]) {
    const answer = await add(resourceForm(Buffer.alloc(bytes, "x"), "a.txt"));
    expect(answer).toMatchObject(refusal(413, "Request body too large"));
  }
  expect((await add(resourceForm(Buffer.alloc(limit, "x"), "a.txt"))).status).toBe(200);
  const captions = (bytes: number) => resourceForm("WEBVTT\n\nNOTE ".padEnd(bytes, "x"), "a.vtt");
  expect(await add(captions(2 * 1_048_576 + 1))).toMatchObject(refusal(413, "Request body too large"));
  expect((await add(captions(2 * 1_048_576))).status).toBe(200);
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
