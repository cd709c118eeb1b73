import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import type { CourseOutlines } from "../../services/courses/course-outlines.js";
import { UserNotFound } from "../../services/failures.js";
import { InvalidTopic, NothingEnrolled, roadmapsController, UnreadableRoadmap } from "./roadmaps.controller.js";
import { CustomRoadmapBody, CustomRoadmapReply, PersonalRoadmapReply } from "./roadmaps.schemas.js";

/** Learning roadmaps written by the AI and checked against what the client renders. */
export function roadmapsGroup(deps: Deps, outlines: CourseOutlines): RouteGroup {
  const roadmaps = roadmapsController(deps, outlines);
  return {
    name: "roadmaps",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "post",
        path: "/generate-personal-roadmap",
        summary: "A roadmap from the caller's courses and progress",
        access: "user",
        limit: "aiGeneration",
        reply: PersonalRoadmapReply,
        errors: [UserNotFound, NothingEnrolled, UnreadableRoadmap],
        handle: roadmaps.personal,
      }),
      route({
        method: "post",
        path: "/generate-custom-roadmap",
        summary: "A roadmap for any topic",
        description:
          "The topic is put on one line without quotes, backticks and backslashes; then 2 to 120 characters.",
        access: "user",
        limit: "aiGeneration",
        body: CustomRoadmapBody,
        invalid: InvalidTopic,
        reply: CustomRoadmapReply,
        errors: [UnreadableRoadmap],
        handle: roadmaps.custom,
      }),
    ],
  };
}
