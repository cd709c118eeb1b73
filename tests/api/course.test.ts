import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { changeCatalog } from "../support/catalog.js";
import { buildCourse } from "../support/courses.js";
import { startTestServer } from "../support/server.js";

const server = await startTestServer();
beforeEach(async () => {
  await changeCatalog(server.deps.db, () => server.deps.db.Course.deleteMany({}));
});

const titles = (answer: { body: { courses: { courseTitle: string }[] } }) =>
  answer.body.courses.map((c) => c.courseTitle);

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

  test("a change shows in the very next answer, on every instance", async () => {
    const other = await server.another();
    await buildCourse(server, { courseTitle: "One" });
    expect(titles(await other.get("/api/course/all"))).toEqual(["One"]);
    await buildCourse(other, { courseTitle: "Two" });
    expect(titles(await server.get("/api/course/all"))).toEqual(["One", "Two"]);
  });

  test("readers and writers at the same moment: whoever asks after a write sees it", async () => {
    for (let round = 0; round < 20; round++) {
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
    await buildCourse(server, { courseTitle: "New" });
    expect((await raw("/api/course/all", { "if-none-match": plain.headers.etag ?? "" })).status).toBe(200);
  });

  test("filters and orders on request", async () => {
    await buildCourse(server, {
      courseTitle: "Alpha C++",
      coursePrice: 30,
      ratingSum: 3,
      totalRatings: 1,
      totalEnrolledStudents: 9,
    });
    await buildCourse(server, {
      courseTitle: "Beta",
      courseDescription: "All of C++",
      coursePrice: 10,
      ratingSum: 5,
      totalRatings: 1,
    });
    await buildCourse(server, {
      courseTitle: "Gamma",
      coursePrice: 20,
      ratingSum: 4,
      totalRatings: 1,
      totalEnrolledStudents: 1,
    });
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

describe("one course", () => {
  test("shows its curriculum in order, with the URLs of free previews only, drafts too", async () => {
    const course = await buildCourse(server, { isPublished: false });
    const { body } = await server.get(`/api/course/${course._id}`);
    expect(body.success).toBe(true);
    expect(Object.keys(body)).toEqual(["success", "courseData"]);
    expect(body.courseData.isPublished).toBe(false);
    const lectures = body.courseData.courseContent.flatMap((chapter: any) => chapter.chapterContent);
    expect(lectures.map((lecture: any) => lecture.lectureUrl)).toEqual([
      "https://video.example/ch1-l1",
      "",
      "",
      "",
      "",
      "",
    ]);
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

function raw(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, string | undefined>; body: Buffer }>(
    (resolve, reject) => {
      request(server.url + path, { headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (chunk: Buffer) => chunks.push(chunk));
        res.on("end", () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers as Record<string, string>,
            body: Buffer.concat(chunks),
          }),
        );
      })
        .on("error", reject)
        .end();
    },
  );
}
