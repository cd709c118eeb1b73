import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Types } from "mongoose";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import { addCourseFigures } from "../../../src/models/courses/course-queries.js";
import { changeCatalog } from "../../factories/catalog.js";
import { buildCourse } from "../../factories/courses.js";
import { buy } from "../../factories/sales.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "lists all courses" });
beforeEach(async () => {
  await changeCatalog(server.deps.db, () => server.deps.db.Course.deleteMany({}));
});

const titles = (answer: { body: { courses: { courseTitle: string }[] } }) =>
  answer.body.courses.map((c) => c.courseTitle);

/** Lets the oldest figures become too old that a reader may see; the contract allows two seconds. */
let ahead = 0;
const now = performance.now.bind(performance);
vi.spyOn(performance, "now").mockImplementation(() => now() + ahead);
afterAll(() => vi.restoreAllMocks());
const letFiguresAge = () => {
  ahead += 1_600;
};

describe("the catalog", () => {
  test("lists published courses in creation order with exactly the specified fields", async () => {
    const educator = await server.signedIn("educator", "Meera Iyer");
    await buildCourse(server, { courseTitle: "First", educatorId: educator.id });
    await buildCourse(server, { courseTitle: "Draft", isPublished: false });
    await buildCourse(server, { courseTitle: "Second", educatorId: "user_gone" });
    const answer = await server.get("/api/course/all");
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["success", "courses"]);
    expect(titles(answer)).toEqual(["First", "Second"]);
    const [first, second] = answer.body.courses;
    expect(Object.keys(first).sort()).toEqual(
      [
        ...["_id", "courseTitle", "courseDescription", "courseThumbnail", "coursePrice", "isPublished", "discount"],
        ...["averageRating", "totalRatings", "totalLectures", "totalDurationMinutes", "educatorId"],
        ...["totalEnrolledStudents", "createdAt", "updatedAt"],
      ].sort(),
    );
    expect(first.educatorId).toEqual({ _id: educator.id, name: "Meera Iyer", imageUrl: "https://img.example/a.png" });
    expect(second.educatorId).toEqual({ _id: "user_gone", name: "Deleted user", imageUrl: "" });
    expect(first).toMatchObject({ totalLectures: 6, totalDurationMinutes: 60, averageRating: 0, totalRatings: 0 });
  });

  test("readers and writers at the same moment: a request after a write sees it", async () => {
    for (let round = 0; round < 8; round++) {
      const noise = Array.from({ length: 10 }, () => server.get("/api/course/all"));
      await buildCourse(server, { courseTitle: `Course ${round}` });
      expect(titles(await server.get("/api/course/all"))).toHaveLength(round + 1);
      await Promise.all(noise);
    }
  });

  test("is compressed once and answers 304 for a known tag", async () => {
    await buildCourse(server);
    const plain = await raw("/api/course/all", {});
    const gzip = await raw("/api/course/all", { "accept-encoding": "gzip" });
    const brotli = await raw("/api/course/all", { "accept-encoding": "gzip, deflate, br" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    for (const { headers } of [plain, gzip, brotli]) {
      expect(headers.etag).toMatch(/^"/);
      expect(headers.vary).toMatch(/Accept-Encoding/);
      const again = await raw("/api/course/all", { "if-none-match": headers.etag ?? "", "accept-encoding": "br" });
      expect(again.status).toBe(304);
      expect(again.body).toHaveLength(0);
    }
    for (const [accepted, { headers }] of Object.entries({ identity: plain, gzip, br: brotli })) {
      const any = await raw("/api/course/all", { "if-none-match": "*", "accept-encoding": accepted });
      expect([any.status, any.headers.etag]).toEqual([304, headers.etag]);
    }
    await buildCourse(server, { courseTitle: "New" });
    expect((await raw("/api/course/all", { "if-none-match": plain.headers.etag ?? "" })).status).toBe(200);
  });

  test("filters and orders on request", async () => {
    for (const fields of [
      { courseTitle: "Alpha C++", coursePrice: 30, ratingSum: 3, totalEnrolledStudents: 9 },
      { courseTitle: "Beta", courseDescription: "All of C++", coursePrice: 10, ratingSum: 5 },
      { courseTitle: "Gamma", coursePrice: 20, ratingSum: 4, totalEnrolledStudents: 1 },
    ]) {
      await buildCourse(server, { totalRatings: 1, ...fields });
    }
    const list = async (query: string) => titles(await server.get(`/api/course/all?${query}`));
    expect(await list("q=c%2B%2B")).toEqual(["Alpha C++", "Beta"]);
    expect(await list("q=.*")).toEqual([]);
    expect(await list("sort=newest")).toEqual(["Gamma", "Beta", "Alpha C++"]);
    expect(await list("sort=price-asc")).toEqual(["Beta", "Gamma", "Alpha C++"]);
    expect(await list("sort=price-desc")).toEqual(["Alpha C++", "Gamma", "Beta"]);
    expect(await list("sort=rating")).toEqual(["Beta", "Gamma", "Alpha C++"]);
    expect(await list("sort=popular")).toEqual(["Alpha C++", "Gamma", "Beta"]);
    for (const query of ["sort=cheapest", `q=${"x".repeat(201)}`, "sort=rating&sort=newest", "q[$ne]=1&q=1&q=2"]) {
      expect(await server.get(`/api/course/all?${query}`)).toMatchObject({ status: 400 });
    }
  });
});

describe("the catalog of several instances", () => {
  const shownBy = async (instance: TestServer) => (await instance.get("/api/course/all")).body.courses[0];
  const move = (by: Parameters<typeof addCourseFigures>[2], { _id }: Course) =>
    server.deps.db.transaction((session) => addCourseFigures(server.deps.db, _id, by, session));

  test("shows a sale and a rating within two seconds", async () => {
    const other = await server.another();
    const course = await buildCourse(server);
    const learner = await server.signedIn();
    expect(await shownBy(other)).toMatchObject({ totalEnrolledStudents: 0, totalRatings: 0 });
    await buy(server, learner, course._id);
    letFiguresAge();
    expect(await shownBy(other)).toMatchObject({ totalEnrolledStudents: 1, totalRatings: 0 });
    await server.post("/api/user/add-rating", { courseId: String(course._id), rating: 4 }, learner.token);
    letFiguresAge();
    expect(await shownBy(other)).toMatchObject({ totalEnrolledStudents: 1, totalRatings: 1, averageRating: 4 });
  });

  test("shows an edit with the next request, on every instance, while figures move", async () => {
    const other = await server.another();
    const educator = await server.signedIn("educator");
    const course = await buildCourse(server, { educatorId: educator.id });
    const path = `/api/educator/courses/${course._id}`;
    for (let version = 1; version <= 10; version += 1) {
      const [editor, reader] = version % 2 ? [server, other] : [other, server];
      const noise = [move({ totalEnrolledStudents: 1 }, course), shownBy(reader), shownBy(editor)];
      await editor.patch(path, { courseTitle: `Edition ${version}`, version }, educator.token);
      expect((await shownBy(reader)).courseTitle).toBe(`Edition ${version}`);
      expect((await shownBy(editor)).courseTitle).toBe(`Edition ${version}`);
      await Promise.all(noise);
    }
    await server.patch(`${path}/publish`, { isPublished: false }, educator.token);
    expect(await shownBy(other)).toBeUndefined();
    letFiguresAge();
    await server.patch(`${path}/publish`, { isPublished: true }, educator.token);
    expect(await shownBy(other)).toMatchObject({ totalEnrolledStudents: 10 });
  });

  test("is built once for requests that come together, and again when its figures are old", async () => {
    const builds = async () => {
      const { body } = await server.get("/metrics");
      return Number(/^lyceum_catalog_builds_total (\d+)/m.exec(body)?.[1]);
    };
    await buildCourse(server);
    const before = await builds();
    await Promise.all(Array.from({ length: 20 }, () => server.get("/api/course/all")));
    expect(await builds()).toBe(before + 1);
    letFiguresAge();
    await Promise.all(Array.from({ length: 20 }, () => server.get("/api/course/all")));
    expect(await builds()).toBe(before + 2);
  });
});

describe("one course", () => {
  test("is found by its id in either letter case, by the public and by the player", async () => {
    const course = await buildCourse(server, { _id: new Types.ObjectId("abcdef012345abcdef012345") });
    const learner = await server.signedIn();
    await buy(server, learner, course._id);
    const id = String(course._id);
    for (const path of [`/api/course/${id.toUpperCase()}`, `/api/user/enrolled-courses/${id.toUpperCase()}`]) {
      expect(await server.get(path, learner.token), path).toMatchObject({
        status: 200,
        body: { courseData: { _id: id } },
      });
    }
    const progress = { courseId: id.toUpperCase(), lectureId: "ch1-l1" };
    expect((await server.post("/api/user/update-course-progress", progress, learner.token)).status).toBe(200);
  });

  test("shows its curriculum in order, with the URLs of free previews only, drafts too", async () => {
    const course = await buildCourse(server, { isPublished: false });
    const { body } = await server.get(`/api/course/${course._id}`);
    expect(body.success).toBe(true);
    expect(Object.keys(body)).toEqual(["success", "courseData"]);
    expect(body.courseData.isPublished).toBe(false);
    const lectures = body.courseData.courseContent.flatMap((chapter: any) => chapter.chapterContent);
    const urls = lectures.map(({ lectureUrl }: any) => lectureUrl);
    expect(urls).toEqual(["https://video.example/ch1-l1", ...Array(5).fill("")]);
    for (const hidden of ["courseRatings", "enrolledStudents", "__v", "revenueMinor", "countedKeys", "version"]) {
      expect(body.courseData).not.toHaveProperty(hidden);
    }
  });

  test("an unknown id is 200 with success false, a malformed one is 500", async () => {
    expect(await server.get("/api/course/665f1c2ab7e4d90012ab34cd")).toMatchObject({
      status: 200,
      body: { success: false, message: "Course not found" },
    });
    for (const id of ["abc", "665f1c2ab7e4d90012ab34cg", "123456789012", "%00"]) {
      const answer = await server.get(`/api/course/${id}`);
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({ success: false, message: "An unexpected error occurred" });
    }
  });
});

/** A reply as its bytes, which `fetch` would decompress. */
async function raw(path: string, headers: Record<string, string>) {
  const [answer] = (await once(request(server.url + path, { headers }).end(), "response")) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray());
  return { status: answer.statusCode, headers: answer.headers as Record<string, string | undefined>, body };
}
