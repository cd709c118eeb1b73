import { Types } from "mongoose";
import { expect, test } from "vitest";
import { publishCourse } from "../../../src/services/courses/edit-course.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath } from "../../factories/paths.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "lists all paths" });
const { db } = server.deps;
const [educator, other, admin] = [
  await server.signedIn("educator"),
  await server.signedIn("educator"),
  await server.signedIn("admin"),
];
const course = async (educatorId: string, fields = {}) =>
  String((await buildCourse(server, { educatorId, ...fields }))._id);
const [first, second, third] = [await course(educator.id), await course(educator.id), await course(educator.id)];
const draft = await course(educator.id, { isPublished: false });
const foreign = await course(other.id);
const unknown = "665f1c2ab7e4d90012ab34cd";
const invalid = refusal(400, "Invalid request data");
const notFound = refusal(404, "Path not found");
const notAuthorized = refusal(403, "Not authorized");

const form = { title: "From zero to types", courseIds: [first, second] };
const make = (fields: object = {}, { token } = educator) =>
  server.post("/api/educator/paths", { ...form, ...fields }, token);
const edit = (id: unknown, changes: object, { token } = educator) =>
  server.patch(`/api/educator/paths/${id}`, changes, token);
const remove = (id: unknown, { token } = educator) => server.delete(`/api/educator/paths/${id}`, token);
const open = (id: unknown, token?: string) => server.get(`/api/paths/${id}`, token);
const made = async (fields: object = {}) => {
  const { status, body } = await make(fields);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.path;
};
const eventsOf = async (pathId: string) => {
  const { body } = await server.get("/api/educator/events?limit=100", educator.token);
  const own = body.events.filter(({ data }: { data: { pathId?: string } }) => data.pathId === pathId);
  return own.map(({ type, data }: { type: string; data: { version: number } }) => [type, data.version]);
};

test("a path is answered with its courses in order, what they cost alone, and a slug of its own space", async () => {
  const title = "Practical TypeScript";
  const sent = { title, subtitle: " All of it ", description: "**Read**", inOrder: true, price: 1200.5 };
  const path = await made({ ...sent, courseIds: [second.toUpperCase(), first], isPublished: true });
  const one = { courseTitle: title, courseThumbnail: "https://img.example/course.png", coursePrice: 999, discount: 10 };
  const figures = { averageRating: 0, totalLectures: expect.any(Number), totalDurationMinutes: expect.any(Number) };
  expect(path).toEqual({
    ...{ _id: expect.stringMatching(/^[0-9a-f]{24}$/), slug: "practical-typescript", ...sent, subtitle: "All of it" },
    educatorId: { _id: educator.id, name: expect.any(String), imageUrl: expect.any(String) },
    courses: [second, first].map((_id) => ({ _id, ...one, ...figures })),
    ...{ listPrice: 1798.2, learners: 0, isPublished: true, version: 1 },
    ...{ createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/) },
  });
  expect((await make({ title })).body.path).toMatchObject({
    ...{ slug: "practical-typescript-2", subtitle: null, description: "", inOrder: false, price: null },
    isPublished: false,
  });
  expect((await open(path._id)).body).toEqual({ success: true, path });
  expect((await open("Practical-TypeScript")).body).toEqual({ success: true, path });
  expect(await eventsOf(path._id)).toEqual([["path.published", 1]]);
  expect((await made({ title: "道" })).slug).toMatch(/^path-[0-9a-f]{12}$/);
});

test.each<[string, object]>([
  ["no title", { title: " " }],
  ["a long title", { title: "x".repeat(81) }],
  ["a long subtitle", { subtitle: "x".repeat(161) }],
  ["a long description", { description: "x".repeat(20_001) }],
  ["one course", { courseIds: [first] }],
  ["a course twice", { courseIds: [first, first.toUpperCase()] }],
  ["21 courses", { courseIds: Array.from({ length: 21 }, () => String(new Types.ObjectId())) }],
  ["a text for courses", { courseIds: first }],
  ["a price below the provider's minimum", { price: 0.5 }],
  ["a price below 0", { price: -1 }],
  ["a price above all", { price: 10_000_001 }],
  ["an order that is no boolean", { inOrder: "yes" }],
  ["a state that is no boolean", { isPublished: null }],
])("a form with %s is refused, before anything else is looked at", async (_name, fields) => {
  expect(await make(fields)).toMatchObject(invalid);
  expect(await edit(unknown, { ...fields, version: 1 })).toMatchObject(invalid);
});

