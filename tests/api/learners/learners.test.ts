import { describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";
import { attempt, classroom, complete, letDaysPass, wrongFigures } from "./classroom.js";

const server = await startTestServer({ own: "recounts all learners" });
const { db } = server.deps;
const stamp = expect.stringMatching(/Z$/);

type Room = Awaited<ReturnType<typeof classroom>>;
const listed = async (room: Room, query = "") => {
  const { status, body } = await room.get(`learners${query}`);
  expect(status).toBe(200);
  return body.learners as { userId: string; state: string; percent: number }[];
};
const idsOf = (learners: readonly { userId: string }[]) => learners.map(({ userId }) => userId);

describe("GET /courses/:id/learners", () => {
  test("shows how far each learner has come, newest enrollment first", async () => {
    const room = await classroom(server);
    const idle = await room.learner("Idle");
    const busy = await room.learner("Busy");
    await complete(server, busy, room.courseId, "ch1-l1");
    await complete(server, busy, room.courseId, "ch1-l1");
    await attempt(server, busy, room.courseId, 3);
    await attempt(server, busy, room.courseId, 1);
    const { body } = await room.get("learners");
    const card = {
      imageUrl: expect.any(String),
      enrolledAt: stamp,
      expiresAt: null,
      lecturesTotal: 4,
      completedAt: null,
    };
    expect(body).toEqual({
      success: true,
      nextCursor: null,
      learners: [
        {
          ...{ ...card, userId: busy.id, name: "Busy", lecturesDone: 1, percent: 25, lastActiveAt: stamp },
          ...{ certificateId: null, bestQuizPercent: 75, state: "active" },
        },
        {
          ...{ ...card, userId: idle.id, name: "Idle", lecturesDone: 0, percent: 0, lastActiveAt: null },
          ...{ certificateId: null, bestQuizPercent: null, state: "not_started" },
        },
      ],
    });
    const asAdmin = await server.get(room.path("learners", "admin"), room.admin.token);
    expect(asAdmin.body).toEqual(body);
  });

  test("a completed course has a date and a certificate, and stays completed", async () => {
    const room = await classroom(server);
    const learner = await room.learner();
    for (const id of ["ch1-l1", "ch1-l2", "ch2-l1", "ch2-l2"]) await complete(server, learner, room.courseId, id);
    await letDaysPass(server, learner.id, room.course._id, 30);
    const done = { percent: 100, lecturesDone: 4, completedAt: stamp, state: "completed" };
    const certificateId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(await listed(room)).toMatchObject([{ ...done, certificateId }]);
  });

  test("a learner who has begun is stalled after 14 days, and active again with the next lecture", async () => {
    const room = await classroom(server);
    const [byLecture, byQuiz, idle] = [await room.learner(), await room.learner(), await room.learner()];
    await complete(server, byLecture, room.courseId, "ch1-l1");
    await attempt(server, byQuiz, room.courseId, 0);
    const states = async () => Object.fromEntries((await listed(room)).map(({ userId, state }) => [userId, state]));
    await letDaysPass(server, byLecture.id, room.course._id, 13.9);
    await letDaysPass(server, byQuiz.id, room.course._id, 14.1);
    expect(await states()).toEqual({ [byLecture.id]: "active", [byQuiz.id]: "stalled", [idle.id]: "not_started" });
    expect(idsOf(await listed(room, "?state=stalled"))).toEqual([byQuiz.id]);
    expect(idsOf(await listed(room, "?state=active"))).toEqual([byLecture.id]);
    expect(idsOf(await listed(room, "?state=not_started"))).toEqual([idle.id]);
    expect(await listed(room, "?state=completed")).toEqual([]);
    await complete(server, byQuiz, room.courseId, "ch2-l1");
    expect(await states()).toMatchObject({ [byQuiz.id]: "active" });
  });

  test("every order is descending, and pages join to the whole list", async () => {
    const room = await classroom(server);
    const [one, two, none] = [await room.learner(), await room.learner(), await room.learner()];
    await complete(server, two, room.courseId, "ch1-l1");
    await complete(server, two, room.courseId, "ch1-l2");
    await complete(server, one, room.courseId, "ch1-l1");
    const orders = { enrolled: [none, two, one], active: [one, two, none], progress: [two, one, none] };
    for (const [sort, learners] of Object.entries(orders)) {
      const wanted = learners.map(({ id }) => id);
      expect(idsOf(await listed(room, `?sort=${sort}`))).toEqual(wanted);
      const paged: string[] = [];
      let after = "";
      do {
        const { body } = await room.get(`learners?sort=${sort}&limit=1${after}`);
        paged.push(...idsOf(body.learners));
        after = body.nextCursor && `&after=${body.nextCursor}`;
      } while (after);
      expect(paged).toEqual(wanted);
    }
  });

  test("every state and every order: pages have the learners of the whole list", async () => {
    const room = await classroom(server);
    for (const [days, lectures] of [
      [0, ["ch1-l1"]],
      [1, ["ch1-l1", "ch1-l2"]],
      [15, ["ch1-l1"]],
      [30, ["ch1-l1", "ch1-l2"]],
      [0, ["ch1-l1", "ch1-l2", "ch2-l1", "ch2-l2"]],
      [20, ["ch1-l1", "ch1-l2", "ch2-l1", "ch2-l2"]],
      [0, []],
      [0, []],
    ] as const) {
      const learner = await room.learner();
      for (const lecture of lectures) await complete(server, learner, room.courseId, lecture);
      if (days > 0) await letDaysPass(server, learner.id, room.course._id, days);
    }
    for (const [state, sort] of ["active", "stalled", "completed", "not_started"].flatMap((one) =>
      ["enrolled", "active", "progress"].map((by) => [one, by]),
    )) {
      for (const q of ["", "&q=learner"]) {
        const query = `?state=${state}&sort=${sort}${q}`;
        const wanted = idsOf(await listed(room, query));
        expect(wanted, query).toHaveLength(2);
        const paged: string[] = [];
        for (let after = ""; after !== null; ) {
          const { body } = await room.get(`learners${query}&limit=1${after && `&after=${after}`}`);
          paged.push(...idsOf(body.learners));
          after = body.nextCursor;
        }
        expect(paged, query).toEqual(wanted);
      }
    }
  });

  test("finds parts of names and whole e-mail addresses, and never shows an address", async () => {
    const room = await classroom(server);
    const ada = await room.learner("Ada Lovelace", "ada.secret@mail.example");
    const bob = await room.learner("Bob (B.) Byte\u0301", "bob@b\u00fccher.example");
    expect(idsOf(await listed(room, "?q=LOVE"))).toEqual([ada.id]);
    for (const whole of ["BOB@b\u00fccher.example", "bob@xn--bcher-kva.example", "te\u0301", "YT\u00c9"])
      expect(idsOf(await listed(room, `?q=${encodeURIComponent(whole)}`))).toEqual([bob.id]);
    for (const part of ["cher.ex", "b@b\u00fccher.example", "bob@b\u00fccher", "@", "bob@"])
      expect(idsOf(await listed(room, `?q=${encodeURIComponent(part)}`))).toEqual([]);
    expect(idsOf(await listed(room, `?q=${encodeURIComponent("(b.)")}`))).toEqual([bob.id]);
    expect(idsOf(await listed(room, "?q=.%2A"))).toEqual([]);
    expect(idsOf(await listed(room, "?q=a&limit=1&sort=progress"))).toHaveLength(1);
    for (const found of [await room.get("learners?q=ada"), await room.get(`learners/${ada.id}`)]) {
      expect(JSON.stringify(found.body)).toContain("Ada Lovelace");
      expect(JSON.stringify(found.body)).not.toMatch(/secret|@/);
    }
  });

  test("learners are those with an active enrollment", async () => {
    const room = await classroom(server);
    const [gone, over, here] = [await room.learner(), await room.learner(), await room.learner()];
    await db.Enrollment.updateOne({ userId: gone.id }, { active: false });
    await db.Enrollment.updateOne({ userId: over.id }, { expiresAt: new Date(Date.now() - 1) });
    const expiresAt = new Date(Date.now() + 60_000);
    await db.Enrollment.updateOne({ userId: here.id }, { expiresAt });
    expect(await listed(room)).toMatchObject([{ userId: here.id, expiresAt: expiresAt.toISOString() }]);
    for (const { id } of [gone, over]) {
      expect(await room.get(`learners/${id}`)).toMatchObject(refusal(404, "Learner not found"));
    }
  });

  test("refuses bad queries", async () => {
    const room = await classroom(server);
    for (const bad of ["state=x", "sort=x", `q=${"x".repeat(101)}`]) {
      expect(await room.get(`learners?${bad}`)).toMatchObject(refusal(400, "Invalid request data"));
    }
    expect((await room.get(`learners?q=${"é".repeat(100)}`)).status).toBe(200);
  });
});

describe("GET /courses/:id/learners/:userId", () => {
  test("shows lectures in order, quizzes with attempts, and learning time", async () => {
    const room = await classroom(server);
    const learner = await room.learner();
    await complete(server, learner, room.courseId, "ch2-l1");
    await attempt(server, learner, room.courseId, 4);
    await attempt(server, learner, room.courseId, 2);
    const time = { page: "Learning", path: `/player/${room.courseId}`, duration: 90 };
    await server.post("/api/user/track-time", time, learner.token);
    const { body } = await room.get(`learners/${learner.id}`);
    const [inList] = await listed(room);
    const lectures = room.course.courseContent.flatMap(({ chapterTitle, chapterContent }) =>
      chapterContent.map(({ lectureId, lectureTitle }) => ({ lectureId, lectureTitle, chapterTitle })),
    );
    const { chapterId, chapterTitle } = room.course.courseContent[0] ?? {};
    expect(body).toEqual({
      success: true,
      learner: {
        ...inList,
        lectures: lectures.map((one) => ({ ...one, completedAt: one.lectureId === "ch2-l1" ? stamp : null })),
        quizzes: [{ chapterId, chapterTitle, attempts: 2, best: 100, last: 50, lastAt: stamp }],
        learningSeconds: 90,
      },
    });
    const asAdmin = await server.get(room.path(`learners/${learner.id}`, "admin"), room.admin.token);
    expect(asAdmin.body).toEqual(body);
  });

  test("a lecture keeps the date of its first completion", async () => {
    const room = await classroom(server);
    const learner = await room.learner();
    const dateOf = async (index: number) =>
      (await room.get(`learners/${learner.id}`)).body.learner.lectures[index].completedAt;
    await complete(server, learner, room.courseId, "ch1-l1");
    const first = await dateOf(0);
    await complete(server, learner, room.courseId, "ch1-l2");
    await complete(server, learner, room.courseId, "ch1-l1");
    expect(await dateOf(0)).toBe(first);
    expect(Date.parse(await dateOf(1))).toBeGreaterThanOrEqual(Date.parse(first));
  });
});

async function replaceContent({ course, path, educator }: Room, courseContent: readonly unknown[]): Promise<void> {
  const { version } = await db.Course.findById(course._id).orFail().lean();
  const edited = await server.patch(path("").slice(0, -1), { version, courseContent }, educator.token);
  expect(edited).toMatchObject({ status: 200 });
}

test("an edit changes percents at once; the job counts and orders by the lectures of now, also for a lecture that is put back", async () => {
  const room = await classroom(server);
  const [first, second] = [await room.learner(), await room.learner()];
  for (const id of ["ch1-l1", "ch1-l2"]) await complete(server, first, room.courseId, id);
  await complete(server, second, room.courseId, "ch2-l1");
  const chapters = room.course.courseContent;
  const order = async () => idsOf(await listed(room, "?sort=progress"));
  async function edit(courseContent: typeof chapters, percents: number[]) {
    await replaceContent(room, courseContent);
    expect((await listed(room)).map(({ percent }) => percent)).toEqual(percents);
    await db.Course.updateOne({ _id: room.course._id }, { completionsDueAt: new Date() }, { timestamps: false });
    await runJob(server, "complete-courses");
    expect(await wrongFigures(server)).toEqual([]);
  }
  await edit(chapters.slice(1), [50, 0]);
  expect(await order()).toEqual([second.id, first.id]);
  await edit([...chapters], [25, 50]);
  expect(await order()).toEqual([first.id, second.id]);
});

test("an edit that puts a completed lecture back is work for the job, and an edit with a new lecture is not", async () => {
  const room = await classroom(server);
  const learner = await room.learner();
  await complete(server, learner, room.courseId, "ch1-l1");
  const [one, two] = room.course.courseContent;
  const due = async (courseContent: unknown[]) => {
    await db.Course.updateOne({ _id: room.course._id }, { $unset: { completionsDueAt: 1 } });
    await replaceContent(room, courseContent);
    return (await db.Course.findById(room.course._id).orFail().lean()).completionsDueAt !== undefined;
  };
  expect(await due([two])).toBe(true);
  expect(await due([two, one])).toBe(true);
  const [lecture] = two?.chapterContent ?? [];
  const added = { ...one, chapterId: "ch3", chapterContent: [{ ...lecture, lectureId: "brand-new" }] };
  expect(await due([one, two, added])).toBe(false);
});

test("all about learners is for the course's educator and administrators alone", async () => {
  const room = await classroom(server);
  const learner = await room.learner();
  const stranger = await server.signedIn("educator");
  const nowhere = "665f1c2ab7e4d90012ab34cd";
  for (const rest of ["learners", `learners/${learner.id}`, "funnel", "gradebook.csv"]) {
    expect(await server.get(room.path(rest), stranger.token)).toMatchObject(refusal(403, "Not authorized"));
    const unknown = room.path(rest, "admin").replace(room.courseId, nowhere);
    expect(await server.get(unknown, room.admin.token)).toMatchObject(refusal(404, "Course not found"));
  }
  expect(await room.get("learners/nobody")).toMatchObject(refusal(404, "Learner not found"));
});
