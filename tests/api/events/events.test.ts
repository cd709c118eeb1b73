import { expect, test } from "vitest";
import { type NewEvent, recordEvents } from "../../../src/services/events/record-event.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";
import type { ListedEvent as Listed } from "./event-log.js";

const server = await startTestServer({ own: "counts all events" });
const { db } = server.deps;
const [admin, educator] = [await server.signedIn("admin"), await server.signedIn("educator")];
const course = await buildCourse(server, { educatorId: educator.id, isPublished: false });
const courseId = String(course._id);

const record = (...facts: NewEvent[]) => db.transaction((session) => recordEvents(db, session, facts));
const created = (userId: string): NewEvent => ({ type: "user.created", data: { userId } });
const changed = (version: number): NewEvent => ({ type: "course.changed", data: { courseId, version } });

const get = async (query = "", who: SignedIn = admin, on: TestServer = server) => {
  const base = who === admin ? "admin" : "educator";
  const { status, body } = await on.get(`/api/${base}/events${query}`, who.token);
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  return body as { events: Listed[]; nextCursor: string };
};

test("an event is listed at once; a kept cursor goes on behind the events of the last page", async () => {
  const start = await get();
  expect(start).toEqual({ success: true, events: [], nextCursor: expect.any(String) });
  await record(created("one"), changed(2));
  const { events, nextCursor } = await get(`?after=${start.nextCursor}`);
  const listed = { _id: expect.stringMatching(/^[0-9a-f]{24}$/), at: expect.any(String) };
  expect(events).toEqual([
    { ...listed, type: "user.created", data: { userId: "one" } },
    { ...listed, type: "course.changed", data: { courseId, version: 2 } },
  ]);
  expect(new Date(events[0]?.at ?? "").toISOString()).toBe(events[0]?.at);
  const empty = await get(`?after=${nextCursor}`);
  expect(empty).toMatchObject({ events: [], nextCursor });
  await record(changed(3));
  expect((await get(`?after=${nextCursor}`)).events).toMatchObject([{ data: { version: 3 } }]);
  const first = await get("?limit=1");
  expect(first.events).toEqual(events.slice(0, 1));
  expect((await get(`?limit=1&after=${first.nextCursor}`)).events).toEqual(events.slice(1));
});

test("a type selects events, also in pages", async () => {
  await record(created("two"), changed(4), created("three"));
  const { events, nextCursor } = await get("?type=course.changed&limit=2");
  expect(events.map(({ data }) => data.version)).toEqual([2, 3]);
  const rest = await get(`?type=course.changed&after=${nextCursor}`);
  expect(rest.events.map(({ data }) => data.version)).toEqual([4]);
});

test("an educator lists the events of own courses, and no events about users", async () => {
  const other = await server.signedIn("educator");
  const theirs = String((await buildCourse(server, { educatorId: other.id, isPublished: false }))._id);
  await record({ type: "course.published", data: { courseId: theirs, version: 2 } }, created("four"));
  expect((await get("", other)).events).toMatchObject([{ type: "course.published", data: { courseId: theirs } }]);
  expect((await get("?type=user.created", other)).events).toEqual([]);
  const own = await get("", educator);
  expect(own.events.map(({ data }) => data.courseId)).toEqual([courseId, courseId, courseId]);
});

test("an unknown type is refused", async () => {
  expect(await server.get("/api/admin/events?type=none", admin.token)).toMatchObject(
    refusal(400, "Invalid request data"),
  );
});

test("each type has a description and a JSON Schema of its data; educators see no types about users", async () => {
  const ofAdmin = (await server.get("/api/admin/webhooks/event-types", admin.token)).body;
  const ofEducator = (await server.get("/api/educator/webhooks/event-types", educator.token)).body;
  expect(ofAdmin.eventTypes.map(({ type }: Listed) => type)).toEqual([
    ...["purchase.completed", "purchase.refunded", "enrollment.activated", "enrollment.ended", "lecture.completed"],
    ...["course.completed", "certificate.issued", "certificate.reissued", "certificate.revoked", "quiz.attempted"],
    ...["course.published", "course.unpublished", "course.changed"],
    ...["path.completed", "path.published", "path.unpublished", "path.changed"],
    ...["review.written", "application.decided", "user.created", "user.erased", "import.finished"],
  ]);
  const adminOnly = ["application.decided", "user.created", "user.erased"];
  expect(ofEducator.eventTypes).toEqual(ofAdmin.eventTypes.filter(({ type }: Listed) => !adminOnly.includes(type)));
  const [completed] = ofAdmin.eventTypes;
  expect(completed).toMatchObject({
    description: expect.stringContaining("purchase"),
    schema: {
      type: "object",
      properties: { purchaseId: { type: "string", pattern: "^[0-9a-fA-F]{24}$" }, amount: { type: "number" } },
      required: ["purchaseId", "userId", "courseId", "pathId", "amount", "currency", "couponCode"],
    },
  });
});

test("a reader that pages while many write finds every event once, in one order on two instances", async () => {
  const another = await server.another();
  const [writers, each] = [10, 6];
  const { nextCursor: start } = await get("?limit=100");
  let isWriting = true;
  async function read(on: TestServer): Promise<Listed[]> {
    const seen: Listed[] = [];
    let after = start;
    for (;;) {
      const isLast = !isWriting;
      const { events, nextCursor } = await get(`?limit=7&after=${after}`, admin, on);
      seen.push(...events);
      after = nextCursor;
      if (isLast && events.length === 0) return seen;
    }
  }
  const reading = [read(server), read(another)];
  const writing = Array.from({ length: writers }, async (_, writer) => {
    const { db: on } = (writer % 2 === 0 ? server : another).deps;
    for (let n = 0; n < each; n += 1) {
      await on.transaction(async (session) => {
        await recordEvents(on, session, [created(`${writer}-${n}`)]);
        // The commits come in another order than the events were recorded.
        for (let wait = (writer * 7 + n * 3) % 5; wait > 0; wait -= 1)
          await on.User.findById("x").session(session).lean();
      });
    }
  });
  await Promise.all(writing);
  isWriting = false;
  const [seen = [], same] = await Promise.all(reading);
  expect(same).toEqual(seen);
  const expected = Array.from({ length: writers * each }, (_, i) => `${Math.floor(i / each)}-${i % each}`);
  expect(seen.map(({ data }) => data.userId).sort()).toEqual(expected.sort());
});
