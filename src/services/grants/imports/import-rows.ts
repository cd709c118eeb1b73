import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { emailAddress } from "../../../lib/email-address.js";
import { endOfAccess, isObjectId } from "../../../lib/fields.js";
import { isInForce } from "../../../models/enrollments/enrollment.js";
import type {
  EnrollmentImport,
  EnrollmentImportRow,
  ImportOutcome,
} from "../../../models/enrollments/enrollment-import.js";
import { endOverdueGrants, type Grant } from "../../../models/enrollments/grant.js";
import { reachesCourse } from "../../../models/users/api-key.js";
import { type CountedEnrollment, countedFields } from "../../enrollments/enrollment.js";
import { findRecipients } from "../activate-grants.js";

/** The outcome of a row, and the grant that it creates. */
export interface ImportedRow {
  readonly row: EnrollmentImportRow;
  readonly outcome: ImportOutcome;
  readonly message: string;
  readonly grant?: Grant;
  /** The learner's enrollment that the course's students count already; its time is over. */
  readonly counted?: CountedEnrollment | undefined;
}

interface ParsedRow {
  readonly email: string;
  readonly courseId: string;
  readonly expiresAt: Date | null;
}

/** Parses a row. @returns the message for a row that is invalid. */
function parseRow(row: EnrollmentImportRow, ownCourse: Types.ObjectId | null): ParsedRow | string {
  const { data: email } = emailAddress.safeParse(row.email);
  const courseId = ownCourse ? String(ownCourse) : row.courseId.toLowerCase();
  if (email === undefined) return "Not an e-mail address";
  if (!isObjectId(courseId)) return "Course not found";
  if (row.expiresAt === "") return { email, courseId, expiresAt: null };
  const { data: expiresAt } = endOfAccess.safeParse(row.expiresAt);
  if (!expiresAt) return "expiresAt is not a date";
  return expiresAt.getTime() > Date.now() ? { email, courseId, expiresAt } : "expiresAt is over";
}

/**
 * Decides about some rows of an import, in the caller's transaction, by a fixed number of queries.
 * @returns one result for each row, in their order.
 */
export async function decideRows(
  db: Db,
  session: ClientSession,
  found: Pick<EnrollmentImport, "courseId" | "requestedBy" | "keyCourseIds">,
  rows: readonly EnrollmentImportRow[],
): Promise<ImportedRow[]> {
  const { courseId: ownCourse, requestedBy, keyCourseIds } = found;
  // A row with a wrong number of cells has its outcome already.
  const parsed = rows.map((row) => (row.outcome === null ? parseRow(row, ownCourse) : row.message));
  const valid = parsed.flatMap((wanted) => (typeof wanted === "string" ? [] : [wanted]));
  const known = await readFacts(db, session, valid);
  const taken = new Set<string>();
  return rows.map((row, i): ImportedRow => {
    const wanted = parsed[i] ?? "";
    if (typeof wanted === "string") return { row, outcome: row.outcome ?? "failed", message: wanted };
    const isSeen = known.courses.has(wanted.courseId) && reachesCourse({ courseIds: keyCourseIds }, wanted.courseId);
    if (!isSeen) return { row, outcome: "failed", message: "Course not found" };
    const userId = known.recipients.get(wanted.email);
    const key = `${wanted.courseId} ${userId ?? wanted.email}`;
    const enrollment = known.enrollments.get(key);
    if (known.waiting.has(key) || (enrollment && isInForce(enrollment))) {
      return { row, outcome: "skipped", message: "Already enrolled" };
    }
    if (taken.has(key)) return { row, outcome: "skipped", message: "Named by an earlier row" };
    taken.add(key);
    const grant = grantOf(wanted, userId, requestedBy);
    if (userId === undefined) return { row, outcome: "waiting", message: "Waits for this e-mail address", grant };
    return { row, outcome: "granted", message: "", grant, counted: enrollment };
  });
}

async function readFacts(db: Db, session: ClientSession, parsed: readonly ParsedRow[]) {
  const emails = [...new Set(parsed.map(({ email }) => email))];
  const courseIds = [...new Set(parsed.map(({ courseId }) => courseId))];
  const recipients = await findRecipients(db, session, emails);
  const courses = await db.Course.find({ _id: { $in: courseIds } }, { _id: 1 })
    .session(session)
    .lean();
  const enrollments = await db.Enrollment.find(
    { userId: { $in: [...recipients.values()] }, courseId: { $in: courseIds }, active: true },
    countedFields,
  )
    .session(session)
    .lean<CountedEnrollment[]>();
  await endOverdueGrants(db, emails, { courseId: { $in: courseIds } }, session);
  const waiting = await db.Grant.find(
    { email: { $in: emails }, courseId: { $in: courseIds }, state: "waiting" },
    { email: 1, courseId: 1 },
  )
    .session(session)
    .lean<Pick<Grant, "email" | "courseId">[]>();
  return {
    recipients,
    courses: new Set(courses.map(({ _id }) => String(_id))),
    enrollments: new Map(enrollments.map((one) => [`${one.courseId} ${one.userId}`, one])),
    waiting: new Set(waiting.map(({ email, courseId }) => `${courseId} ${email}`)),
  };
}

function grantOf({ email, courseId, expiresAt }: ParsedRow, userId: string | undefined, grantedBy: string): Grant {
  const now = new Date();
  return {
    _id: new Types.ObjectId(),
    courseId: new Types.ObjectId(courseId),
    userId: userId ?? null,
    email,
    state: userId === undefined ? "waiting" : "active",
    reason: "Imported list",
    expiresAt,
    grantedBy,
    createdAt: now,
    updatedAt: now,
  };
}
