import { Types } from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { addCourseFigures } from "../../../src/models/courses/course-queries.js";
import { insertCourse } from "../../../src/services/courses/create-course.js";
import { commandsDuring } from "../../assertions/commands.js";
import { chapterData, courseData, courseForm, lectureData, png } from "../../factories/course-forms.js";
import { enroll } from "../../factories/courses.js";
import { dieAtEveryWrite, requestBy } from "../../server/dying-instance.js";
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

const changed = { status: 409, body: { success: false, message: "Course was changed by someone else" } };
const unfit = { status: 400, body: { success: false, message: "Invalid request data" } };
const notFound = { status: 404, body: { success: false, message: "Course not found" } };
const notOwner = { status: 403, body: { success: false, message: "Not authorized" } };

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
    expect(Object.keys(course).sort()).toEqual([...Object.keys(publicView), "version"].sort());
  });

  test("the public catalog shows it at once", async () => {
    await server.get("/api/course/all");
    await edit({ courseTitle: "Graphs for everyone", version: 1 });
    const catalog = (await server.get("/api/course/all")).body.courses;
    expect(catalog.find((course: any) => course._id === courseId).courseTitle).toBe("Graphs for everyone");
    await publish({ isPublished: false });
    const after = (await server.get("/api/course/all")).body.courses;
    expect(after.map((course: any) => course._id)).not.toContain(courseId);
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

  test("of simultaneous edits of one version exactly one wins", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => edit({ courseTitle: `Title ${n}`, version: 1 })),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(await shown()).toEqual(winners[0]?.body.course);
    expect(await edit({ courseTitle: "late", version: 1 })).toMatchObject(changed);
    expect(await edit({ version: 2 })).toMatchObject({ status: 200, body: { course: { version: 3 } } });
  });

  test("enrollments leave the version alone, so an editor is not disturbed by sales", async () => {
    const learner = await server.signedIn();
    const course = await server.deps.db.Course.findById(courseId).orFail();
    await enroll(server, learner.id, course._id);
    expect(await edit({ courseTitle: "Graphs", version: 1 })).toMatchObject({ status: 200 });
  });

  test("learners keep their progress, and completion latches, when lectures change", async () => {
    const learner = await server.signedIn();
    const course = await server.deps.db.Course.findById(courseId).orFail();
    await enroll(server, learner.id, course._id);
    const finish = (lectureId: string) =>
      server.post("/api/user/update-course-progress", { courseId, lectureId }, learner.token);
    await finish("lec-1");
    expect((await finish("lec-2")).body.isCourseCompleted).toBe(true);
    const more = chapterData({ chapterId: "ch-2", chapterContent: [lectureData({ lectureId: "lec-9" })] });
    await edit({ courseContent: [chapterData({ chapterContent: lectures }), more], version: 1 });
    const { progressData } = (await server.post("/api/user/get-course-progress", { courseId }, learner.token)).body;
    expect(progressData).toMatchObject({ completed: true, lectureCompleted: ["lec-1", "lec-2"] });
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

  test("others' courses, missing ones and malformed ids", async () => {
    const other = await server.signedIn("educator");
    expect(await edit({ version: 1 }, other)).toMatchObject(notOwner);
    expect(await publish({ isPublished: false }, other)).toMatchObject(notOwner);
    expect(await server.get(`/api/educator/courses/${courseId}`, other.token)).toMatchObject(notOwner);
    const nowhere = "665f1c2ab7e4d90012ab34cd";
    expect(await edit({ version: 1 }, educator, nowhere)).toMatchObject(notFound);
    expect(await publish({ isPublished: true }, educator, nowhere)).toMatchObject(notFound);
    expect(await server.get(`/api/educator/courses/${nowhere}`, educator.token)).toMatchObject(notFound);
    expect(await edit({ version: 1 }, educator, "nonsense")).toMatchObject({ status: 500 });
    expect(await publish({ isPublished: true }, educator, "nonsense")).toMatchObject({ status: 500 });
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
  const names = (commands: object[]) => commands.map((command) => Object.entries(command)[0]?.join(" "));
  const commit = "commitTransaction 1";

  test("an instance that dies between any two writes of an edit leaves all or nothing, and a repeat works", async () => {
    await dieAtEveryWrite(server, async () => {
      courseId = await add(courseData());
      await listed();
      return {
        request: requestBy(educator, "PATCH", `/api/educator/courses/${courseId}`, {
          courseTitle: "Changed",
          version: 1,
        }),
        async check(died) {
          const stored = died ? { courseTitle: "Graph theory", version: 1 } : { courseTitle: "Changed", version: 2 };
          expect(await shown()).toMatchObject(stored);
          expect((await listed()).courseTitle).toBe(stored.courseTitle);
          expect(await edit({ courseTitle: "Repeated", version: stored.version })).toMatchObject({ status: 200 });
          expect((await listed()).courseTitle).toBe("Repeated");
        },
      };
    });
  }, 60_000);

  test("an instance that dies between any two writes of a new course leaves all or nothing", async () => {
    await dieAtEveryWrite(server, async () => {
      const maker = await server.signedIn("educator");
      const { body, type } = await encoded(courseForm());
      return {
        request: {
          path: "/api/educator/add-course",
          method: "POST",
          body,
          headers: { authorization: `Bearer ${maker.token}`, "content-type": type },
        },
        async check(died) {
          const own = async () => (await server.get("/api/educator/courses", maker.token)).body.courses;
          expect(await own()).toHaveLength(died ? 0 : 1);
          expect((await server.deps.db.Account.findById(maker.id).lean())?.hasCourses).toBe(died ? undefined : true);
          courseId = await add(courseData(), maker);
          expect(await listed()).toBeDefined();
        },
      };
    });
  }, 60_000);

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

  test("an edit takes five commands, publishing four, a new course six", async () => {
    const watched = await startTestServer({ own: "counts commands" });
    const { token } = await watched.signedIn("educator");
    let answer: any;
    const cost = async (work: () => Promise<unknown>) => {
      const sent = names(await commandsDuring(watched, async () => (answer = await work())));
      expect(answer.status).toBe(200);
      return sent;
    };
    const roleOfCaller = "find rolerecords";
    const [update, told, touch] = ["findAndModify courses", "insert events", "update catalogrevisions"];
    expect(await cost(() => watched.post("/api/educator/add-course", courseForm(), token))).toEqual([
      ...[roleOfCaller, "find courses", "insert courses", told, "update accounts", touch, commit],
    ]);
    const path = `/api/educator/courses/${answer.body.courseId}`;
    expect(await cost(() => watched.patch(path, { courseTitle: "Paths", version: 1 }, token))).toEqual([
      ...[roleOfCaller, "find courses", update, told, touch, commit],
      // The educator's name, for the reply.
      "find users",
    ]);
    expect(await cost(() => watched.patch(`${path}/publish`, { isPublished: false }, token))).toEqual([
      ...[roleOfCaller, update, told, touch, commit],
    ]);
  });
});

/** A form as the bytes that a browser sends. */
async function encoded(form: FormData): Promise<{ body: Buffer; type: string }> {
  const response = new Response(form);
  return { body: Buffer.from(await response.arrayBuffer()), type: response.headers.get("content-type") ?? "" };
}