test.each<[string, string[], ReturnType<typeof refusal>]>([
  ["an unknown course first", [unknown, foreign], refusal(404, "Course not found")],
  ["a malformed id first", ["nonsense", foreign], refusal(404, "Course not found")],
  ["another's course first", [foreign, unknown], notAuthorized],
])("courses with %s are refused as the list goes", async (_name, courseIds, refused) => {
  expect(await make({ courseIds, isPublished: true })).toMatchObject(refused);
  expect(await edit(unknown, { courseIds, version: 1 })).toMatchObject(refused);
});

test("an edit takes any field with the version that was read, and tells of itself", async () => {
  const { _id } = await made({ price: 500 });
  for (const version of [undefined, "1", 1.5, -1]) expect(await edit(_id, { version })).toMatchObject(invalid);
  for (const id of [unknown, "nonsense", "%00"]) expect(await edit(id, { version: 1 })).toMatchObject(notFound);
  expect(await edit(_id, { version: 9 }, other)).toMatchObject(notAuthorized);
  expect(await edit(_id, { version: 2, isPublished: true, courseIds: [first, draft] })).toMatchObject(
    refusal(409, "Path was changed by someone else"),
  );
  const changes = { title: "Other", subtitle: null, courseIds: [third, first, second], price: null, inOrder: true };
  const { body } = await edit(_id, { ...changes, version: 1, isPublished: true });
  const { courseIds, ...fields } = changes;
  expect(body.path).toMatchObject({ ...fields, version: 2, isPublished: true, slug: "from-zero-to-types" });
  expect(body.path.courses.map((one: { _id: string }) => one._id)).toEqual(courseIds);
  expect((await edit(_id, { version: 2, isPublished: false })).body.path).toMatchObject({ version: 3 });
  expect(await eventsOf(_id)).toEqual([
    ...[["path.changed", 2] as const, ["path.published", 2] as const],
    ...[["path.changed", 3] as const, ["path.unpublished", 3] as const],
  ]);
  const racing = await Promise.all([1, 2, 3, 4].map((n) => edit(_id, { version: 3, title: `Racing ${n}` })));
  expect(racing.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test("a published path has published courses when it is published or gets its list", async () => {
  const refused = refusal(409, "Publish its courses first");
  expect(await make({ courseIds: [first, draft], isPublished: true })).toMatchObject(refused);
  const { _id } = await made({ courseIds: [first, draft] });
  expect(await edit(_id, { version: 1, isPublished: true })).toMatchObject(refused);
  expect((await edit(_id, { version: 1, isPublished: true, courseIds: [first, second] })).status).toBe(200);
  expect(await edit(_id, { version: 2, courseIds: [first, draft] })).toMatchObject(refused);
  const manager = { userId: educator.id, role: "educator" as const };
  await publishCourse(db, manager, second, false);
  expect((await edit(_id, { version: 2, title: "Still possible" })).status).toBe(200);
  expect(await edit(_id, { version: 3, isPublished: true })).toMatchObject(refused);
  // It is shown to who knows it, but not listed.
  const listed = async () => (await server.get("/api/paths?q=still", undefined)).body.paths.length;
  expect([(await open(_id)).status, await listed()]).toEqual([200, 0]);
  await publishCourse(db, manager, second, true);
  expect(await listed()).toBe(1);
});

test("a slug changes when it is asked for; the former one leads to the path and stays reserved", async () => {
  const { _id } = await made({ title: "Graph theory", isPublished: true });
  expect((await edit(_id, { version: 1, slug: "trees" })).body.path.slug).toBe("trees");
  expect((await open("graph-theory")).body.path).toMatchObject({ _id, slug: "trees" });
  const second = await made({ title: "Graph theory" });
  expect(second.slug).toBe("graph-theory-2");
  for (const slug of ["trees", "graph-theory"])
    expect(await edit(second._id, { version: 1, slug })).toMatchObject(refusal(409, "Slug is taken"));
  for (const slug of ["Trees", "a--b", "0".repeat(24), null])
    expect(await edit(second._id, { version: 1, slug })).toMatchObject(invalid);
  const races = [_id, second._id].map((one, n) => edit(one, { slug: "wanted", version: n ? 1 : 2 }));
  expect((await Promise.all(races)).map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("a draft is shown to its educator alone", async () => {
  const { _id, slug } = await made({ title: "Secret" });
  for (const id of [_id, slug]) {
    for (const token of [undefined, other.token, admin.token]) expect(await open(id, token)).toMatchObject(notFound);
    expect((await open(id, educator.token)).body.path).toMatchObject({ _id, isPublished: false });
  }
  for (const id of [unknown, "no-such-path", "%00", "%F0", "x".repeat(5_000)])
    expect(await open(id)).toMatchObject(notFound);
});

test("a path is deleted with its template until somebody holds or held it, or has begun to buy it", async () => {
  const { _id } = await made({ title: "Gone", isPublished: true });
  for (const id of [unknown, "nonsense"]) expect(await remove(id)).toMatchObject(notFound);
  expect(await remove(_id, other)).toMatchObject(notAuthorized);
  const pathId = new Types.ObjectId(_id);
  const refused = refusal(409, "Path has learners");
  const grant = await db.Grant.collection.insertOne({ pathId, state: "ended", userId: "user_x" } as never);
  expect(await remove(_id)).toMatchObject(refused);
  await db.Grant.collection.deleteOne({ _id: grant.insertedId });
  for (const status of ["created", "pending", "completed", "refunded", "failed"]) {
    const { insertedId } = await db.Purchase.collection.insertOne({ pathId, status } as never);
    if (status !== "failed") expect([status, await remove(_id)]).toMatchObject([status, refused]);
    await db.Purchase.collection.deleteOne({ _id: insertedId });
  }
  const hold = await db.PathEnrollment.collection.insertOne({ pathId, userId: "user_former", active: false } as never);
  expect(await remove(_id)).toMatchObject(refused);
  await db.PathEnrollment.collection.deleteOne({ _id: hold.insertedId });
  await db.CertificateTemplate.collection.insertOne({ _id: pathId, educatorId: educator.id } as never);
  expect(await remove(_id)).toMatchObject({ status: 200, body: { success: true } });
  expect(await db.CertificateTemplate.countDocuments({ _id: pathId })).toBe(0);
  expect(await open(_id)).toMatchObject(notFound);
  expect(await eventsOf(_id)).toEqual([
    ["path.published", 1],
    ["path.unpublished", 2],
  ]);
});

test("a deletion beside purchases of the path leaves no unfinished purchase of a deleted path", async () => {
  for (let round = 0; round < 3; round += 1) {
    const { _id } = await made({ title: `Round ${round}`, price: 500, isPublished: true });
    const learners = [await server.signedIn(), await server.signedIn()];
    const buy = ({ token }: { token: string }) => server.post("/api/user/purchase", { pathId: _id }, token);
    const [removed] = await Promise.all([remove(_id), ...learners.map(buy)]);
    const opened = await db.Purchase.countDocuments({ pathId: _id });
    expect([200, 409]).toContain(removed.status);
    expect(await db.Path.countDocuments({ _id })).toBe(removed.status === 409 ? 1 : 0);
    if (removed.status === 200) expect(opened).toBe(0);
  }
});

test("an educator has at most a hundred paths, also when they are added at once", async () => {
  const busy = await server.signedIn("educator");
  const courseIds = [await course(busy.id), await course(busy.id)];
  for (let n = 0; n < 98; n += 1)
    await buildPath(server, {
      educatorId: busy.id,
      isPublished: false,
      courseIds: courseIds.map((id) => new Types.ObjectId(id)),
    });
  const answers = await Promise.all(Array.from({ length: 5 }, () => make({ courseIds }, busy)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)).toMatchObject(refusal(409, "Too many paths"));
});
