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
    .refine(
      ({ courseId, pathId }: { courseId?: unknown; pathId?: unknown }) =>
        (courseId === undefined) !== (pathId === undefined),
      "either courseId or pathId",
    );
