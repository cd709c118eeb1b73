import { isDeepStrictEqual } from "node:util";
import build from "fast-json-stringify";
import { Types } from "mongoose";
import { z } from "zod";
import { PostsReply } from "../../src/api/community/posts/posts.schemas.js";
import { CatalogReply, CourseReply } from "../../src/api/courses/courses.schemas.js";
import { DashboardReply } from "../../src/api/educator/dashboards/dashboards.schemas.js";
import { compileWriter, type Writer } from "../../src/http/replies/compile-writer.js";
import { buildChapters } from "../../tests/factories/course-content.js";
import { inTurns, median, spread } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { outline } from "../scenes/plain-catalog.js";

const now = new Date("2026-11-24T12:00:00Z");
const student = (n: number) => ({
  _id: `user_${n}`,
  name: `Learner number ${n}`,
  imageUrl: "https://img.example/a.png",
});
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

const course = (n: number) => ({
  ...{ _id: new Types.ObjectId(), courseTitle: `Course ${n}`, courseThumbnail: `https://img.example/${n}.png` },
  ...{ courseDescription: `What course ${n} teaches, in a paragraph or two. `.repeat(8), isPublished: true },
  ...{ coursePrice: 2_000, discount: 10, averageRating: 4.5, totalRatings: 12, totalLectures: 18 },
  ...{ totalDurationMinutes: 180, totalEnrolledStudents: 34, educatorId: student(n), createdAt: now, updatedAt: now },
});
const post = (n: number) => ({
  ...{ _id: new Types.ObjectId(), authorName: `Learner number ${n}`, authorImage: "", title: `Question ${n}` },
  ...{ content: "What I think about it, in a sentence or two. ".repeat(4), tags: ["types"], replyCount: 3 },
  ...{ isResolved: false, isAuthor: false, upvoteCount: 5, isUpvoted: false, createdAt: now, updatedAt: now },
  group: { _id: new Types.ObjectId(), name: "General", slug: "general", icon: "x" },
});

/** Replies as controllers give them: ids and dates are objects. */
const replies: Readonly<Record<string, readonly [z.ZodObject, object]>> = {
  course: [CourseReply, { courseData: { ...course(1), courseContent: buildChapters(...outline) } }],
  "20 posts": [PostsReply, { posts: many(20, post), hasMore: true, total: 500 }],
  "catalog of 500": [CatalogReply, { courses: many(500, course) }],
  "dashboard of 250": [
    DashboardReply,
    {
      dashboardData: {
        ...{ totalEarnings: 1_234.5, totalCourses: 3 },
        enrolledStudentsData: many(250, (n) => ({ courseTitle: "Course 1", student: student(n) })),
      },
    },
  ],
};

/** `JSON.stringify` alone writes every field that there is; the others only those that the schema names. */
const kinds: Readonly<Record<string, (schema: z.ZodObject) => Writer>> = {
  "JSON.stringify alone": () => JSON.stringify,
  "parsed, then JSON.stringify": (schema) => (value) => JSON.stringify(schema.parse(value)),
  "fast-json-stringify": (schema) => build(z.toJSONSchema(schema, { target: "draft-7" }) as build.ObjectSchema),
  this: compileWriter,
};

/** How replies are written. */
export const writers: Part = {
  about: "writing replies by their schema: ours, fast-json-stringify, and parsing before JSON.stringify",
  async run({ quick, rounds }) {
    const rows: Row[] = [];
    for (const [reply, [schema, value]] of Object.entries(replies)) {
      const text = compileWriter(schema)(value);
      const amount = Math.ceil((quick ? 2e6 : 2e7) / text.length);
      const measures = Object.entries(kinds).map(([kind, make]) => {
        const write = make(schema);
        if (!isDeepStrictEqual(JSON.parse(write(value)), JSON.parse(text)))
          throw new Error(`${kind}: another ${reply}`);
        return [kind, async () => microseconds(() => Buffer.from(write(value)), amount)] as const;
      });
      await inTurns(1, Object.fromEntries(measures));
      const figures: Record<string, number[]> = await inTurns(rounds, Object.fromEntries(measures));
      const times = Object.entries(figures).map(([kind, taken]) => [`${kind} µs`, median(taken)] as const);
      const ours = figures.this ?? [];
      rows.push({
        ...{ reply, bytes: text.length, ...Object.fromEntries(times), spread: spread(ours) },
        "this : fast-json-stringify": median(ours) / median(figures["fast-json-stringify"] ?? []),
      });
    }
    const note =
      "Microseconds until the reply's bytes are there. Ours also refuses a value that the schema does not accept, as parsing does; fast-json-stringify writes much of that as well as it can.";
    return [{ title: "Writing one reply", note, rows }];
  },
};

function microseconds(work: () => unknown, amount: number): number {
  const began = performance.now();
  for (let n = 0; n < amount; n += 1) work();
  return ((performance.now() - began) * 1_000) / amount;
}
