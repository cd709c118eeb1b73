import { expect, test } from "vitest";
import { buildCourse } from "../../factories/courses.js";
import { addSales } from "../../factories/stored-sales.js";
import { startTestServer } from "../../server/test-server.js";

/** Several batches, and the last one not full. */
const learners = 1_234;

test("exports over many batches hold every row once, though all of them came in the same millisecond", async () => {
  const server = await startTestServer({ own: "exports all rows" });
  const educator = await server.signedIn("educator");
  const admin = await server.signedIn("admin");
  const first = await buildCourse(server, { educatorId: educator.id, courseTitle: "First" });
  const second = await buildCourse(server, { educatorId: educator.id, courseTitle: "Second" });
  await buildCourse(server, { educatorId: educator.id, courseTitle: "Nobody's" });
  const foreign = await buildCourse(server, { educatorId: "user_other" });
  await addSales(server.deps.db, first._id, learners);
  await addSales(server.deps.db, second._id, 500);
  await addSales(server.deps.db, foreign._id, 3);
  const rows = async (path: string, token: string) =>
    ((await server.get(path, token)).body as string)
      .trim()
      .split("\r\n")
      .slice(1)
      .map((row) => row.split(","));

  const students = await rows("/api/educator/enrolled-students.csv", educator.token);
  const listed = (await server.get("/api/educator/enrolled-students", educator.token)).body.enrolledStudents;
  expect(students).toHaveLength(learners + 500);
  expect(students.map((row) => row[1])).toEqual([
    ...Array.from({ length: learners }, () => "First"),
    ...Array.from({ length: 500 }, () => "Second"),
  ]);
  expect(new Set(students.map((row) => `${row[1]} ${row[2]} ${row[4]}`))).toEqual(
    new Set(
      listed.map((enrollment: any) => `${enrollment.courseTitle} ${enrollment.student._id} ${enrollment.purchaseDate}`),
    ),
  );

  const sold = await rows("/api/admin/purchases.csv", admin.token);
  const purchases = (await server.get("/api/admin/purchases", admin.token)).body.purchases;
  expect(sold.map((row) => row[0])).toHaveLength(learners + 503);
  expect(new Set(sold.map((row) => row[0]))).toEqual(new Set(purchases.map(({ _id }: any) => _id)));
});
