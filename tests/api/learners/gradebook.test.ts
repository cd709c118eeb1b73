import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { startTestServer } from "../../server/test-server.js";
import { attempt, classroom, complete } from "./classroom.js";

const server = await startTestServer({ own: "lets the AI fail, which other files would notice" });
const { db } = server.deps;

/** The table as its bytes, with its byte order mark. */
const download = (room: Awaited<ReturnType<typeof classroom>>, role: "educator" | "admin" = "educator") =>
  fetch(server.url + room.path("gradebook.csv", role), { headers: { authorization: `Bearer ${room[role].token}` } });

test("has all active learners with lectures and the best result of each chapter", async () => {
  const room = await classroom(server);
  const formula = await room.learner('=HYPERLINK("x")', "cell@mail.example");
  const busy = await room.learner("Busy\rBee");
  await db.Course.updateOne({ _id: room.course._id }, { "courseContent.0.chapterTitle": "Week 1\nIntro" });
  const gone = await room.learner("Gone");
  await db.Enrollment.updateOne({ userId: gone.id }, { active: false });
  await complete(server, busy, room.courseId, "ch2-l2");
  await attempt(server, busy, room.courseId, 4);
  await attempt(server, busy, room.courseId, 1);
  const answer = await download(room);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="gradebook.csv"');
  const text = await answer.text();
  expect(text).not.toContain("@");
  // Line breaks stay within their cells.
  expect(text).toContain(',"Week 1\nIntro",');
  expect(text).toContain('\r\n"Busy\rBee",');
  const titles = ["Week 1\nIntro", room.course.courseContent[1]?.chapterTitle];
  const stamp = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(parse(text, { bom: true })).toEqual([
    ["Name", "User ID", "Enrolled at", "Lectures done", "Lectures total", ...titles],
    ["Busy\rBee", busy.id, stamp, "1", "4", "100", ""],
    ['\'=HYPERLINK("x")', formula.id, stamp, "0", "4", "", ""],
  ]);
  const asAdmin = await download(room, "admin");
  expect(await asAdmin.text()).toBe(text);
});

test("several batches have every learner once", async () => {
  const room = await classroom(server);
  const at = Date.now();
  await db.Enrollment.insertMany(
    Array.from({ length: 501 }, (_, n) => ({
      ...{ userId: `user_many_${n}`, courseId: room.course._id, active: true, enrolledAt: new Date(at - (n >> 2)) },
    })),
  );
  const answer = await download(room);
  const rows: string[][] = parse(await answer.text(), { bom: true });
  expect(new Set(rows.slice(1).map(([, userId]) => userId)).size).toBe(501);
  expect(rows).toHaveLength(502);
});
