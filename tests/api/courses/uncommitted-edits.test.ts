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
