import { expect, test } from "vitest";
import { buildCourse } from "../../factories/courses.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "lists all courses" });

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

test("an edit that a failover undid is not taken for the one that gets its version", async () => {
  const { Course, CatalogRevision } = server.deps.db;
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id, courseTitle: "Before" });
  const edit = (courseTitle: string) =>
    server.patch(`/api/educator/courses/${course._id}`, { courseTitle, version: course.version }, educator.token);
  const shown = async () => {
    const { courses } = (await server.get("/api/course/all")).body;
    const listed = courses.find(({ _id }: { _id: string }) => _id === String(course._id));
    const { courseData } = (await server.get(`/api/course/${course._id}`)).body;
    return [listed.courseTitle, courseData.courseTitle];
  };
  const before = await CatalogRevision.findById("catalog").lean();
  expect((await edit("Undone")).status).toBe(200);
  expect(await shown()).toEqual(["Undone", "Undone"]);
  await Course.collection.replaceOne({ _id: course._id }, course);
  await CatalogRevision.replaceOne({ _id: "catalog" }, before ?? {});
  expect((await edit("After")).status).toBe(200);
  expect(await shown()).toEqual(["After", "After"]);
});
