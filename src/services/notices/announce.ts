import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { insertOnce } from "../../db/insert-once.js";
import { utcDay } from "../../lib/days.js";
import { failure } from "../../lib/errors.js";
import type { Course } from "../../models/courses/course.js";
import { findActiveEnrollment } from "../../models/enrollments/enrollment-queries.js";
import type { Announcement } from "../../models/notices/announcement.js";
import { writeAccount } from "../../models/users/user.js";
import type { ManagedCourse } from "../courses/managed-course.js";

export const TooManyAnnouncements = failure("too_many_announcements", 429, "Too many announcements");

/** Maximum number of announcements on one UTC day: of a course, and of an educator. */
const maxPerDay = { course: 5, educator: 10 };

/** Fields of a course that an announcement needs. */
export const announcedFields = { educatorId: 1, totalEnrolledStudents: 1 } as const;
export type AnnouncedCourse = Pick<Course, "_id" | keyof typeof announcedFields>;

/**
 * Stores an announcement to the learners of a course. A job makes their notices. The author gets none.
 * @throws TooManyAnnouncements
 */
export async function announce(
  db: Db,
  { _id: courseId, totalEnrolledStudents = 0 }: ManagedCourse<AnnouncedCourse>,
  { educatorId, title, body }: Pick<Announcement, "educatorId" | "title" | "body">,
): Promise<Pick<Announcement, "_id" | "recipients">> {
  const _id = new Types.ObjectId();
  const announcement = await insertOnce<Announcement, Announcement>(
    db,
    db.Announcement,
    { _id },
    { mutex: `account:${educatorId}` },
    async (session) => {
      // Makes concurrent announcements of an educator conflict.
      await writeAccount(db, educatorId, { $inc: { announcementsMade: 1 } }, session);
      const now = new Date();
      const day = utcDay(now);
      const last = await db.Announcement.findOne({ courseId, day }, { ordinal: 1 })
        .sort({ ordinal: -1 })
        .session(session)
        .lean();
      const ordinal = (last?.ordinal ?? 0) + 1;
      const ofEducator = await db.Announcement.countDocuments({ educatorId, day }).session(session);
      if (ordinal > maxPerDay.course || ofEducator >= maxPerDay.educator) throw TooManyAnnouncements();
      const isLearner = await findActiveEnrollment(db, { userId: educatorId, courseId }, session);
      const recipients = Math.max(0, totalEnrolledStudents - (isLearner ? 1 : 0));
      const text = { courseId, educatorId, title, body };
      const row = { _id, ...text, day, ordinal, recipients, sentTo: "", noticeDueAt: now, createdAt: now };
      await db.Announcement.insertMany([row], { session, lean: true });
      return row;
    },
  );
  db.jobWakeups.emit("Announcement");
  return announcement;
}
