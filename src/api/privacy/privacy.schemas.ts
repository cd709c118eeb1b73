import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { userOwnedCollections } from "../../models/index.js";

export const EraseBody = z.object({
  confirm: z.string().meta({ description: "the caller's user id; any other value is refused" }),
  keepCertificates: z
    .boolean()
    .default(false)
    .meta({ description: "true: issued certificates keep the name and can still be verified" }),
});

export const EraseReply = z.object({
  erased: z.boolean().meta({
    description:
      "true: the data is erased; data that concurrent requests wrote is erased within minutes. " +
      "false: the erasure continues in the background",
  }),
});

/** Lists that the export shows, by their names. */
const sections = Object.fromEntries(userOwnedCollections.map(({ section, row }) => [section, z.array(row)]));

export const ExportReply = z.object({
  export: z.object({ exportedAt: timestamp, userId: z.string(), ...sections }).meta({ id: "UserData" }),
});
