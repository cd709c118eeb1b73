import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { chunk } from "../../lib/chunk.js";
import { utcDay } from "../../lib/days.js";
import { type Mail, newMail } from "../../models/notices/mail.js";
import { frontendLinks } from "../notices/frontend-links.js";
import { findLeavers } from "../users/find-leavers.js";

/** Number of mails that one command stores. */
const maxBatchRows = 200;

/** Number of courses that a digest names. */
const maxCourses = 20;

/** The clocks of two instances differ by less. */
const idSlackMs = 60 * 60_000;

interface EducatorDay {
  /** User id of the educator. */
  readonly _id: string;
  readonly courses: readonly { readonly courseId: Types.ObjectId; readonly students: number }[];
}

/**
 * Stores a mail for each educator whose courses had new students on a UTC day. Its key has the day, so that a repeated run
 * stores no second one. Whether the educator wants the mail is asked when it is sent.
 * @returns the number of mails.
 * @throws Error while an event of the day waits for its number, which comes with its educator.
 */
export async function sendStudentDigests(
  { db, config }: Pick<Deps, "db" | "config">,
  { begin, end }: { readonly begin: Date; readonly end: Date },
  signal: AbortSignal,
): Promise<number> {
  const day = utcDay(begin);
  if (await db.Event.exists({ unnumberedSince: { $gt: new Date(0), $lt: end } })) {
    throw new Error("an event of the day has no number yet");
  }
  const link = frontendLinks(config).students;
  let stored = 0;
  for (const educators of chunk(await findEducators(db, begin, end), maxBatchRows)) {
    signal.throwIfAborted();
    const leavers = await findLeavers(
      db,
      educators.map(({ _id }) => _id),
    );
    const remaining = educators.filter(({ _id }) => !leavers.has(_id));
    if (remaining.length === 0) continue;
    const titles = await readTitles(db, remaining);
    const upserts = remaining.map((educator) => ({
      updateOne: {
        filter: { key: `new_student:${educator._id}:${day}` },
        update: { $setOnInsert: digestOf(educator, { day, titles, link }) },
        upsert: true,
      },
    }));
    const { upsertedCount } = await db.Mail.bulkWrite(upserts, { ordered: false, timestamps: false });
    stored += upsertedCount;
  }
  if (stored > 0) db.jobWakeups.emit("Mail");
  return stored;
}

/** Counts the new students of a day by educator and course, without the educator and those whom the educator enrolled. */
function findEducators(db: Db, begin: Date, end: Date): Promise<EducatorDay[]> {
  // The run is due soon after the day, so that the ids of the time since then are few.
  const firstId = Types.ObjectId.createFromTime((begin.getTime() - idSlackMs) / 1_000);
  return db.Event.aggregate<EducatorDay>([
    {
      $match: {
        _id: { $gte: firstId },
        type: "enrollment.activated",
        at: { $gte: begin, $lt: end },
        educatorId: { $type: "string" },
        $expr: { $not: [{ $in: ["$educatorId", ["$data.userId", "$actorId"]] }] },
      },
    },
    { $group: { _id: { educatorId: "$educatorId", courseId: "$courseId", userId: "$data.userId" } } },
    { $group: { _id: { educatorId: "$_id.educatorId", courseId: "$_id.courseId" }, students: { $sum: 1 } } },
    { $group: { _id: "$_id.educatorId", courses: { $push: { courseId: "$_id.courseId", students: "$students" } } } },
  ]).exec();
}

async function readTitles(db: Db, educators: readonly EducatorDay[]): Promise<Map<string, string>> {
  const ids = educators.flatMap(({ courses }) => shownCourses(courses).map(({ courseId }) => courseId));
  const courses = await db.Course.find({ _id: { $in: ids } }, { courseTitle: 1 }).lean();
  return new Map(courses.map(({ _id, courseTitle }) => [String(_id), courseTitle]));
}

/** The courses with the most new students. */
const shownCourses = (courses: EducatorDay["courses"]): EducatorDay["courses"] =>
  courses.toSorted((a, b) => b.students - a.students).slice(0, maxCourses);

function digestOf(
  { _id: userId, courses }: EducatorDay,
  { day, titles, link }: { day: string; titles: ReadonlyMap<string, string>; link: string | null },
): Mail {
  const students = courses.reduce((sum, course) => sum + course.students, 0);
  const lines = shownCourses(courses).map(
    (course) => `“${titles.get(String(course.courseId)) ?? "a removed course"}”: ${course.students}`,
  );
  const others = courses.length - lines.length;
  if (others > 0) lines.push(`and ${others} more courses`);
  const title = `${students} new ${students === 1 ? "student" : "students"} on ${day}`;
  return newMail({ userId, type: "new_student", title, body: lines.join("\n"), link });
}
