import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { addResource } from "../../factories/resources.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const educator = await server.signedIn("educator");

async function scene() {
  const course = await buildCourse(server, { educatorId: educator.id });
  const learner = await server.signedIn();
  await enroll(server, learner.id, course._id);
  const path = (lectureId: string) => `/api/user/enrolled-courses/${course._id}/lectures/${lectureId}`;
  return { course, learner, read: (lectureId: string, token = learner.token) => server.get(path(lectureId), token) };
}

test("a learner reads one lecture with its blocks and files", async () => {
  const { course, learner, read } = await scene();
  const resource = await addResource(server, educator, course._id);
  await addResource(server, educator, course._id);
  const chapters = buildChapters();
  const blocks = [
    { kind: "text" as const, text: "*Hi*" },
    { kind: "file" as const, resourceId: resource.resourceId },
  ];
  const [chapter] = chapters;
  const [lecture] = chapter?.chapterContent ?? [];
  if (!chapter || !lecture) throw new Error("the factory builds no lecture");
  lecture.blocks = blocks;
  const edit = { version: course.version, courseContent: chapters };
  const edited = await server.call("PATCH", `/api/educator/courses/${course._id}`, {
    ...{ token: educator.token, body: edit },
  });
  expect(edited.status).toBe(200);
  const { createdAt: _createdAt, ...file } = resource;
  const expected = {
    ...lecture,
    ...{ lectureOrder: 1, chapterId: chapter.chapterId, isCompleted: false, opensAt: null },
    blocks: [{ ...blocks[0], html: "<p><em>Hi</em></p>" }, blocks[1]],
    resources: [{ ...file, url: `/api/user/resources/${course._id}/${file.resourceId}` }],
  };
  expect((await read(lecture.lectureId)).body).toEqual({ success: true, lecture: expected });

  const progress = { courseId: String(course._id), lectureId: lecture.lectureId };
  await server.post("/api/user/update-course-progress", progress, learner.token);
  expect((await read(lecture.lectureId)).body.lecture.isCompleted).toBe(true);
  const plain = (await read("ch2-l1")).body.lecture;
  expect(plain).toMatchObject({ chapterId: "ch2", blocks: [], resources: [], isCompleted: false });
});

test("others are refused as by the player, and an unknown lecture is not found", async () => {
  const { course, learner, read } = await scene();
  const stranger = await server.signedIn();
  const denied = refusal(403, "Access denied or course not found");
  expect(await read("ch1-l1", stranger.token)).toMatchObject(denied);
  // The player has no place for an educator who is not enrolled either.
  expect(await server.get(`/api/user/enrolled-courses/${course._id}`, educator.token)).toMatchObject(denied);
  expect(await read("ch1-l1", educator.token)).toMatchObject(denied);
  for (const lectureId of ["ch9-l9", "$educatorId", "%24where"]) {
    expect(await read(lectureId)).toMatchObject(refusal(404, "Lecture not found"));
  }
  const other = String(course._id).replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
  const path = `/api/user/enrolled-courses/${other}/lectures/ch1-l1`;
  expect(await server.get(path, learner.token)).toMatchObject(denied);
});
