import type { Deps } from "../../deps.js";
import { clientOf } from "../../http/context.js";
import { forManagers } from "../../http/for-managers.js";
import { type Route, type RouteGroup, route } from "../../http/route.js";
import type { Path } from "../../models/paths/path.js";
import { CourseNotFound, NotTheOwner, PathNotFound } from "../../services/failures.js";
import { SlugTaken } from "../../services/find-free-slug.js";
import { createPath, TooManyPaths, UnpublishedCourses } from "../../services/paths/create-path.js";
import { deletePath, PathHasLearners } from "../../services/paths/delete-path.js";
import { describePath } from "../../services/paths/describe-paths.js";
import { editPath, PathChanged } from "../../services/paths/edit-path.js";
import { findPath, listManagedPaths, listPublishedPaths } from "../../services/paths/list-paths.js";
import { type RunSearch, SearchBusy } from "../../services/search-limit.js";
import {
  ManagedPathsQuery,
  ManagedPathsReply,
  NewPathBody,
  PathChanges,
  PathReply,
  PathsQuery,
  PathsReply,
} from "./paths.schemas.js";

/** Paths: the public ones, and those of educators. */
export function pathGroups(deps: Deps, runSearch: RunSearch): RouteGroup[] {
  const { db } = deps;
  const { currency } = deps.config;
  const answer = async (path: Path) => ({ path: await describePath(db, currency, path) });
  const forms: Route[] = [
    route("post", "/paths", {
      operationId: "createPath",
      summary: "Add a path of own courses",
      access: "educator",
      body: NewPathBody,
      reply: PathReply,
      errors: [CourseNotFound, NotTheOwner, UnpublishedCourses, TooManyPaths],
      handle: async ({ body, manager }) => answer(await createPath(deps, manager.userId, body)),
    }),
    route("patch", "/paths/:pathId", {
      operationId: "updatePath",
      summary: "Edit one of the educator's paths",
      description:
        "Takes any of the fields, and the `version` that the educator read. Who has bought or got the path keeps the " +
        "courses of that moment.",
      access: "educator",
      body: PathChanges,
      reply: PathReply,
      errors: [CourseNotFound, PathNotFound, NotTheOwner, PathChanged, UnpublishedCourses, SlugTaken],
      handle: async ({ params, body, manager }) => answer(await editPath(deps, params.pathId, body, manager)),
    }),
    route("delete", "/paths/:pathId", {
      operationId: "deletePath",
      summary: "Delete a path that nobody has bought or got",
      access: "educator",
      errors: [PathNotFound, NotTheOwner, PathHasLearners],
      handle: ({ params, manager }) => deletePath(db, params.pathId, manager),
    }),
  ];
  return [
    {
      name: "paths",
      base: "/api/paths",
      routes: [
        route("get", "/", {
          operationId: "listPaths",
          summary: "Published paths, newest first",
          description: "A path with a course that is not published is left out.",
          access: "public",
          query: PathsQuery,
          reply: PathsReply.schema,
          errors: [SearchBusy],
          handle({ query, ...request }) {
            const read = () => PathsReply.answer({ query, ...request }, listPublishedPaths(db, currency, query));
            return query.q ? runSearch(clientOf(request.req), read, request.signal) : read();
          },
        }),
        route("get", "/:pathId", {
          operationId: "getPath",
          summary: "One path, by its id or by a slug that it has or had",
          description: "A draft is shown to its educator alone.",
          access: "public",
          reply: PathReply,
          errors: [PathNotFound],
          handle: async ({ params, viewer }) => answer(await findPath(db, params.pathId, viewer?.id)),
        }),
      ],
    },
    ...forManagers("paths", ["educator", "admin"], ({ role, isAdmin, infix }) => [
      ...(isAdmin ? [] : forms),
      route("get", "/paths", {
        operationId: isAdmin ? `list${infix}Paths` : "listEducatorPaths",
        summary: isAdmin ? "Every path, newest first" : "The educator's own paths, newest first",
        access: role,
        scope: "courses:read",
        query: ManagedPathsQuery,
        reply: ManagedPathsReply.schema,
        handle: (request) => ManagedPathsReply.answer(request, listManagedPaths(db, currency, request.manager)),
      }),
    ]),
  ];
}
