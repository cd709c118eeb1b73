import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { chapterData, courseData, courseForm, lectureData, png } from "../../factories/course-forms.js";
import { storageOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
let educator: SignedIn;
beforeEach(async () => {
  educator = await server.signedIn("educator", "Meera Iyer");
});

const add = (form: FormData | null = courseForm()) =>
  server.post("/api/educator/add-course", form ?? undefined, educator.token);

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
    const inOrder = (...ids: string[]) => ids.map((lectureId, n) => ({ lectureId, lectureOrder: n + 1 }));
    expect(shown.courseContent).toMatchObject([
      { chapterId: "ch-1", chapterTitle: "Start", chapterOrder: 1, chapterContent: inOrder("lec-1") },
      { chapterId: "ch-2", chapterTitle: "Trees", chapterOrder: 2, chapterContent: inOrder("a", "b", "c") },
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
    // The other course has to be added in this time.
    storageOf(server.emulators).faults.add({ kind: "slow", ms: 1_000, on: "upload", times: 1 });
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
    expect(answer).toMatchObject(refusal(413, "Request body too large"));
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
  const gif = Buffer.from("GIF89a\x01\0\x01\0\0\0\0", "latin1");
  const notAttached = refusal(400, "Thumbnail Not Attached");
  const notAnImage = refusal(400, "Thumbnail must be a JPEG, PNG or WebP image");
  const unfit = refusal(400, "Invalid request data");
  const picture = new Blob([new Uint8Array(png())], { type: "image/png" });
  const wrongFile = courseForm(courseData(), null);
  wrongFile.append("thumbnail", picture, "a.png");
  const noFile = courseForm(courseData(), null);
  noFile.append("image", "null");
  const twoFiles = courseForm();
  twoFiles.append("image", picture, "b.png");
  const tooLong = courseData({ courseDescription: "x".repeat(1_048_577) });

  test.each<[string, FormData | null, ReturnType<typeof refusal>]>([
    ["without a body", null, notAttached],
    ["with a text field instead of a file", noFile, notAttached],
    ["with a file of another name", wrongFile, notAttached],
    ["with neither thumbnail nor sense", courseForm("{", null), notAttached],
    ["with neither thumbnail nor bounds", courseForm("x".repeat(1_048_577), null), notAttached],
    ["with an SVG called png and broken data", courseForm("{", { bytes: svg }), notAnImage],
    ["with HTML called png", courseForm(courseData(), { bytes: html }), notAnImage],
    ["with a GIF", courseForm(courseData(), { bytes: gif }), notAnImage],
    ["with an empty file", courseForm(courseData(), { bytes: Buffer.alloc(0) }), notAnImage],
    ["with two files", twoFiles, unfit],
    ["without courseData", courseForm(null), unfit],
    ["with empty courseData", courseForm(""), unfit],
    ["with broken JSON", courseForm('{"courseTitle":'), unfit],
    ["with a list for courseData", courseForm("[]"), unfit],
    ["with null for courseData", courseForm("null"), unfit],
    ["with NaN in the text", courseForm('{"coursePrice":NaN}'), unfit],
    ["with courseData over 1 MiB", courseForm(tooLong), refusal(413, "Request body too large")],
  ])("%s", (_name, form, expected) => expectRefused(form, expected));

  const chapters = (...courseContent: object[]) => ({ courseContent });
  const lectures = (count: number) => Array.from({ length: count }, (_, n) => lectureData({ lectureId: `l${n}` }));
  const empty = { chapterContent: [] };
  const lecture = (fields: object) => chapters(chapterData({ chapterContent: [lectureData({ ...fields })] }));

  test.each<[string, Record<string, unknown>]>([
    ["a blank title", { courseTitle: "   " }],
    ["a title of 81", { courseTitle: "x".repeat(81) }],
    ["a title that is an operator", { courseTitle: { $gt: "" } }],
    ["a description of 20001", { courseDescription: "x".repeat(20_001) }],
    ["no price", { coursePrice: undefined }],
    ["a price of null, as NaN is written", { coursePrice: Number.NaN }],
    ["a price of 1e308", { coursePrice: 1e308 }],
    ["a price of 1e999", { coursePrice: "1e999" }],
    ["a price of −1", { coursePrice: -1 }],
    ["a price of 10,000,000.01", { coursePrice: 10_000_000.01 }],
    ["a price in words", { coursePrice: "ten" }],
    ["an empty price", { coursePrice: "" }],
    ["a hexadecimal price", { coursePrice: "0x10" }],
    ["a price of true", { coursePrice: true }],
    ["a discount of 101", { discount: 101 }],
    ["a discount of −1", { discount: -1 }],
    ["an amount to pay below one unit", { coursePrice: 1, discount: 1 }],
    ["isPublished in words", { isPublished: "true" }],
    ["no curriculum", { courseContent: null }],
    ["101 chapters", chapters(...Array.from({ length: 101 }, (_, n) => chapterData({ chapterId: `c${n}`, ...empty })))],
    ["201 lectures in a chapter", chapters(chapterData({ chapterContent: lectures(201) }))],
    ["a chapter id twice", chapters(chapterData(empty), chapterData())],
    ["a lecture id twice in different chapters", chapters(chapterData(), chapterData({ chapterId: "ch-2" }))],
    ["ids that differ by spaces only", chapters(chapterData(empty), chapterData({ chapterId: " ch-1 " }))],
    ["a javascript: link", lecture({ lectureUrl: "javascript:alert(1)" })],
    ["a link of 2049", lecture({ lectureUrl: `https://a.example/${"x".repeat(2_031)}` })],
    ["an empty link", lecture({ lectureUrl: "" })],
    ["a lecture of no length", lecture({ lectureDuration: 0 })],
    ["a lecture of 1441 minutes", lecture({ lectureDuration: 1_441 })],
    ["a preview flag in words", lecture({ isPreviewFree: "false" })],
    ["half an order number", lecture({ lectureOrder: 1.5 })],
    ["a lecture title of 201", lecture({ lectureTitle: "x".repeat(201) })],
    ["a lecture id of 65", lecture({ lectureId: "x".repeat(65) })],
  ])("with %s", (_name, fields) => expectRefused(courseForm(courseData(fields)), unfit));

  async function expectRefused(form: FormData | null, expected: ReturnType<typeof refusal>): Promise<void> {
    const before = storageOf(server.emulators).assets().length;
    const { status, body } = await add(form);
    expect({ status, body }).toEqual(expected);
    expect(await own()).toEqual([]);
    expect(storageOf(server.emulators).assets()).toHaveLength(before);
  }

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
    expect(answer).toMatchObject(refusal(500, "An unexpected error occurred"));
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

  test("compressed is refused unread: nothing unpacks what is sent", async () => {
    const form = new Response(courseForm());
    const headers = { "content-type": form.headers.get("content-type") ?? "", "content-encoding": "gzip" };
    const body = gzipSync(Buffer.from(await form.arrayBuffer()));
    expect((await server.post("/api/educator/add-course", body, educator.token, headers)).status).toBe(415);
    expect(await own()).toEqual([]);
  });
});

/** The header of a picture of 100,000 × 100,000 pixels, which nothing here unpacks. */
function enormous(): Buffer {
  const picture = Buffer.from(png());
  picture.writeUInt32BE(100_000, 16);
  picture.writeUInt32BE(100_000, 20);
  return picture;
}

test.each([
  ["a path for a name", "../../../etc/passwd", "image/png", png()],
  ["a page for a name and a type", "<script>alert(1)</script>.html", "text/html", png()],
  ["a name of 5,000 characters", `${"x".repeat(5_000)}.png`, "image/png", png()],
  ["a page after the picture", "a.png", "image/png", Buffer.concat([png(), Buffer.from("<script>alert(1)</script>")])],
  ["an enormous picture in few bytes", "a.png", "image/png", enormous()],
])("a thumbnail with %s is stored as a picture under a name of the server's own", async (_, name, type, bytes) => {
  const { status, body } = await add(courseForm(courseData(), { bytes, name, type }));
  expect(status).toBe(200);
  const { courseThumbnail } = await server.deps.db.Course.findById(body.courseId).orFail().lean();
  expect(new URL(courseThumbnail).pathname).toMatch(
    /\/image\/upload\/(v\d+\/)?thumbnails\/[0-9a-f]{24}-[0-9a-f]{8}(\.\w+)?$/,
  );
  expect((await fetch(courseThumbnail)).headers.get("content-type")).toMatch(/^image\//);
});
