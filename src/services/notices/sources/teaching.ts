import type { Types } from "mongoose";
import { utcDay, utcHour } from "../../../lib/days.js";
import { distinct } from "../../../lib/distinct.js";
import type { Course } from "../../../models/courses/course.js";
import { type Enrollment, inForce, isInForce } from "../../../models/enrollments/enrollment.js";
import type { StoredEvent } from "../../../models/events/event.js";
import type { Webhook } from "../../../models/events/webhook.js";
import type { Announcement } from "../../../models/notices/announcement.js";
import { type EventFacts, noticesOfEvents, noticeTypes } from "../notice-types.js";
import { maxNotices, type NoticeSource, type PlanContext, type PlannedNotice } from "./source.js";

type TaughtCourse = Pick<Course, "_id" | "courseTitle" | "educatorId">;

async function findCourses(
  { db, session }: PlanContext,
  ids: readonly Types.ObjectId[],
): Promise<Map<string, TaughtCourse>> {
  if (ids.length === 0) return new Map();
  const courses = await db.Course.find({ _id: { $in: distinct(ids) } }, { courseTitle: 1, educatorId: 1 })
    .session(session)
    .lean<TaughtCourse[]>();
  return new Map(courses.map((course) => [String(course._id), course]));
}

/** Finds the titles of the paths that events are about. */
async function findPathTitles(
  { db, session }: PlanContext,
  rows: readonly Pick<StoredEvent, "data">[],
): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ data: { pathId } }) => (typeof pathId === "string" ? [pathId] : []));
  if (ids.length === 0) return new Map();
  const paths = await db.Path.find({ _id: { $in: distinct(ids) } }, { title: 1 })
    .session(session)
    .lean();
  return new Map(paths.map(({ _id, title }) => [String(_id), title]));
}

/**
 * Events that have their number. Users are not told of what they did themselves. The notice of the reviews of a course
 * and an hour counts the reviewers, because repeated events are not due. The last one of a cause is stored.
 */
export const events: NoticeSource<Pick<StoredEvent, "_id" | "type" | "data" | "courseId" | "actorId" | "at">> = {
  model: "Event",
  fields: { type: 1, data: 1, courseId: 1, actorId: 1, at: 1 },
  async plan(context, rows) {
    const courses = await findCourses(
      context,
      rows.flatMap(({ courseId }) => courseId ?? []),
    );
    const pathTitles = await findPathTitles(context, rows);
    const counts = new Map<string, number>();
    const notices: PlannedNotice[] = [];
    for (const { _id, type: eventType, data, courseId, actorId, at } of rows) {
      const notice = noticesOfEvents.get(eventType);
      const course = courses.get(String(courseId));
      const own = String(data.userId);
      const userId = notice?.to === "the user" ? own : course?.educatorId;
      if (!notice || userId === undefined) continue;
      if (actorId === userId || (notice.to === "the educator" && own === userId)) continue;
      const facts = {
        data,
        courseTitle: course?.courseTitle ?? pathTitles.get(String(data.pathId)) ?? "",
      } as EventFacts;
      const planned = { type: notice.type, userId, ...notice.compose(facts, context.links) };
      if (notice.type === "review_written" && course) {
        const cause = `${course._id}:${utcHour(at)}`;
        const count = (counts.get(cause) ?? 0) + 1;
        counts.set(cause, count);
        notices.push({ ...planned, cause, count, isAdded: true });
      } else notices.push({ ...planned, cause: String(_id), isNew: true });
    }
    return { notices };
  },
};

/** Enrollments whose end is near. A learner is told once a day of a course, however often the end moves. */
export const endings: NoticeSource<
  Pick<Enrollment, "_id" | "userId" | "courseId" | "active"> & Partial<Pick<Enrollment, "expiresAt">>
> = {
  model: "Enrollment",
  fields: { userId: 1, courseId: 1, active: 1, expiresAt: 1 },
  async plan(context, rows) {
    const courses = await findCourses(
      context,
      rows.map(({ courseId }) => courseId),
    );
    const day = utcDay(new Date());
    const notices = rows.flatMap(({ userId, courseId, active, expiresAt }): PlannedNotice[] => {
      const course = courses.get(String(courseId));
      if (!course || !expiresAt || !isInForce({ active, expiresAt })) return [];
      const facts = { courseId, courseTitle: course.courseTitle, expiresAt };
      const text = noticeTypes.access_ends_soon.compose(facts, context.links);
      return [{ type: "access_ends_soon", userId, cause: `${courseId}:${day}`, ...text }];
    });
    return { notices };
  },
};

/**
 * Announcements, each to the learners who had access when it was written. A batch holds the next learners of one
 * announcement in the order of their user ids.
 */
export const announcements: NoticeSource<
  Pick<Announcement, "_id" | "courseId" | "educatorId" | "title" | "body" | "sentTo" | "createdAt">
> = {
  model: "Announcement",
  fields: { courseId: 1, educatorId: 1, title: 1, body: 1, sentTo: 1, createdAt: 1 },
  maxRows: 1,
  turnsBy: "educatorId",
  async plan(context, [row]) {
    const { db, session, links } = context;
    if (!row) return { notices: [] };
    const { _id, courseId, educatorId, title, body, sentTo = "", createdAt } = row;
    const isLater = { enrolledAt: { $gt: createdAt } };
    const { active, $nor: isOver } = inForce();
    const waiting = { courseId, active, userId: { $gt: sentTo }, $nor: [...isOver, isLater] };
    const learners = await db.Enrollment.find(waiting, { userId: 1 })
      .sort({ userId: 1 })
      .limit(maxNotices)
      .session(session)
      .lean();
    const course = (await findCourses(context, [courseId])).get(String(courseId));
    if (!course) return { notices: [] };
    const { courseTitle } = course;
    const text = noticeTypes.announcement.compose({ courseId, courseTitle, title, body }, links);
    const notices = learners
      .filter(({ userId }) => userId !== educatorId)
      .map(
        ({ userId }): PlannedNotice => ({
          type: "announcement",
          userId,
          ownerId: educatorId,
          cause: String(_id),
          ...text,
        }),
      );
    const last = learners.at(-1);
    if (!last || learners.length < maxNotices) return { notices };
    return { notices, update: { $set: { sentTo: last.userId } } };
  },
};

/** Webhooks that the server has disabled, unless their owner has switched them on again. */
export const disabledWebhooks: NoticeSource<
  Pick<Webhook, "_id" | "url" | "active" | "disabledReason" | "createdBy"> & { noticeDueAt: Date }
> = {
  model: "Webhook",
  fields: { url: 1, active: 1, disabledReason: 1, createdBy: 1, noticeDueAt: 1 },
  async plan({ links }, rows) {
    const notices = rows
      .filter(({ active }) => !active)
      .map(({ _id, url, disabledReason: reason = null, createdBy: userId, noticeDueAt }): PlannedNotice => {
        const text = noticeTypes.webhook_disabled.compose({ url, reason }, links);
        return { type: "webhook_disabled", userId, cause: `${_id}:${noticeDueAt.getTime()}`, ...text };
      });
    return { notices };
  },
};
