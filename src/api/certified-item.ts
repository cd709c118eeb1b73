import { z } from "zod";
import { id } from "../lib/fields.js";

/** What a certificate is about, in replies. */
export const certifiedItem = {
  kind: z.enum(["course", "path"]),
  courseId: id.nullable().meta({ description: "null in the certificate of a path" }),
  pathId: id.nullable().meta({ description: "null in the certificate of a course" }),
};
