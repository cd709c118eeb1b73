import { beforeEach, describe, expect, test } from "vitest";
import { chapterData, courseData, courseForm, lectureData, png } from "../../factories/course-forms.js";
import { storageOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
let educator: SignedIn;
beforeEach(async () => {
  educator = await server.signedIn("educator", "Meera Iyer");
});

const add = (form: FormData | null = courseForm(), token = educator.token) =>
  server.post("/api/educator/add-course", form ?? undefined, token);

async function added(fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await add(courseForm(courseData(fields)));
  expect(answer.body).toMatchObject({ success: true, message: "Course Added Succesfully" });
  return answer.body.courseId;
}

const stored = (courseId: string) => server.deps.db.Course.findById(courseId).lean();
const own = async () => (await server.get("/api/educator/courses", educator.token)).body.courses;

describe("adding a course", () => {
  test("a form as the browser sends it becomes a course with computed totals", async () => {
    const second = chapterData({
      chapterId: "ch-2",
      chapterTitle: "  Trees  ",
      chapterOrder: 7,
      chapterContent: [
        lectureData({ lectureId: "b", lectureOrder: 9, lectureDuration: "7.5", isPreviewFree: false }),
        lectureData({ lectureId: "a", lectureOrder: "2", lectureDuration: 0.5 }),
        lectureData({ lectureId: "c", lectureOrder: 9, lectureDuration: 1 }),
      ],
    });
    const courseId = await added({ courseContent: [second, chapterData({ chapterOrder: "1" })], collapsed: true });

    const { courseData: shown } = (await server.get(`/api/course/${courseId}`)).body;
    expect(shown).toMatchObject({
      courseTitle: "Graph theory",
      coursePrice: 2499,
      discount: 20,
      isPublished: true,
      totalLectures: 4,
      totalDurationMinutes: 21,
      totalEnrolledStudents: 0,
      educatorId: { _id: educator.id, name: "Meera Iyer" },
    });
    const order = shown.courseContent.map((chapter: any) => [
      chapter.chapterId,
      chapter.chapterTitle,
      chapter.chapterOrder,
      chapter.chapterContent.map((lecture: any) => [lecture.lectureId, lecture.lectureOrder]),
    ]);
    expect(order).toEqual([
      ["ch-1", "Start", 1, [["lec-1", 1]]],
      [
        "ch-2",
        "Trees",
        2,
        [
          ["a", 1],
          ["b", 2],
          ["c", 3],
        ],
      ],
    ]);
    expect(JSON.stringify(await stored(courseId))).not.toContain("collapsed");
    const thumbnail = await fetch(shown.courseThumbnail);
    expect(thumbnail.status).toBe(200);
    expect(Buffer.from(await thumbnail.arrayBuffer())).toEqual(png());
  });

  test("it is in the public catalog, and in its educator's list, at once", async () => {
    const courseId = await added();
    const catalog = (await server.get("/api/course/all")).body.courses;
    expect(catalog.map((course: any) => course._id)).toContain(courseId);
    expect(await own()).toEqual([
      {
        _id: courseId,
        courseTitle: "Graph theory",
        courseThumbnail: expect.stringMatching(/^http/),
        coursePrice: 2499,
        discount: 20,
        isPublished: true,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        enrolledStudentsCount: 0,
        version: 1,
      },
    ]);
  });

  test("a course whose upload took long comes after those that were added meanwhile", async () => {
    storageOf(server.emulators).faults.add({ kind: "slow", ms: 2_000, on: "upload", times: 1 });
    const slow = added({ courseTitle: "Begun first" });
    await expect.poll(() => storageOf(server.emulators).faults.list()).toEqual([]);
    await added({ courseTitle: "Added first" });
    await slow;
    const { courses } = (await server.get("/api/course/all")).body;
    expect(courses.map(({ courseTitle }: any) => courseTitle).slice(-2)).toEqual(["Added first", "Begun first"]);
    expect((await own()).map(({ courseTitle }: any) => courseTitle)).toEqual(["Added first", "Begun first"]);
  });

  test("an empty curriculum, a free course, a price of one unit and a full discount are fine; drafts stay drafts", async () => {
    await added({ courseContent: [], isPublished: false });
    await added({ courseContent: [chapterData({ chapterContent: [] })] });
    await added({ coursePrice: 0, discount: 0 });
    await added({ coursePrice: "1", discount: "0" });
    await added({ coursePrice: 0.5, discount: 100 });
    await added({ coursePrice: 10_000_000, isPublished: undefined });
    expect((await own()).map((course: any) => course.isPublished)).toEqual([false, true, true, true, true, true]);
  });

  test("prices keep two decimals, and text keeps its Unicode", async () => {
    const courseId = await added({ coursePrice: "1.005", discount: 0, courseTitle: `  ${"𝒢".repeat(80)} ` });
    expect(await stored(courseId)).toMatchObject({ coursePrice: 1.01, courseTitle: "𝒢".repeat(80) });
  });

  test("JPEG, PNG and WebP thumbnails are known by their signatures, whatever they are called", async () => {
    const jpeg = Buffer.from("/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////", "base64");
    const webp = Buffer.concat([Buffer.from("RIFF\x1a\0\0\0WEBPVP8L", "latin1"), Buffer.alloc(20)]);
    const pngStart = Buffer.concat([png().subarray(0, 8), Buffer.alloc(100)]);
    for (const bytes of [jpeg, webp, pngStart]) {
      const answer = await add(courseForm(courseData(), { bytes, name: "notes.txt", type: "text/plain" }));
      expect(answer.status).toBe(200);
    }
  });

  test("a thumbnail of exactly 5 MiB is taken, one byte more is too large", async () => {
    const size = 5 * 1_048_576 - png().length;
    expect((await add(courseForm(courseData(), { bytes: png(size) }))).status).toBe(200);
    const answer = await add(courseForm(courseData(), { bytes: png(size + 1) }));
    expect(answer).toMatchObject({ status: 413, body: { success: false, message: "Request body too large" } });
  });
});

describe("a form that is refused", () => {
  test("the header tells a missing field of the course from one of a wrong type", async () => {
    const courseContent = [chapterData({ releaseAfterDays: 1.5 })];
    const answer = await add(courseForm(courseData({ courseTitle: undefined, courseContent })));
    const rules = [
      "body.courseData.courseTitle: required",
      "body.courseData.courseContent[0].releaseAfterDays: not an int",
    ];
    expect(answer.headers.get("x-invalid")?.split("; ")).toEqual(rules);
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const html = Buffer.from("<!doctype html><script>alert(1)</script>");
  const notAttached = "Thumbnail Not Attached";
  const notAnImage = "Thumbnail must be a JPEG, PNG or WebP image";
  const unfit = "Invalid request data";
  const withLecture = (fields: Record<string, unknown>) =>
    courseForm(courseData({ courseContent: [chapterData({ chapterContent: [lectureData(fields)] })] }));
  const wrongFile = new FormData();
  wrongFile.append("courseData", JSON.stringify(courseData()));
  wrongFile.append("thumbnail", new Blob([new Uint8Array(png())], { type: "image/png" }), "a.png");
  const noFile = new FormData();
  noFile.append("courseData", JSON.stringify(courseData()));
  noFile.append("image", "null");
  const twoFiles = courseForm();
  twoFiles.append("image", new Blob([new Uint8Array(png())], { type: "image/png" }), "b.png");

  const cases: [string, FormData | null, number, string][] = [
    ["without a body", null, 400, notAttached],
    ["with a text field instead of a file", noFile, 400, notAttached],
    ["with a file of another name", wrongFile, 400, notAttached],
    ["with neither thumbnail nor sense", courseForm("{", null), 400, notAttached],
    ["with neither thumbnail nor bounds", courseForm("x".repeat(1_048_577), null), 400, notAttached],
    ["with an SVG called png and broken data", courseForm("{", { bytes: svg }), 400, notAnImage],
    ["with HTML called png", courseForm(courseData(), { bytes: html }), 400, notAnImage],
    [
      "with a GIF",
      courseForm(courseData(), { bytes: Buffer.from("GIF89a\x01\0\x01\0\0\0\0", "latin1") }),
      400,
      notAnImage,
    ],
    ["with an empty file", courseForm(courseData(), { bytes: Buffer.alloc(0) }), 400, notAnImage],
    ["with two files", twoFiles, 400, unfit],
    ["without courseData", courseForm(null), 400, unfit],
    ["with empty courseData", courseForm(""), 400, unfit],
    ["with broken JSON", courseForm('{"courseTitle":'), 400, unfit],
    ["with a list for courseData", courseForm("[]"), 400, unfit],
    ["with null for courseData", courseForm("null"), 400, unfit],
    [
      "with courseData over 1 MiB",
      courseForm(courseData({ courseDescription: "x".repeat(1_048_577) })),
      413,
      "Request body too large",
    ],
    ["without a title", courseForm(courseData({ courseTitle: "   " })), 400, unfit],
    ["with a title of 81", courseForm(courseData({ courseTitle: "x".repeat(81) })), 400, unfit],
    ["with a title that is an operator", courseForm(courseData({ courseTitle: { $gt: "" } })), 400, unfit],
    ["with a description of 20001", courseForm(courseData({ courseDescription: "x".repeat(20_001) })), 400, unfit],
    ["without a price", courseForm(courseData({ coursePrice: undefined })), 400, unfit],
    ["with a price of null, as NaN is written", courseForm(courseData({ coursePrice: Number.NaN })), 400, unfit],
    ["with NaN in the text", courseForm('{"coursePrice":NaN}'), 400, unfit],
    ["with a price of 1e308", courseForm(courseData({ coursePrice: 1e308 })), 400, unfit],
    ["with a price of 1e999", courseForm(courseData({ coursePrice: "1e999" })), 400, unfit],
    ["with a price of −1", courseForm(courseData({ coursePrice: -1 })), 400, unfit],
    ["with a price of 10,000,000.01", courseForm(courseData({ coursePrice: 10_000_000.01 })), 400, unfit],
    ["with a price in words", courseForm(courseData({ coursePrice: "ten" })), 400, unfit],
    ["with an empty price", courseForm(courseData({ coursePrice: "" })), 400, unfit],
    ["with a hexadecimal price", courseForm(courseData({ coursePrice: "0x10" })), 400, unfit],
    ["with a price of true", courseForm(courseData({ coursePrice: true })), 400, unfit],
    ["with a discount of 101", courseForm(courseData({ discount: 101 })), 400, unfit],
    ["with a discount of −1", courseForm(courseData({ discount: -1 })), 400, unfit],
    ["with an amount to pay below one unit", courseForm(courseData({ coursePrice: 1, discount: 1 })), 400, unfit],
    ["with isPublished in words", courseForm(courseData({ isPublished: "true" })), 400, unfit],
    ["without a curriculum", courseForm(courseData({ courseContent: null })), 400, unfit],
    [
      "with 101 chapters",
      courseForm(
        courseData({
          courseContent: Array.from({ length: 101 }, (_, i) => chapterData({ chapterId: `c${i}`, chapterContent: [] })),
        }),
      ),
      400,
      unfit,
    ],
    [
      "with 201 lectures in a chapter",
      courseForm(
        courseData({
          courseContent: [
            chapterData({ chapterContent: Array.from({ length: 201 }, (_, i) => lectureData({ lectureId: `l${i}` })) }),
          ],
        }),
      ),
      400,
      unfit,
    ],
    [
      "with a chapter id twice",
      courseForm(courseData({ courseContent: [chapterData({ chapterContent: [] }), chapterData()] })),
      400,
      unfit,
    ],
    [
      "with a lecture id twice in different chapters",
      courseForm(courseData({ courseContent: [chapterData(), chapterData({ chapterId: "ch-2" })] })),
      400,
      unfit,
    ],
    [
      "with ids that differ by spaces only",
      courseForm(
        courseData({ courseContent: [chapterData({ chapterContent: [] }), chapterData({ chapterId: " ch-1 " })] }),
      ),
      400,
      unfit,
    ],
    ["with a javascript: link", withLecture({ lectureUrl: "javascript:alert(1)" }), 400, unfit],
    ["with a data: link", withLecture({ lectureUrl: "data:text/html,hi" }), 400, unfit],
    [
      "with a link hidden behind a line break",
      withLecture({ lectureUrl: "https://a.example/\njavascript:alert(1)" }),
      400,
      unfit,
    ],
    ["with a link to another host", withLecture({ lectureUrl: "https://video.example@a.example/" }), 400, unfit],
    ["with a link that is none", withLecture({ lectureUrl: "https://" }), 400, unfit],
    ["with a link of 2049", withLecture({ lectureUrl: `https://a.example/${"x".repeat(2_031)}` }), 400, unfit],
    ["with an empty link", withLecture({ lectureUrl: "" }), 400, unfit],
    ["with a lecture of no length", withLecture({ lectureDuration: 0 }), 400, unfit],
    ["with a lecture of 1441 minutes", withLecture({ lectureDuration: 1_441 }), 400, unfit],
    ["with a preview flag in words", withLecture({ isPreviewFree: "false" }), 400, unfit],
    ["with half an order number", withLecture({ lectureOrder: 1.5 }), 400, unfit],
    ["with a lecture title of 201", withLecture({ lectureTitle: "x".repeat(201) }), 400, unfit],
    ["with a lecture id of 65", withLecture({ lectureId: "x".repeat(65) }), 400, unfit],
  ];

  test.each(cases)("%s", async (_name, form, status, message) => {
    const before = storageOf(server.emulators).assets().length;
    const answer = await add(form);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { success: false, message } });
    expect(await own()).toEqual([]);
    expect(storageOf(server.emulators).assets()).toHaveLength(before);
  });

  test("malformed multipart and a missing boundary are invalid requests", async () => {
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=x"]) {
      const headers = { "content-type": type };
      const answer = await server.post("/api/educator/add-course", "--x\r\nnonsense", educator.token, headers);
      expect(answer).toMatchObject({ status: 400, body: { success: false } });
    }
  });

  test.each(["error", "cut", "garbled"] as const)("nothing is stored when the upload errors: %s", async (kind) => {
    storageOf(server.emulators).faults.add({ kind, on: "upload", times: 1 });
    const answer = await add();
    expect(answer).toMatchObject({ status: 500, body: { success: false, message: "An unexpected error occurred" } });
    expect(await own()).toEqual([]);
  });

  test("a file whose upload was answered too late, or whose course could not be stored, is removed again", async () => {
    const other = await startTestServer({ own: "uses limits up" });
    const { token } = await other.signedIn("educator");
    const storage = storageOf(other.emulators);
    const send = () => other.post("/api/educator/add-course", courseForm(), token);
    storage.faults.add({ kind: "lost-reply", times: 1 });
    expect((await send()).status).toBe(500);
    await expect.poll(() => storage.assets()).toEqual([]);

    await other.deps.db.Course.collection.createIndex({ courseTitle: 1 }, { unique: true });
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(500);
    await expect.poll(() => storage.assets()).toHaveLength(1);
    expect((await other.get("/api/educator/courses", token)).body.courses).toHaveLength(1);
  });

  test("others are refused before their upload is looked at", async () => {
    expect((await add(courseForm(), "nonsense")).status).toBe(401);
    for (const role of ["student", "admin"] as const) {
      expect((await add(courseForm("{"), (await server.signedIn(role)).token)).status).toBe(403);
    }
  });
});
