import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Types } from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import { addCourseFigures } from "../../../src/models/courses/course-queries.js";
import { createCatalog } from "../../../src/services/courses/catalog.js";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { changeCatalog } from "../../factories/catalog.js";
import { buildCourse } from "../../factories/courses.js";
import { buy } from "../../factories/sales.js";
import { identityOf } from "../../server/emulators.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

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

  test("readers and writers at the same moment: a request after a write sees it", async () => {
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

describe("the catalog of several instances", () => {
  const shownBy = async (instance: TestServer) => (await instance.get("/api/course/all")).body.courses[0];
  const move = (by: Parameters<typeof addCourseFigures>[2], { _id }: Course) =>
    server.deps.db.transaction((session) => addCourseFigures(server.deps.db, _id, by, session));

  test("shows a sale and a rating within a second", async () => {
    const other = await server.another();
    const course = await buildCourse(server);
    const learner = await server.signedIn();
    expect(await shownBy(other)).toMatchObject({ totalEnrolledStudents: 0, totalRatings: 0 });
    await buy(server, learner, course._id);
    await sleep(1_000);
    expect(await shownBy(other)).toMatchObject({ totalEnrolledStudents: 1, totalRatings: 0 });
    await server.post("/api/user/add-rating", { courseId: String(course._id), rating: 4 }, learner.token);
    await sleep(1_000);
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
    await sleep(1_000);
    await server.patch(`${path}/publish`, { isPublished: true }, educator.token);
    expect(await shownBy(other)).toMatchObject({ totalEnrolledStudents: 10 });
  });

  test("reads only the course or the educator that changed, on every instance", async () => {
    const watched = await startTestServer({ watchCommands: true });
    const identity = identityOf(watched.emulators);
    const { id } = await identity.createUser({ firstName: "Meera" });
    await identity.settled();
    await watched.deps.db.RoleRecord.updateOne(
      { _id: id },
      { role: "educator", writtenAt: new Date() },
      { upsert: true },
    );
    const token = identity.issueToken(id);
    const courses: Course[] = [];
    for (let n = 0; n < 40; n += 1) courses.push(await buildCourse(watched, { educatorId: id, courseTitle: `${n}` }));
    const other = await watched.another();
    for (const instance of [watched, other]) await instance.get("/api/course/all");
    const documentsRead = async (instance: TestServer) => {
      const commands = await commandsDuring(instance, () => instance.get("/api/course/all"));
      const reads = commands.filter(
        ({ find, filter }) => (find === "courses" && !filter?.figuresChangedAt) || find === "users",
      );
      const { documents } = await effortOf(instance, reads);
      return Number.isNaN(documents) ? 0 : documents; // not every database says
    };
    for (const version of [1, 2, 3]) {
      const edited = courses[5 + version];
      const path = `/api/educator/courses/${edited?._id}`;
      expect((await watched.patch(path, { courseTitle: `New ${version}`, version: 1 }, token)).status).toBe(200);
      for (const instance of [watched, other]) {
        expect(await documentsRead(instance)).toBeLessThanOrEqual(2);
        expect(titles(await instance.get("/api/course/all"))[5 + version]).toBe(`New ${version}`);
      }
    }
    await watched.patch(`/api/educator/courses/${courses[3]?._id}/publish`, { isPublished: false }, token);
    const added = await buildCourse(watched, { educatorId: id, courseTitle: "Added" });
    expect(await documentsRead(other)).toBeLessThanOrEqual(3);
    expect(titles(await other.get("/api/course/all"))).toHaveLength(40);
    expect(titles(await other.get("/api/course/all")).at(-1)).toBe("Added");
    await watched.patch(`/api/educator/courses/${courses[3]?._id}/publish`, { isPublished: true }, token);
    expect(titles(await other.get("/api/course/all"))[3]).toBe("3");
    await identity.updateUser(id, { firstName: "Nisha" });
    await identity.settled();
    expect(await documentsRead(other)).toBeLessThanOrEqual(1);
    const all = (await other.get("/api/course/all")).body.courses;
    expect(all.map(({ educatorId }: any) => educatorId.name)).toEqual(Array(41).fill("Nisha"));
    expect(all.at(-1)._id).toBe(String(added._id));
    // More changes than are named: the list is read again as a whole.
    await watched.deps.db.CatalogRevision.updateMany({}, { $inc: { revision: 60 } });
    await watched.deps.db.Course.updateOne({ _id: added._id }, { $set: { courseTitle: "Unnamed" } });
    expect(titles(await other.get("/api/course/all")).at(-1)).toBe("Unnamed");
  });

  test("reads figures that moved by an index, and the list only after an edit", async () => {
    const watched = await startTestServer({ watchCommands: true });
    const course = await buildCourse(watched);
    const draft = await buildCourse(watched, { isPublished: false });
    const { db } = watched.deps;
    const reads = async () => {
      const commands = await commandsDuring(watched, () => watched.get("/api/course/all"));
      const { scans, commands: names } = await effortOf(
        watched,
        commands.filter(({ find }) => find === "courses"),
      );
      expect(scans).toEqual([]);
      return names.length;
    };
    expect(await reads()).toBe(1);
    expect(await reads()).toBe(0);
    await db.transaction((session) => addCourseFigures(db, course._id, { totalEnrolledStudents: 1 }, session));
    await db.transaction((session) => addCourseFigures(db, draft._id, { totalEnrolledStudents: 1 }, session));
    await sleep(1_000);
    const commands = await commandsDuring(watched, () => watched.get("/api/course/all"));
    const asked = commands.filter(({ find }) => find === "courses").map(({ filter }) => Object.keys(filter));
    expect(asked).toEqual([["figuresChangedAt"]]);
    expect((await shownBy(watched)).totalEnrolledStudents).toBe(1);
  });
});

test("figures of a transaction that named its time long before it was visible are not missed", async () => {
  const [early, late] = [await buildCourse(server), await buildCourse(server)];
  const { db } = server.deps;
  const catalog = createCatalog(db);
  await catalog.read();
  await db.transaction((session) => addCourseFigures(db, early._id, { totalEnrolledStudents: 1 }, session));
  await catalog.refreshFigures();
  await db.Course.updateOne(
    { _id: late._id },
    { $set: { totalEnrolledStudents: 7, figuresChangedAt: new Date(Date.now() - 5_000) } },
  );
  await catalog.refreshFigures();
  expect(await catalog.read()).toMatchObject([{ totalEnrolledStudents: 1 }, { totalEnrolledStudents: 7 }]);
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
