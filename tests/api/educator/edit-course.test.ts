import { Types } from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { addCourseFigures } from "../../../src/models/courses/course-queries.js";
import { insertCourse } from "../../../src/services/courses/create-course.js";
import { refusal } from "../../assertions/refusal.js";
import { chapterData, courseData, courseForm, lectureData, png } from "../../factories/course-forms.js";
import { storageOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";

const server = await startTestServer();
let educator: SignedIn;
let courseId: string;
beforeEach(async () => {
  educator = await server.signedIn("educator", "Meera Iyer");
  courseId = await add(courseData({ courseContent: [chapterData({ chapterContent: lectures })] }));
});

const lectures = [
  lectureData(),
  lectureData({ lectureId: "lec-2", lectureTitle: "Paths", lectureOrder: 2, isPreviewFree: false }),
];
const add = async (data: unknown, { token } = educator): Promise<string> =>
  (await server.post("/api/educator/add-course", courseForm(data), token)).body.courseId;
const edit = (body: unknown, { token } = educator, id = courseId) =>
  server.patch(`/api/educator/courses/${id}`, body, token);
const publish = (body: unknown, { token } = educator, id = courseId) =>
  server.patch(`/api/educator/courses/${id}/publish`, body, token);
const shown = async () => (await server.get(`/api/educator/courses/${courseId}`, educator.token)).body.course;
const assetNames = () =>
  storageOf(server.emulators)
    .assets()
    .map(({ publicId }) => publicId);

const changed = refusal(409, "Course was changed by someone else");
const unfit = refusal(400, "Invalid request data");
const notFound = refusal(404, "Course not found");
const notOwner = refusal(403, "Not authorized");

describe("editing", () => {
  test("changes what is named, raises the version, and answers with real addresses", async () => {
    const answer = await edit({ courseTitle: "  Graphs ", coursePrice: "1999.999", version: 1, averageRating: 5 });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    const { course } = answer.body;
    expect(course).toMatchObject({
      _id: courseId,
      courseTitle: "Graphs",
      coursePrice: 2000,
      discount: 20,
      averageRating: 0,
      version: 2,
      totalLectures: 2,
      educatorId: { _id: educator.id, name: "Meera Iyer" },
    });
    expect(course.courseContent[0].chapterContent[1].lectureUrl).toBe("https://video.example/welcome");
    expect(course).toEqual(await shown());
    const publicView = (await server.get(`/api/course/${courseId}`)).body.courseData;
    expect(publicView.courseContent[0].chapterContent[1].lectureUrl).toBe("");
    expect(Object.keys(course).sort()).toEqual([...Object.keys(publicView), "slug", "version"].sort());
  });

  test("optional facts show in the detail once they are set, never in the catalog, and null clears them", async () => {
    const facts = {
      subtitle: "From trees to networks",
      category: "Computer science",
      tags: ["graphs", "trees"],
      level: "beginner",
      language: "en-GB",
      outcomes: ["Walk a graph"],
      requirements: ["Arrays"],
    };
    courseId = await add(courseData(facts));
    const detail = async () => (await server.get(`/api/course/${courseId}`)).body.courseData;
    expect(await detail()).toMatchObject(facts);
    const { courses } = (await server.get("/api/course/all")).body;
    expect(courses.find(({ _id }: { _id: string }) => _id === courseId)).not.toHaveProperty("subtitle");
    const cleared = await edit({ ...Object.fromEntries(Object.keys(facts).map((field) => [field, null])), version: 1 });
    expect(cleared.status).toBe(200);
    for (const field of Object.keys(facts)) expect(await detail()).not.toHaveProperty(field);
    expect((await edit({ subtitle: "", level: "advanced", version: 2 })).body.course).toMatchObject({
      level: "advanced",
    });
    expect(await detail()).not.toHaveProperty("subtitle");
  });

  test("optional facts have bounds, and a tag is kept once", async () => {
    const many = (count: number, text: string) => Array.from({ length: count }, (_, n) => `${n}`.padEnd(2) + text);
    const widest = {
      ...{ subtitle: "\u{1F600}".repeat(160), category: "x".repeat(60), language: "sl-rozaj-biske-1994" },
      ...{ tags: many(10, "x".repeat(28)), outcomes: many(12, "y".repeat(158)), requirements: [], level: "all" },
    };
    expect((await edit({ ...widest, version: 1 })).body.course).toMatchObject(widest);
    for (const [n, language] of ["zh-yue", "x-private", "en-GB-oed", "i-klingon"].entries()) {
      expect((await edit({ language: ` ${language} `, version: 2 + n })).body.course.language).toBe(language);
    }
    expect((await edit({ tags: [" SQL", "sql", "Sql ", "no"], version: 6 })).body.course.tags).toEqual(["SQL", "no"]);
    for (const fact of [
      ...[{ subtitle: "x".repeat(161) }, { category: "" }, { category: "x".repeat(61) }, { level: "expert" }],
      ...[{ tags: many(11, "x") }, { tags: [""] }, { tags: ["x".repeat(31)] }, { tags: "sql" }, { tags: [null] }],
      ...[{ outcomes: many(13, "x") }, { requirements: ["x".repeat(161)] }, { outcomes: [" "] }],
      ...["", "english!", "en_GB", "e", "x".repeat(36)].map((language) => ({ language })),
    ]) {
      expect([fact, await edit({ ...fact, version: 7 })]).toMatchObject([fact, unfit]);
    }
  });

  test("a known lecture sent without an address keeps its own; reordering and totals follow", async () => {
    const courseContent = [
      chapterData({ chapterId: "new", chapterOrder: 5, chapterContent: [lectureData({ lectureId: "lec-3" })] }),
      chapterData({
        chapterOrder: 9,
        chapterContent: [
          lectureData({ lectureId: "lec-2", lectureUrl: "", lectureOrder: 1 }),
          lectureData({ lectureUrl: undefined, lectureOrder: 2, lectureDuration: 3 }),
        ],
      }),
    ];
    const { course } = (await edit({ courseContent, version: 1 })).body;
    expect(course.courseContent).toMatchObject([
      { chapterId: "new", chapterOrder: 1, chapterContent: [{ lectureId: "lec-3" }] },
      {
        chapterId: "ch-1",
        chapterOrder: 2,
        chapterContent: [
          { lectureId: "lec-2", lectureOrder: 1, lectureUrl: "https://video.example/welcome" },
          { lectureId: "lec-1", lectureOrder: 2, lectureUrl: "https://video.example/welcome", lectureDuration: 3 },
        ],
      },
    ]);
    expect(course).toMatchObject({ totalLectures: 3, totalDurationMinutes: 27 });
  });

  test("a new lecture needs an address, and nothing changes when one lacks it", async () => {
    const courseContent = [chapterData({ chapterContent: [lectureData({ lectureId: "other", lectureUrl: "" })] })];
    const before = await shown();
    expect(await edit({ courseContent, version: 1 })).toMatchObject(unfit);
    expect(await shown()).toEqual(before);
  });

  test("of several edits of one version exactly one wins", async () => {
    expect(await edit({ courseTitle: "First", version: 1 })).toMatchObject({ status: 200 });
    expect(await edit({ courseTitle: "late", version: 1 })).toMatchObject(changed);
    expect(await edit({ version: 2 })).toMatchObject({ status: 200, body: { course: { version: 3 } } });
  });

  const cases: [string, unknown][] = [
    ["no version", { courseTitle: "x" }],
    ["a version in words", { version: "one" }],
    ["half a version", { version: 1.5 }],
    ["a blank title", { courseTitle: " ", version: 1 }],
    ["a title of null", { courseTitle: null, version: 1 }],
    ["a price that is too high", { coursePrice: 1e308, version: 1 }],
    ["a discount that leaves less than one unit to pay", { discount: 99.99, version: 1 }],
    ["a price that the present discount makes too small", { coursePrice: 1, version: 1 }],
    ["a lecture id twice", { courseContent: [chapterData(), chapterData({ chapterId: "b" })], version: 1 }],
    [
      "a link that is none",
      { courseContent: [chapterData({ chapterContent: [lectureData({ lectureUrl: "ftp://a" })] })], version: 1 },
    ],
    ["isPublished in words", { isPublished: "no", version: 1 }],
  ];
  test.each(cases)("is refused with %s", async (_name, body) => {
    const before = await shown();
    expect(await edit(body)).toMatchObject(unfit);
    expect(await shown()).toEqual(before);
  });

  test("others' courses and missing ones are refused", async () => {
    const other = await server.signedIn("educator");
    expect(await edit({ version: 1 }, other)).toMatchObject(notOwner);
    expect(await publish({ isPublished: false }, other)).toMatchObject(notOwner);
    expect(await server.get(`/api/educator/courses/${courseId}`, other.token)).toMatchObject(notOwner);
    const nowhere = "665f1c2ab7e4d90012ab34cd";
    expect(await edit({ version: 1 }, educator, nowhere)).toMatchObject(notFound);
    expect(await publish({ isPublished: true }, educator, nowhere)).toMatchObject(notFound);
    expect(await server.get(`/api/educator/courses/${nowhere}`, educator.token)).toMatchObject(notFound);
  });
});

describe("editing with a form", () => {
  const image = { bytes: Buffer.concat([png(), Buffer.from("another")]) };

  test("replaces the thumbnail: the new one is served, the old file goes", async () => {
    const before = await shown();
    const [oldFile] = assetNames().filter((name) => name.includes(courseId));
    const answer = await edit(courseForm({ version: "1", courseTitle: "With a new face" }, image));
    expect(answer).toMatchObject({ status: 200, body: { course: { version: 2, courseTitle: "With a new face" } } });
    const { courseThumbnail } = answer.body.course;
    expect(courseThumbnail).not.toBe(before.courseThumbnail);
    expect(Buffer.from(await (await fetch(courseThumbnail)).arrayBuffer())).toEqual(image.bytes);
    await expect.poll(() => assetNames().filter((name) => name.includes(courseId))).toHaveLength(1);
    expect(assetNames()).not.toContain(oldFile);
  });

  test("the thumbnail alone is enough, with the version as a field", async () => {
    const form = courseForm(null, image);
    form.append("version", "1");
    expect(await edit(form)).toMatchObject({ status: 200, body: { course: { version: 2 } } });
  });

  test("without an image it is an edit like any other", async () => {
    const { courseThumbnail } = await shown();
    const answer = await edit(courseForm({ version: 1, discount: "0" }, null));
    expect(answer).toMatchObject({ status: 200, body: { course: { discount: 0, courseThumbnail } } });
  });

  test("what is refused uploads nothing, and a lost race removes its upload", async () => {
    const before = assetNames();
    const refusals: [FormData, SignedIn, number][] = [
      [courseForm({ version: 1 }, { bytes: Buffer.from("<svg/>") }), educator, 400],
      [courseForm({ version: 1 }, { bytes: png(5 * 1_048_576) }), educator, 413],
      [courseForm("{", image), educator, 400],
      [courseForm("[]", image), educator, 400],
      [courseForm(null, image), educator, 400],
      [courseForm({ version: 7 }, image), educator, 409],
      [courseForm({ version: 1 }, image), await server.signedIn("educator"), 403],
      [courseForm({ version: 1 }, image), await server.signedIn("student"), 403],
    ];
    for (const [form, caller, status] of refusals) expect((await edit(form, caller)).status).toBe(status);
    expect(assetNames()).toEqual(before);

    const answers = await Promise.all(Array.from({ length: 4 }, () => edit(courseForm({ version: 1 }, image))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    await expect.poll(() => assetNames().filter((name) => name.includes(courseId))).toHaveLength(1);
    expect((await fetch((await shown()).courseThumbnail)).status).toBe(200);
  });

  test("an upload that fails changes nothing", async () => {
    const before = await shown();
    storageOf(server.emulators).faults.add({ kind: "cut", times: 1 });
    expect(await edit(courseForm({ version: 1, courseTitle: "x" }, image))).toMatchObject({ status: 500 });
    expect(await shown()).toEqual(before);
  });
});

describe("publishing", () => {
  test("withdraws and publishes, raising the version each time", async () => {
    expect((await publish({ isPublished: false })).body).toEqual({ success: true, isPublished: false, version: 2 });
    expect((await publish({ isPublished: true })).body).toEqual({ success: true, isPublished: true, version: 3 });
    expect((await shown()).isPublished).toBe(true);
  });

  test("a course without a lecture is not published, by whatever route, but can be withdrawn", async () => {
    courseId = await add(courseData({ courseContent: [chapterData({ chapterContent: [] })], isPublished: false }));
    const nothingToShow = { status: 400, body: { message: "Add at least one lecture before publishing" } };
    expect(await publish({ isPublished: true })).toMatchObject(nothingToShow);
    expect(await edit({ isPublished: true, version: 1 })).toMatchObject(nothingToShow);
    expect(await publish({ isPublished: false })).toMatchObject({ status: 200 });
    const courseContent = [chapterData()];
    expect(await edit({ courseContent, isPublished: true, version: 2 })).toMatchObject({ status: 200 });
  });

  test.each([[{}], [{ isPublished: "true" }], [{ isPublished: null }], [{ isPublished: 1 }]])(
    "refuses %j",
    async (body) => {
      expect(await publish(body)).toMatchObject(unfit);
    },
  );
});

describe("one transaction", () => {
  const listed = async () =>
    (await server.get("/api/course/all")).body.courses.find(({ _id }: { _id: string }) => _id === courseId);

  test("a new course that is stored again, because its commit was not answered, is the same one", async () => {
    const { db } = server.deps;
    const { _id, educatorId, ...course } = await db.Course.findById(courseId).orFail().lean();
    const again = { ...course, _id: new Types.ObjectId(), educatorId: "user_again" };
    for (let n = 0; n < 2; n += 1) await db.transaction((session) => insertCourse(db, session, again));
    expect(await db.Course.countDocuments({ educatorId: "user_again" })).toBe(1);
  });

  test("edits, publishing and sales of one course at once on two instances all count", async () => {
    const other = await server.another();
    const { db } = server.deps;
    const _id = new Types.ObjectId(courseId);
    const sell = ({ deps }: TestServer) =>
      deps.db.transaction((session) => addCourseFigures(deps.db, _id, { totalEnrolledStudents: 1 }, session), {
        mutex: `course:${courseId}`,
      });
    const instances = Array.from({ length: 12 }, (_, n) => (n % 2 ? other : server));
    const answers = await Promise.all(
      instances.flatMap((instance, n) => [
        instance.patch(`/api/educator/courses/${courseId}/publish`, { isPublished: n % 3 > 0 }, educator.token),
        instance.patch(`/api/educator/courses/${courseId}`, { courseTitle: `T${n}`, version: 1 }, educator.token),
        sell(instance).then(() => ({ status: 200 })),
      ]),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const published = answers.filter((_answer, index) => index % 3 === 0) as { status: number; body: any }[];
    expect(published.map(({ status }) => status)).toEqual(published.map(() => 200));
    expect(new Set(published.map(({ body }) => body.version)).size).toBe(12);
    const edited = answers.filter(({ status }, index) => index % 3 === 1 && status === 200).length;
    expect(edited).toBeLessThanOrEqual(1);
    const course = await db.Course.findById(courseId).orFail();
    expect(course).toMatchObject({ version: 13 + edited, totalEnrolledStudents: 12 });
    expect(await listed()).toEqual(
      course.isPublished ? expect.objectContaining({ courseTitle: course.courseTitle }) : undefined,
    );
  });
});
