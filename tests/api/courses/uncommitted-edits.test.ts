import { expect, test } from "vitest";
import { buildCourse } from "../../factories/courses.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();

test("a reader of the catalog who comes between the writes of an edit and its commit sees it afterwards all the same", async () => {
  const educator = await server.signedIn("educator");
  const { _id, version } = await buildCourse(server, { educatorId: educator.id, courseTitle: "Before" });
  const titles = async (): Promise<string[]> =>
    (await server.get("/api/course/all")).body.courses.map(({ courseTitle }: { courseTitle: string }) => courseTitle);
  expect(await titles()).toEqual(["Before"]);

  const proxy = await startDatabaseProxy(server.databaseUri);
  const other = await server.another({ MONGODB_URI: proxy.uri });
  // The course, the revision of the catalog, the commit.
  const held = proxy.holdAfter(2);
  const edited = other.patch(`/api/educator/courses/${_id}`, { courseTitle: "After", version }, educator.token);
  await held;
  expect(await titles()).toEqual(["Before"]);
  proxy.release();
  expect(await edited).toMatchObject({ status: 200 });
  expect(await titles()).toEqual(["After"]);
  await other.close();
  await proxy.close();
});

test("an edit that a failover undid is not taken for the one that gets its number", async () => {
  const { Course, CatalogRevision } = server.deps.db;
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id, courseTitle: "Before" });
  const path = `/api/educator/courses/${course._id}`;
  const rows = async () => [
    await Course.collection.find({}).toArray(),
    await CatalogRevision.collection.find({}).toArray(),
  ];
  const before = await rows();
  /** Edits the course. @returns the part of the catalog's revision that this has raised. */
  const edit = async (courseTitle: string) => {
    const { status } = await server.patch(path, { courseTitle, version: course.version }, educator.token);
    expect(status).toBe(200);
    const [, parts = []] = await rows();
    return parts.find(({ _id, revision }) => before[1]?.some((was) => was._id === _id && was.revision !== revision))
      ?._id;
  };
  const undo = async () => {
    for (const [i, { collection }] of [Course, CatalogRevision].entries()) {
      for (const row of before[i] ?? []) await collection.replaceOne({ _id: row._id }, row);
    }
  };
  const shown = async () => {
    const { courses } = (await server.get("/api/course/all")).body;
    const listed = courses.find(({ _id }: { _id: string }) => _id === String(course._id));
    const { courseData } = (await server.get(`/api/course/${course._id}`)).body;
    return [listed.courseTitle, courseData.courseTitle];
  };
  expect(await shown()).toEqual(["Before", "Before"]);
  const raised = await edit("Undone");
  expect(await shown()).toEqual(["Undone", "Undone"]);
  do await undo();
  while ((await edit("After")) !== raised);
  expect(await shown()).toEqual(["After", "After"]);
});
