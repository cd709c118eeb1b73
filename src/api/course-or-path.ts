import { z } from "zod";

const name = z.string().trim().min(1);

/** A body that names what is bought: a course or a path, with further fields. */
export const courseOrPath = <T extends z.ZodRawShape>(fields: T) =>
  z
    .object({
      courseId: name.optional(),
      pathId: name.optional().meta({ description: "instead of `courseId`" }),
      ...fields,
    })
    .check(({ value, issues }) => {
      const { courseId, pathId } = value as { courseId?: unknown; pathId?: unknown };
      const hasBoth = courseId !== undefined && pathId !== undefined;
      const custom = { code: "custom", input: value } as const;
      if (hasBoth) issues.push({ ...custom, path: ["pathId"], message: "not beside courseId" });
      if (courseId === undefined && pathId === undefined)
        issues.push({ ...custom, path: ["courseId"], message: "required" });
    });
