import { expect, test } from "vitest";
import { giveSlugs } from "../../../src/services/migrations/migrations.js";
import { refusal } from "../../assertions/refusal.js";
import { courseData, courseForm } from "../../factories/course-forms.js";
import { buildCourse } from "../../factories/courses.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "needs titles that no other test takes" });
const educator = await server.signedIn("educator");

const open = (slug: string) => fetch(`${server.url}/api/course/slug/${slug}`, { redirect: "manual" });
const idOf = async (slug: string) => (await server.get(`/api/course/slug/${slug}`)).body.courseData?._id;
const add = async (courseTitle: string): Promise<string> => {
  const form = courseForm(courseData({ courseTitle, slug: "ignored" }));
  return (await server.post("/api/educator/add-course", form, educator.token)).body.courseId;
};
const edit = (id: unknown, body: object) => server.patch(`/api/educator/courses/${id}`, body, educator.token);

test("the slug is the title's, with a suffix where it is taken, also by a draft or at the same moment", async () => {
  const { _id: draft } = await buildCourse(server, { courseTitle: "C & Go", isPublished: false });
  const second = await add("C++ / Go!");
  expect([await idOf("c-go"), await idOf("c-go-2")]).toEqual([String(draft), second]);
  const other = await server.another();
  const form = () => courseForm(courseData({ courseTitle: "Racing" }));
  const racing = [server, other, server, other].map((instance) =>
    instance.post("/api/educator/add-course", form(), educator.token),
  );
  const ids = (await Promise.all(racing)).map(({ body }) => body.courseId);
  const found = await Promise.all(["racing", "racing-2", "racing-3", "racing-4"].map(idOf));
  expect(found.sort()).toEqual(ids.sort());
  const likeId = "665f1c2ab7e4d90012ab34cd";
  const named = await add(likeId.toUpperCase());
  expect(await idOf(`${likeId}-2`)).toBe(named);
  const chinese = await add("机器学习入门");
  const { slugs } = await server.deps.db.Course.findById(chinese).orFail().lean();
  expect(slugs).toEqual([expect.stringMatching(/^course-[0-9a-f]{12}$/)]);
  for (let n = 5; n < 12; n += 1) await add("Racing");
  const last = await server.deps.db.Course.findById(await add("Racing"))
    .orFail()
    .lean();
  expect(last.slugs).toEqual([expect.stringMatching(/^racing-[0-9a-f]{8}$/)]);
});

test("a slug stays with another title; a new one leaves the former one reserved and redirected", async () => {
  const id = await add("Graph theory");
  await edit(id, { courseTitle: "Trees", version: 1 });
  expect(await idOf("graph-theory")).toBe(id);
  const { body } = await edit(id, { slug: "trees", version: 2 });
  expect(body.course.slug).toBe("trees");
  const own = await server.get(`/api/educator/courses/${id}`, educator.token);
  expect(own.body.course.slug).toBe("trees");
  for (const former of ["graph-theory", "Trees"]) {
    const { status, headers } = await open(former);
    const cache = headers.get("cache-control");
    expect([status, headers.get("location"), cache]).toEqual([301, "/api/course/slug/trees", "no-store"]);
  }
  const other = await add("Graph theory");
  expect(await idOf("graph-theory-2")).toBe(other);
  for (const slug of ["trees", "graph-theory"]) {
    expect(await edit(other, { slug, version: 1 })).toMatchObject(refusal(409, "Slug is taken"));
  }
  for (const slug of ["", "Trees", "a b", "-a", "a--b", "x".repeat(101), "0".repeat(24), null, 7]) {
    expect(await edit(other, { slug, version: 1 })).toMatchObject(refusal(400, "Invalid request data"));
  }
  expect((await edit(id, { slug: " graph-theory ", version: 3 })).status).toBe(200);
  expect((await open("trees")).headers.get("location")).toBe("/api/course/slug/graph-theory");
  const races = [id, other].map((one, n) => edit(one, { slug: "wanted", version: n ? 1 : 4 }));
  expect((await Promise.all(races)).map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("a slug shows the course detail, which by id names no slug; an unknown slug is 404", async () => {
  const { _id } = await buildCourse(server, { courseTitle: "Detail", isPublished: false });
  const byId = (await server.get(`/api/course/${_id}`)).body.courseData;
  const { structuredData, ...bySlug } = (await server.get("/api/course/slug/detail")).body.courseData;
  expect(bySlug).toEqual(byId);
  expect(structuredData["@type"]).toBe("Course");
  for (const unknown of ["no-such-course", "%00", "%F0", "x".repeat(5_000), "665f1c2ab7e4d90012ab34cd"]) {
    expect(await server.get(`/api/course/slug/${unknown}`)).toMatchObject(refusal(404, "Course not found"));
  }
});

test("a course of a version without slugs is found by its id until it gets a slug", async () => {
  const { Course } = server.deps.db;
  const [first, second] = [
    await buildCourse(server, { courseTitle: "Older" }),
    await buildCourse(server, { courseTitle: "Older" }),
  ];
  await Course.updateMany({ courseTitle: "Older" }, { $unset: { slugs: 1 } });
  expect(await idOf(String(second._id))).toBe(String(second._id));
  await Promise.all([giveSlugs(server.deps.db), giveSlugs((await server.another()).deps.db)]);
  expect([await idOf("older"), await idOf("older-2")]).toEqual([String(first._id), String(second._id)]);
  expect((await open(String(second._id))).status).toBe(404);
});
