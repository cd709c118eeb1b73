import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { userOwnedCollections } from "../../models/index.js";

export const EraseBody = z.object({
  confirm: z.string().meta({ description: "the caller's own user id: anything else is refused" }),
  keepCertificates: z
    .boolean()
    .default(false)
    .meta({ description: "issued certificates keep the name and can be verified" }),
});

export const EraseReply = z.object({
  erased: z.boolean().meta({
    description:
      "true: what was stored is erased; what requests under way wrote follows within minutes. " +
      "false: all of it goes on in the background",
  }),
});

/** Lists that the export shows, by their names. */
const sections = Object.fromEntries(userOwnedCollections.map(({ section, row }) => [section, z.array(row)]));

export const ExportReply = z.object({
  export: z.object({ exportedAt: timestamp, userId: z.string(), ...sections }).meta({ id: "UserData" }),
});
