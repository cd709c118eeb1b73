import { Types } from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { numberEvents } from "../../../src/services/events/number-events.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { buildPath } from "../../factories/paths.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { paymentId } from "../../factories/purchases.js";
import { buy, refund } from "../../factories/sales.js";
import { identityOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
let educator: SignedIn;
beforeEach(async () => {
  educator = await server.signedIn("educator", "Meera Iyer");
});

const course = (fields: Parameters<typeof buildCourse>[1] = {}) =>
  buildCourse(server, { educatorId: educator.id, ...fields });
const dashboard = async () => (await server.get("/api/educator/dashboard", educator.token)).body.dashboardData;
const students = async () =>
  (await server.get("/api/educator/enrolled-students", educator.token)).body.enrolledStudents;
const csv = () => server.get("/api/educator/enrolled-students.csv", educator.token);
const learners = async (...names: string[]) => Promise.all(names.map((name) => server.signedIn("student", name)));

describe("the dashboard", () => {
  test("is empty for an educator without courses", async () => {
    expect(await dashboard()).toEqual({ totalEarnings: 0, totalCourses: 0, enrolledStudentsData: [] });
    expect(await students()).toEqual([]);
    expect((await server.get("/api/educator/courses", educator.token)).body).toEqual({ success: true, courses: [] });
  });

  test("sums completed purchases to the cent, counts drafts, and lists students course by course", async () => {
    // An id that was given late: the order of creation is what counts.
    const lateId = new Types.ObjectId("f".repeat(24));
    const graphs = await course({ _id: lateId, courseTitle: "Graphs", coursePrice: 100.1, discount: 0 });
    await new Promise((resolve) => setTimeout(resolve, 2));
    const trees = await course({ courseTitle: "Trees", coursePrice: 0.3 + 1, discount: 0 });
    const free = await course({ courseTitle: "Free", coursePrice: 0 });
    await course({ courseTitle: "Draft", isPublished: false });
    const others = await buildCourse(server, { educatorId: "user_other" });
    const [asha, ben, chen] = (await learners("Asha", "Ben", "Chen")) as [SignedIn, SignedIn, SignedIn];
    await buy(server, asha, trees._id);
    await buy(server, ben, graphs._id);
    await buy(server, asha, graphs._id);
    await buy(server, chen, free._id);
    await buy(server, chen, others._id);

    const of = ({ id, name }: SignedIn) => ({ _id: id, name, imageUrl: "https://img.example/a.png" });
    expect(await dashboard()).toEqual({
      totalEarnings: 201.5,
      totalCourses: 4,
      enrolledStudentsData: [
        { courseTitle: "Graphs", student: of(ben) },
        { courseTitle: "Graphs", student: of(asha) },
        { courseTitle: "Trees", student: of(asha) },
        { courseTitle: "Free", student: of(chen) },
      ],
    });
    const listed = (await server.get("/api/educator/courses", educator.token)).body.courses;
    expect(listed.map((one: any) => [one.courseTitle, one.enrolledStudentsCount])).toEqual([
      ["Graphs", 2],
      ["Trees", 1],
      ["Free", 1],
      ["Draft", 0],
    ]);
  });

  test("names are shown as they are written, in the whole list and on pages", async () => {
    const { _id } = await course({ courseTitle: 'A "B" \\ €' });
    const names = ["Ä".repeat(30), '🙂 \u0000\n"', "x".repeat(21), "", "名前"];
    const bought = [];
    for (const name of names) {
      const [learner] = (await learners("Asha")) as [SignedIn];
      await buy(server, learner, _id);
      await server.deps.db.User.updateOne({ _id: learner.id }, { name, imageUrl: name });
      bought.push({ _id: learner.id, name, imageUrl: name });
    }
    const rows = bought.map((student) => ({ courseTitle: 'A "B" \\ €', student }));
    expect((await dashboard()).enrolledStudentsData).toEqual(rows);
    const paged = [];
    for (let after = ""; ; ) {
      const path = `/api/educator/dashboard?limit=2${after && `&after=${after}`}`;
      const { enrolledStudentsData, nextCursor } = (await server.get(path, educator.token)).body.dashboardData;
      paged.push(...enrolledStudentsData);
      if (nextCursor === null) break;
      after = nextCursor;
    }
    expect(paged).toEqual(rows);
    expect((await students()).map(({ student }: any) => student)).toEqual(bought);
  });

  test("earnings have the sales of own paths, a platform's too, but no course's column does", async () => {
    const [graphs, trees] = [await course({ coursePrice: 500, discount: 0 }), await course({ coursePrice: 500 })];
    const path = await buildPath(server, {
      educatorId: educator.id,
      courseIds: [graphs._id, trees._id],
      price: 800,
    });
    const foreign = await buildCourse(server, { educatorId: "user_other" });
    const others = await buildPath(server, { educatorId: "user_other", courseIds: [foreign._id], price: 70 });
    const { token } = await server.signedIn("admin");
    const get = async (path: string) => (await server.get(path, token)).body;
    const platform = async () => {
      await numberEvents(server.deps);
      const { weeklyRevenue } = await get("/api/admin/chart-data");
      return { total: (await get("/api/admin/stats")).stats.totalRevenue, today: weeklyRevenue.at(-1).revenue };
    };
    const before = await platform();
    const [asha] = (await learners("Asha")) as [SignedIn];
    await buy(server, asha, graphs._id);
    for (const { _id: pathId } of [path, others]) {
      const { purchaseId } = (await server.post("/api/user/purchase", { pathId: String(pathId) }, asha.token)).body;
      await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
    }
    expect(await dashboard()).toMatchObject({ totalEarnings: 1300, totalCourses: 2 });
    const after = await platform();
    expect(after.total - before.total).toBeCloseTo(1370);
    expect(after.today - before.today).toBeCloseTo(1370);
    const { courses, paths } = { ...(await get("/api/admin/courses")), ...(await get("/api/admin/paths?limit=2")) };
    const revenue = new Map([...courses, ...paths].map((one: any) => [one._id, one.revenue]));
    const sold = [graphs, trees, path, foreign, others].map(({ _id }) => revenue.get(String(_id)));
    expect(sold).toEqual([500, 0, 800, 0, 70]);
  });

  test("a refund takes the money and the student away; buying again brings both back", async () => {
    const graphs = await course({ coursePrice: 500, discount: 0 });
    const [asha] = (await learners("Asha")) as [SignedIn];
    await refund(server, await buy(server, asha, graphs._id));
    expect(await dashboard()).toMatchObject({ totalEarnings: 0, enrolledStudentsData: [] });
    expect(await students()).toEqual([]);
    const { purchaseId } = await buy(server, asha, graphs._id);
    expect(await dashboard()).toMatchObject({ totalEarnings: 500 });
    const purchase = await server.deps.db.Purchase.findById(purchaseId).orFail();
    expect(await students()).toMatchObject([{ purchaseDate: purchase.createdAt.toISOString() }]);
  });
});

describe("the list of students", () => {
  test("is by the moment each purchase was created, oldest first, over all courses", async () => {
    const [graphs, trees] = [await course({ courseTitle: "Graphs" }), await course({ courseTitle: "Trees" })];
    const [asha, ben, chen] = (await learners("Asha", "Ben", "Chen")) as [SignedIn, SignedIn, SignedIn];
    const open = async (who: SignedIn, id: unknown) =>
      (await server.post("/api/user/purchase", { courseId: String(id) }, who.token)).body;
    const first = await open(asha, graphs._id);
    await buy(server, ben, trees._id);
    await buy(server, chen, graphs._id);
    await server.emulators.razorpay?.pay(first.orderId); // opened first, paid last
    await server.emulators.razorpay?.settled();

    const listed = await students();
    expect(listed.map((enrollment: any) => [enrollment.student.name, enrollment.courseTitle])).toEqual([
      ["Asha", "Graphs"],
      ["Ben", "Trees"],
      ["Chen", "Graphs"],
    ]);
    const bought = { courseId: { $in: [graphs._id, trees._id] } };
    const created = await server.deps.db.Purchase.find(bought).sort({ createdAt: 1 });
    const dates = created.map(({ createdAt }) => createdAt.toISOString());
    expect(listed.map(({ purchaseDate }: any) => purchaseDate)).toEqual(dates);
    expect(Object.keys(listed[0]).sort()).toEqual(["courseTitle", "purchaseDate", "student"]);
  });

  test("a user whose account is gone stays in it under a placeholder", async () => {
    const graphs = await course();
    const identity = identityOf(server.emulators);
    const gone = await identity.createUser({ firstName: "Gone" });
    await identity.settled();
    await buy(server, { token: identity.issueToken(gone.id) }, graphs._id);
    await identity.deleteUser(gone.id);
    await identity.settled();
    const placeholder = { _id: gone.id, name: "Deleted user", imageUrl: "" };
    expect(await students()).toMatchObject([{ student: placeholder }]);
    expect((await dashboard()).enrolledStudentsData).toMatchObject([{ student: placeholder }]);
  });
});

describe("the students as a table", () => {
  test("has a byte order mark, a header and one row for each enrollment", async () => {
    const graphs = await course({ courseTitle: 'Graphs, "the basics"' });
    const [asha] = (await learners("Åsha Rāo")) as [SignedIn];
    await buy(server, asha, graphs._id);
    const response = await fetch(`${server.url}/api/educator/enrolled-students.csv`, {
      headers: { authorization: `Bearer ${educator.token}` },
    });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="enrolled-students.csv"');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [enrollment] = await students();
    expect(bytes.subarray(3).toString().split("\r\n")).toEqual([
      "Course ID,Course,Student ID,Student,Purchase date",
      `${graphs._id},"Graphs, ""the basics""",${asha.id},Åsha Rāo,${enrollment.purchaseDate}`,
      "",
    ]);
  });

  test("holds nothing that a spreadsheet would calculate, whatever separates its cells", async () => {
    const starts = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", '=HYPERLINK("http://evil","a")'];
    const wide = ["＝1+1", "＋1", "－1", "＠SUM(A1)"];
    const later = ["a;=1+1", "a\t@SUM(A1)", "a\n-1", "a\r\n+1", 'a;"=1+1"', "a; =1+1", ";;=1", "a;＝1"];
    const harmless = ["a=b", "1;2 - 3;x=y"];
    const { _id } = await course({ courseTitle: "=Graphs" });
    for (const name of [...starts, ...wide, ...later, ...harmless]) {
      const learner = await server.signedIn();
      await enroll(server, learner.id, _id);
      await server.deps.db.User.updateOne({ _id: learner.id }, { name });
    }
    const text = ((await csv()).body as string).slice(1);
    for (const cell of text.match(/("(?:[^"]|"")*"|[^,\r\n]+)/g) ?? []) {
      expect(cell.replace(/^"/, "")).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/);
    }
    for (const separator of [/[\r\n;]/, /[\r\n\t]/]) {
      for (const cell of text.split(separator)) expect(cell).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
    }
    const cells = ["'=Graphs,", "'=1+1,", "'＝1+1,", "'＋1,", "'－1,", "'＠SUM(A1),", ",a=b,", ",a;'=1+1,", ",a;'＝1,"];
    for (const cell of [...cells, ",1;2 - 3;x=y,", `"'=HYPERLINK(""http://evil"",""a"")"`])
      expect(text).toContain(cell);
  });

  test("is a header alone without students", async () => {
    await course();
    expect((await csv()).body.split("\r\n")).toHaveLength(2);
    const head = await server.call("HEAD", "/api/educator/enrolled-students.csv", { token: educator.token });
    expect(head).toMatchObject({ status: 200, body: "" });
  });
});
