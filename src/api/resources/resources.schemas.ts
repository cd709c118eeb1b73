import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";

export const ResourceForm = z.object({
  file: z.unknown().optional().meta({
    type: "string",
    format: "binary",
    description: "PDF, ZIP, PNG, JPEG, WebP, MP3, VTT, TXT, CSV, MD, DOCX, PPTX or XLSX, up to 25 MiB",
  }),
});

const ResourceView = z
  .object({
    resourceId: id,
    name: z.string(),
    size: z.int().meta({ description: "bytes" }),
    contentType: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: "CourseResource" });
export const ResourceReply = z.object({ resource: ResourceView });
export const ResourcesReply = z.object({ resources: z.array(ResourceView) });
