import { z } from "zod";
import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { id, text } from "../../../lib/fields.js";
import { findManagedCourse } from "../../../services/courses/managed-course.js";
import { CourseNotFound, NotTheOwner } from "../../../services/failures.js";
import {
  type AnnouncedCourse,
  announce,
  announcedFields,
  TooManyAnnouncements,
} from "../../../services/notices/announce.js";

const AnnouncementBody = z.object({
  title: text(1, 200),
  body: text(1, 5_000).meta({ description: "Markdown" }),
});

const AnnouncementReply = z.object({
  announcement: z
    .object({ _id: id, recipients: z.int().meta({ description: "number of learners with access" }) })
    .meta({ id: "Announcement" }),
});

/** What educators tell the learners of a course. */
export function announcementsGroup({ db }: Deps): RouteGroup {
  return {
    name: "notifications",
    base: "/api/educator",
    routes: [
      route("post", "/courses/:id/announcements", {
        operationId: "announce",
        summary: "Tell all learners of a course something",
        description: "Their notifications and mails follow soon. A course has five announcements on a UTC day at most.",
        access: "educator",
        body: AnnouncementBody,
        reply: AnnouncementReply,
        errors: [CourseNotFound, NotTheOwner, TooManyAnnouncements],
        async handle({ params, body, manager }) {
          const course = await findManagedCourse<AnnouncedCourse>(db, params.id, manager, announcedFields);
          return { announcement: await announce(db, course, { educatorId: manager.userId, ...body }) };
        },
      }),
    ],
  };
}
