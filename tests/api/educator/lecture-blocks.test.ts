import { Types } from "mongoose";
import { expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { migrations } from "../../../src/services/migrations/migrations.js";
import { refusal } from "../../assertions/refusal.js";
import { chapterData, courseData, courseForm, lectureData } from "../../factories/course-forms.js";
import { enroll } from "../../factories/courses.js";
import { addResource } from "../../factories/resources.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "runs jobs over all rows" });
const educator = await server.signedIn("educator");

const text = (markdown: string) => ({ kind: "text", text: markdown });
const contentOf = (...lectures: object[]) => [
  chapterData({
    chapterContent: lectures.map((lecture, n) => lectureData({ lectureId: `l${n}`, lectureOrder: n, ...lecture })),
  }),
];

async function add(...lectures: object[]) {
  const body = courseForm(courseData({ courseContent: contentOf(...lectures) }));
  return server.call("POST", "/api/educator/add-course", { token: educator.token, body });
}
async function added(...lectures: object[]): Promise<string> {
  const { status, body } = await add(...lectures);
  expect({ status, message: body.message }).toMatchObject({ status: 200 });
  return body.courseId;
}
async function read(courseId: string) {
  const { body } = await server.get(`/api/educator/courses/${courseId}`, educator.token);
  return body.course as { version: number; courseContent: { chapterContent: any[] }[] };
}
const lecturesOf = (course: { courseContent: { chapterContent: any[] }[] }) =>
  course.courseContent.flatMap(({ chapterContent }) => chapterContent);
const edit = async (courseId: string, ...lectures: object[]) =>
  server.call("PATCH", `/api/educator/courses/${courseId}`, {
    token: educator.token,
    body: { version: (await read(courseId)).version, courseContent: contentOf(...lectures) },
  });

const video = {
  kind: "video",
  url: "https://v.example/1",
  captions: [{ language: "pt-BR", url: "https://v.example/c" }],
};
const embed = { kind: "embed", url: "https://www.youtube.com/embed/x" };
const quiz = { kind: "quiz", chapterId: "ch-1" };

test("blocks are stored in order, with the HTML of their texts, which no client sends", async () => {
  const sent = { ...text("Hi *you*"), html: "<script>alert(1)</script>" };
  const courseId = await added({ lectureUrl: "", blocks: [sent, video, embed, quiz] });
  const blocks = [{ ...text("Hi *you*"), html: "<p>Hi <em>you</em></p>" }, video, embed, quiz];
  const [lecture] = lecturesOf(await read(courseId));
  expect(lecture).toMatchObject({ lectureUrl: "", blocks });
  const stored = await server.deps.db.Course.findById(courseId).orFail().lean();
  expect(stored.courseContent[0]?.chapterContent[0]?.blocks).toEqual(blocks);
});

test.each([
  ["youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&t=1m30s", "www.youtube.com/embed/dQw4w9WgXcQ?start=90"],
  ["m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ", "www.youtube.com/embed/dQw4w9WgXcQ"],
  ["youtu.be/dQw4w9WgXcQ?si=x&t=42", "www.youtube.com/embed/dQw4w9WgXcQ?start=42"],
  ["www.youtube.com/shorts/dQw4w9WgXcQ", "www.youtube.com/embed/dQw4w9WgXcQ"],
  ["youtube.com/live/dQw4w9WgXcQ?feature=share", "www.youtube.com/embed/dQw4w9WgXcQ"],
  ["vimeo.com/76979871", "player.vimeo.com/video/76979871"],
  ["vimeo.com/76979871/8272103f6e?share=copy#t=30s", "player.vimeo.com/video/76979871?h=8272103f6e#t=30s"],
  ["www.loom.com/share/0281766fa2d04bb788eaf19e65135184", "www.loom.com/embed/0281766fa2d04bb788eaf19e65135184"],
  ["loom.com/share/0281766fa2d04bb788eaf19e65135184", "www.loom.com/embed/0281766fa2d04bb788eaf19e65135184"],
  ["player.vimeo.com/video/76979871?h=a", "player.vimeo.com/video/76979871?h=a"],
  ["www.youtube.com/watch?list=PL1", "www.youtube.com/watch?list=PL1"],
])("the page of a video is stored as its player: %s", async (page, player) => {
  const courseId = await added({ lectureUrl: "", blocks: [{ kind: "embed", url: `https://${page}` }] });
  const [lecture] = lecturesOf(await read(courseId));
  expect(lecture).toMatchObject({ blocks: [{ kind: "embed", url: `https://${player}` }] });
});

test("texts may make 200,000 bytes of HTML each, and 4 MiB in all", async () => {
  const long = `[r]: https://a.example/${"x".repeat(9_000)}\n\n${"[r] ".repeat(2_500)}`;
  const invalid = async (lectures: object[], place: string) => {
    const answer = await add(...lectures);
    expect(answer).toMatchObject(refusal(400, "Invalid request data"));
    expect(answer.headers.get("x-invalid")).toContain(`courseContent.0.chapterContent.${place}.text: `);
  };
  await invalid([{}, { blocks: [video, text(long)] }], "1.blocks.1");
  // 41 of these texts make 4.1 MB.
  const ampersands = (count: number) => [{ blocks: Array(count).fill(text("&".repeat(20_000))) }];
  await invalid(ampersands(42), "0.blocks.41");
  await added(...ampersands(41));
});

test("texts that another version has saved are shown as written until the job renders them", async () => {
  const { db } = server.deps;
  const courseId = await added(
    { blocks: [text("*a* & b"), video] },
    { blocks: [video] },
    { blocks: [text("[r]: b\n\n[r]")] },
  );
  const { updatedAt } = await db.Course.findById(courseId).orFail().lean();
  const shown = async () => lecturesOf(await read(courseId)).map(({ blocks }) => blocks?.[0].html);
  const rendered = await shown();
  const withoutHtml = { $unset: { "courseContent.$[].chapterContent.$[].blocks.$[].html": 1, rendererVersion: 1 } };
  await db.Course.collection.updateOne({ _id: new Types.ObjectId(courseId) }, withoutHtml);
  expect(await shown()).toEqual(["<pre>*a* &amp; b</pre>", undefined, "<pre>[r]: b\n\n[r]</pre>"]);

  await migrations.find(({ name }) => name === "0001-render-lessons")?.up(db, new AbortController().signal);
  const job = backgroundJobs(server.deps).find(({ name }) => name === "render-lessons");
  expect(await job?.backlog()).toMatchObject({ count: 1 });
  expect(await job?.run(new AbortController().signal)).toBe("1 courses with newly rendered texts");
  expect(await shown()).toEqual(rendered);
  expect(await db.Course.findById(courseId).lean()).toMatchObject({ updatedAt, version: 1 });
  expect(await job?.backlog()).toMatchObject({ count: 0 });
});

test("a lecture without blocks is stored and answered as before", async () => {
  const courseId = await added({}, { blocks: [] });
  for (const lecture of lecturesOf(await read(courseId))) expect(lecture).not.toHaveProperty("blocks");
  const stored = await server.deps.db.Course.findById(courseId).orFail().lean();
  for (const lecture of lecturesOf(stored)) expect(lecture).not.toHaveProperty("blocks");
});

test("blocks are shown where the real address may be seen, and nowhere else", async () => {
  const lectures = [
    { isPreviewFree: false, blocks: [text("Paid")] },
    { isPreviewFree: true, blocks: [text("Free")] },
  ];
  const courseId = await added(...lectures);
  const course = await server.deps.db.Course.findById(courseId).orFail().lean();
  const learner = await server.signedIn();
  await enroll(server, learner.id, course._id);
  const visible = async (path: string, token?: string) => {
    const { body } = await server.get(path, token);
    return lecturesOf(body.courseData ?? body.course).map(({ blocks }) => blocks?.[0].html);
  };
  expect(await visible(`/api/course/${courseId}`)).toEqual([undefined, "<p>Free</p>"]);
  expect(await visible(`/api/user/enrolled-courses/${courseId}`, learner.token)).toEqual([
    "<p>Paid</p>",
    "<p>Free</p>",
  ]);
  expect(await visible(`/api/educator/courses/${courseId}`, educator.token)).toEqual(["<p>Paid</p>", "<p>Free</p>"]);
});

test("an edit keeps absent blocks and addresses, and removes blocks that are sent empty", async () => {
  const url = "https://v.example/film";
  const courseId = await added({ lectureUrl: url, blocks: [text("A")] });
  const one = async (fields: object) => {
    const { status, body } = await edit(courseId, { lectureUrl: undefined, ...fields });
    expect({ status, message: body.message }).toMatchObject({ status: 200 });
    const [lecture] = lecturesOf(body.course);
    return [lecture.lectureUrl, lecture.blocks?.map((block: { text: string }) => block.text)];
  };
  expect(await one({})).toEqual([url, ["A"]]);
  expect(await one({ blocks: [text("B"), text("C")] })).toEqual([url, ["B", "C"]]);
  expect(await one({ lectureUrl: "" })).toEqual(["", ["B", "C"]]);
  expect(await one({ lectureUrl: url })).toEqual([url, ["B", "C"]]);
  expect(await one({ lectureUrl: "", blocks: [] })).toEqual([url, undefined]);
  expect(await one({ lectureUrl: "", blocks: [text("D")] })).toEqual(["", ["D"]]);
  expect(await one({})).toEqual(["", ["D"]]);
  // Nothing would be left.
  expect(await edit(courseId, { lectureUrl: "", blocks: [] })).toMatchObject(refusal(400, "Invalid request data"));
});

test("a file block names a resource of the course, which cannot be removed meanwhile", async () => {
  const [courseId, other] = [await added({}), await added({})];
  const { resourceId } = await addResource(server, educator, courseId);
  const foreign = await addResource(server, educator, other);
  const file = (id: string) => ({ blocks: [{ kind: "file", resourceId: id }] });
  const invalid = refusal(400, "Invalid request data");
  expect(await edit(courseId, file(foreign.resourceId))).toMatchObject(invalid);
  expect(await edit(courseId, file("665f1c2ab7e4d90012ab34cd"))).toMatchObject(invalid);
  expect(await add(file(resourceId))).toMatchObject(invalid);
  expect((await edit(courseId, file(resourceId))).status).toBe(200);
  const remove = () =>
    server.call("DELETE", `/api/educator/courses/${courseId}/resources/${resourceId}`, { token: educator.token });
  expect(await remove()).toMatchObject(refusal(409, "Resource is in use"));
  expect((await edit(courseId, { blocks: [] })).status).toBe(200);
  expect(await remove()).toMatchObject({ status: 200 });
});

test("an edit that names a resource and its removal never both succeed", async () => {
  const others = await server.another();
  for (let round = 0; round < 4; round += 1) {
    const courseId = await added({});
    const { resourceId } = await addResource(server, educator, courseId);
    const [edited, removed] = await Promise.all([
      edit(courseId, { blocks: [{ kind: "file", resourceId }] }),
      others.call("DELETE", `/api/educator/courses/${courseId}/resources/${resourceId}`, { token: educator.token }),
    ]);
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([edited.status, removed.status]);
  }
});

test.each<[string, object[]]>([
  ["an unknown kind", [{ kind: "script", text: "x" }]],
  ["an empty text", [text("  ")]],
  ["a text of 20,001 characters", [text("x".repeat(20_001))]],
  ["a video without an address", [{ kind: "video", url: "" }]],
  ["a video by javascript:", [{ kind: "video", url: "javascript:alert(1)" }]],
  ["captions in no language", [{ ...video, captions: [{ language: "not a tag", url: "https://v.example/c" }] }]],
  ["eleven captions", [{ ...video, captions: Array(11).fill(video.captions[0]) }]],
  ["a page of another host", [{ kind: "embed", url: "https://evil.example/" }]],
  ["a host that only ends alike", [{ kind: "embed", url: "https://evilwww.youtube.com.example/" }]],
  ["a page over http", [{ kind: "embed", url: "http://www.youtube.com/embed/x" }]],
  ["a page at another port", [{ kind: "embed", url: "https://www.youtube.com:8443/embed/x" }]],
  ["a quiz of no chapter", [{ kind: "quiz", chapterId: "ch-9" }]],
  ["a malformed resource", [{ kind: "file", resourceId: { $gt: "" } }]],
  ["51 blocks", Array(51).fill(text("x"))],
])("%s is refused", async (_what, blocks) => {
  expect(await add({ blocks })).toMatchObject(refusal(400, "Invalid request data"));
});

test("the texts of a course may have 2 MiB beside a form of 1 MiB", async () => {
  const filled = (bytes: number) => {
    const texts = Array.from({ length: Math.floor(bytes / 20_000) }, () => text("x".repeat(20_000)));
    return [...texts, text("x".repeat(bytes % 20_000))];
  };
  const limit = 2 * 1_048_576;
  const lectures = (bytes: number) => {
    const blocks = filled(bytes);
    return [0, 1, 2].map((n) => ({ blocks: blocks.slice(n * 40, (n + 1) * 40) }));
  };
  const courseId = await added(...lectures(limit));
  expect(await add(...lectures(limit + 1))).toMatchObject(refusal(413, "Request body too large"));
  // An edit counts the texts that it keeps.
  const more = [{}, {}, {}, { blocks: [text("y")] }];
  expect(await edit(courseId, ...more)).toMatchObject(refusal(413, "Request body too large"));
  const long = courseForm(
    courseData({ padding: "x".repeat(1_048_576), courseContent: contentOf({ blocks: [text("x")] }) }),
  );
  const answer = await server.call("POST", "/api/educator/add-course", { token: educator.token, body: long });
  expect(answer).toMatchObject(refusal(413, "Request body too large"));
});
