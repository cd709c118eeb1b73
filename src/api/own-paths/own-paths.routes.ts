import { z } from "zod";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { id, timestamp } from "../../lib/fields.js";
import { listOwnPaths } from "../../services/paths/own-paths.js";

const OwnPathCourse = z
  .object({
    courseId: id,
    courseTitle: z.string(),
    courseThumbnail: z.string(),
    lecturesDone: z.int(),
    lecturesTotal: z.int(),
    completedAt: timestamp.nullable(),
    isEnrolled: z.boolean().meta({ description: "false once the access to this course has ended" }),
    isLocked: z.boolean().meta({ description: "whether an earlier course is to be completed first" }),
  })
  .meta({ id: "OwnPathCourse" });

const OwnPath = z
  .object({
    _id: id,
    slug: z.string(),
    title: z.string(),
    inOrder: z.boolean(),
    courses: z.array(OwnPathCourse).meta({ description: "those that the caller got with the path, in order" }),
    coursesDone: z.int(),
    coursesTotal: z.int(),
    percent: z.int(),
    enrolledAt: timestamp,
    expiresAt: timestamp.nullable().meta({ description: "the latest end of its courses; null: never" }),
    completedAt: timestamp.nullable(),
    certificateId: z.string().nullable(),
  })
  .meta({ id: "OwnPath" });

/** The paths that the caller holds. */
export const ownPathsGroup = ({ db }: Deps): RouteGroup => ({
  name: "user",
  base: "/api/user",
  routes: [
    route("get", "/paths", {
      operationId: "listOwnPaths",
      summary: "The paths that the caller holds, oldest first, with the progress in each",
      access: "user",
      reply: z.object({ paths: z.array(OwnPath) }),
      handle: async ({ viewer }) => ({ paths: await listOwnPaths(db, viewer.id) }),
    }),
  ],
});
