import { z } from "zod";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { id, timestamp } from "../../lib/fields.js";
import { CourseNotAccessible, findLecture, LectureNotFound } from "../../services/courses/course-access.js";
import { BlocksView } from "../lecture-blocks.js";

const LectureResource = z
  .object({
    resourceId: id,
    name: z.string(),
    size: z.int().meta({ description: "bytes" }),
    contentType: z.string(),
    url: z.string().meta({ description: "path of the route that sends the file" }),
  })
  .meta({ id: "LectureResource" });

const LectureReply = z.object({
  lecture: z
    .object({
      lectureId: z.string(),
      lectureTitle: z.string(),
      lectureDuration: z.number().meta({ description: "minutes" }),
      lectureUrl: z.string().meta({ description: "empty without a video, and until the lecture opens" }),
      isPreviewFree: z.boolean(),
      lectureOrder: z.number(),
      chapterId: z.string(),
      blocks: BlocksView.unwrap().meta({ description: "empty without any, and until the lecture opens" }),
      resources: z.array(LectureResource).meta({ description: "the files that blocks name" }),
      isCompleted: z.boolean(),
      opensAt: timestamp.nullable().meta({ description: "when the lecture opens; null: it is open" }),
    })
    .meta({ id: "EnrolledLecture" }),
});

/** Single lectures of the caller's courses. */
export function lecturesGroup({ db }: Deps): RouteGroup {
  return {
    name: "user",
    base: "/api/user",
    routes: [
      route("get", "/enrolled-courses/:courseId/lectures/:lectureId", {
        operationId: "getLecture",
        summary: "One lecture of one of the caller's courses, with its files",
        access: "user",
        reply: LectureReply,
        errors: [CourseNotAccessible, LectureNotFound],
        async handle({ viewer, params }) {
          const { resources, ...lecture } = await findLecture(db, viewer.id, params);
          const files = resources.map(({ _id, ...resource }) => ({
            ...resource,
            resourceId: _id,
            url: `/api/user/resources/${params.courseId}/${_id}`,
          }));
          return { lecture: { ...lecture, resources: files } };
        },
      }),
    ],
  };
}
