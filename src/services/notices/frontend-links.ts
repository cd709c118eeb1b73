import type { Types } from "mongoose";
import { z } from "zod";

/** Every link into the frontend, with the placeholders that its path may hold. null: no link. */
const paths = {
  post: "/community/post/{postId}",
  course: "/course/{courseId}",
  player: "/player/{courseId}",
  ownCourses: "/my-enrollments",
  application: "/become-educator",
  students: "/educator/students-enrolled",
  preferences: null,
} as const;

type LinkName = keyof typeof paths;
type LinkPaths = Readonly<Record<LinkName, string | null>>;

const placeholdersIn = (path: string | null): string[] => path?.match(/\{[^{}]*\}/g) ?? [];

/** A path that an operator gives a link. */
function pathOf(name: LinkName) {
  const own = placeholdersIn(paths[name]);
  const error = `${name} must be null, or a path that begins with one "/" and has no placeholders but ${own.join() || "none"}`;
  const isPath = (path: string): boolean =>
    /^\/(?![/\\])[^\s{}]*$/.test(own.reduce((rest, placeholder) => rest.replaceAll(placeholder, "x"), path));
  return z.string({ error }).max(500, error).refine(isPath, error).nullable().exactOptional();
}

const ownPaths = z.strictObject(
  Object.fromEntries(Object.keys(paths).map((name) => [name, pathOf(name as LinkName)])),
  `must be an object of paths by name: ${Object.keys(paths).join(", ")}`,
);

/** The JSON of `FRONTEND_LINKS`: paths that take the place of the usual ones. */
export const frontendPaths = z.string().transform((text, context): LinkPaths => {
  const parsed = ownPaths.safeParse(parseJson(text));
  if (parsed.success) return { ...paths, ...parsed.data };
  context.addIssue(parsed.error.issues[0]?.message ?? "must be JSON");
  return z.NEVER;
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Id = string | Types.ObjectId;

/** Creates the addresses of the frontend that notices and mails lead to. */
export function frontendLinks({ frontendUrl, frontendPaths }: { frontendUrl: string; frontendPaths: LinkPaths }) {
  const link = (name: LinkName, id: Id = ""): string | null => {
    const path = frontendPaths[name];
    if (path === null) return null;
    return frontendUrl + path.replace(/\{[^{}]*\}/g, () => encodeURIComponent(String(id)));
  };
  return {
    post: (postId: Id) => link("post", postId),
    course: (courseId: Id) => link("course", courseId),
    player: (courseId: Id) => link("player", courseId),
    ownCourses: link("ownCourses"),
    application: link("application"),
    students: link("students"),
    preferences: link("preferences"),
  };
}

export type FrontendLinks = ReturnType<typeof frontendLinks>;
