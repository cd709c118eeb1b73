import { type PipelineStage, Types } from "mongoose";
import { type ChapterAttempt, chapterAttempts } from "#server/models/assessments/attempt-queries.js";
import type { Certificate } from "#server/models/learning/certificate.js";
import { isPseudonym } from "#server/services/privacy/pseudonym.js";
import { type EventRule, type Expected, once, type Subject } from "./event-rule.js";

type Pair = { readonly userId: string; readonly courseId: Types.ObjectId };
type LearnerSubject = Subject & Pair;

const pairOf = ({ userId, courseId }: { userId: unknown; courseId: unknown }) => `${userId} ${courseId}`;
const subjectOf = ({ userId, courseId }: Pair): LearnerSubject => ({
  key: pairOf({ userId, courseId }),
  userId,
  courseId,
});

/** The events of an issued certificate. */
export function factsOfCertificate(
  { certificateId, issuedAt, formerEditions = [], revokedAt }: Certificate,
  since: Date,
): [key: string, Pick<Expected, "min" | "max">][] {
  const reissues = formerEditions.map(({ edition, replacedAt }): [string, Pick<Expected, "min" | "max">] => [
    `certificate.reissued ${certificateId} ${edition + 1}`,
    { min: once(replacedAt, since), max: 1 },
  ]);
  // A revoked certificate may have been reissued.
  const mayBeRevoked = revokedAt || formerEditions.length > 0;
  return [
    [`certificate.issued ${certificateId}`, { min: once(issuedAt, since), max: 1 }],
    ...reissues,
    ...(mayBeRevoked
      ? [
          [`certificate.revoked ${certificateId}`, { min: once(revokedAt, since), max: Number.POSITIVE_INFINITY }] as [
            string,
            Pick<Expected, "min" | "max">,
          ],
        ]
      : []),
  ];
}

/** Events about a learner in a course. */
export const learnerRule: EventRule = {
  types: [
    ...(["enrollment.activated", "enrollment.ended", "lecture.completed", "course.completed"] as const),
    ...(["certificate.issued", "certificate.reissued", "certificate.revoked"] as const),
    ...(["quiz.attempted", "review.written"] as const),
  ],
  model: "Enrollment",
  subjectOfRow: ({ userId = "", courseId }) =>
    courseId && !isPseudonym(userId) ? subjectOf({ userId, courseId }) : undefined,
  subjectOfEvent: ({ userId = "", courseId, reason }) =>
    // The enrollment of an erased user has another id.
    reason === "erased" ? undefined : subjectOf({ userId, courseId: new Types.ObjectId(courseId) }),
  eventsOf: (subjects) => ({
    userIds: { $in: [...new Set(subjects.flatMap(({ userId }) => userId ?? []))] },
    courseId: { $in: subjects.flatMap(({ courseId }) => courseId ?? []) },
  }),
  keysOf({ type, data }) {
    const pair = pairOf(data as Record<"userId" | "courseId", string>);
    if (type === "enrollment.activated") return [[`access ${pair}`, 1]];
    if (type === "enrollment.ended") return [[`access ${pair}`, -1]];
    if (type === "lecture.completed") return [[`${type} ${pair} ${data.lectureId}`, 1]];
    if (type === "quiz.attempted") return [[`${type} ${pair} ${data.chapterId}`, 1]];
    if (type === "certificate.reissued") return [[`${type} ${data.certificateId} ${data.edition}`, 1]];
    if (type.startsWith("certificate.")) return [[`${type} ${data.certificateId}`, 1]];
    return [[`${type} ${pair}`, 1]];
  },
  async expect(db, subjects, since, session) {
    const options = { ...(session && { session }) };
    const wanted = new Set(subjects.map(({ key }) => key));
    const match = {
      userId: { $in: [...new Set(subjects.flatMap(({ userId }) => userId ?? []))] },
      courseId: { $in: subjects.flatMap(({ courseId }) => courseId ?? []) },
    };
    const own = <T extends Pair>(rows: readonly T[]) => rows.filter((row) => wanted.has(pairOf(row)));
    const expected = new Map<string, Expected>();
    const expect = (key: string, subject: LearnerSubject, min: number, max = Number.POSITIVE_INFINITY) =>
      expected.set(`${key}`, { subject, min, max });

    const fields = { userId: 1, courseId: 1, active: 1, createdAt: 1, lecturesBeforeReset: 1 } as const;
    for (const row of own(await db.Enrollment.find(match, fields, options).lean())) {
      const [pair, active] = [pairOf(row), row.active ? 1 : 0];
      // The first event of an older enrollment has expired.
      expect(`access ${pair}`, subjectOf(row), active - (once(row.createdAt, since) ? 0 : 1), active);
      for (const lectureId of row.lecturesBeforeReset ?? [])
        expect(`lecture.completed ${pair} ${lectureId}`, subjectOf(row), 0, 1);
      if (row.lecturesBeforeReset) expect(`course.completed ${pair}`, subjectOf(row), 0);
    }
    for (const row of own(await db.CourseProgress.find(match, {}, options).lean())) {
      const [pair, subject] = [pairOf(row), subjectOf(row)];
      for (const lectureId of row.lectureCompleted) {
        const key = `lecture.completed ${pair} ${lectureId}`;
        if (!expected.has(key)) expect(key, subject, once(row.createdAt, since), 1);
      }
      if (row.completed) expect(`course.completed ${pair}`, subject, once(row.completedAt, since));
    }
    const certificates = await db.Certificate.find({ ...match, status: "issued" }, {}, options).lean<
      (Certificate & Pair)[]
    >();
    for (const row of own(certificates)) {
      for (const [key, counts] of factsOfCertificate(row, since))
        expected.set(key, { subject: subjectOf(row), ...counts });
    }
    for (const row of own(await db.CourseRating.find(match, {}, options).lean()))
      expect(`review.written ${pairOf(row)}`, subjectOf(row), once(row.createdAt, since));

    const _id = { userId: "$userId", courseId: "$courseId", chapterId: "$chapterId" };
    const recent = { $sum: { $cond: [{ $gte: ["$at", since] }, 1, 0] } };
    const group: PipelineStage.Group = { $group: { _id, all: { $sum: 1 }, recent } };
    type Attempts = { _id: Pair & Pick<ChapterAttempt, "chapterId">; all: number; recent: number };
    const attempts = await db.QuizResult.aggregate<Attempts>([...chapterAttempts(db, match), group], options);
    for (const { _id, ...count } of attempts) {
      if (!wanted.has(pairOf(_id))) continue;
      expect(`quiz.attempted ${pairOf(_id)} ${_id.chapterId}`, subjectOf(_id), count.recent, count.all);
    }
    return expected;
  },
};
