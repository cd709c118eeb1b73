import type { QueryFilter } from "mongoose";
import type { Path } from "../../models/paths/path.js";
import { allCoursesInReach } from "../../models/users/api-key.js";
import type { CourseManager } from "../courses/managed-course.js";

/**
 * Filters the paths that a manager may touch: an educator's own, or all. An API key with `courseIds` sees paths of these
 * courses alone.
 */
export const managedPaths = ({ userId, role, key }: CourseManager): QueryFilter<Path> => ({
  ...(role === "educator" && { educatorId: userId }),
  ...allCoursesInReach(key),
});
