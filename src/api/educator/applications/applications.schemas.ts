import { z } from "zod";
import { missing } from "../../../http/required.js";
import { id, list, showsNothing, text, webAddress } from "../../../lib/fields.js";
import { shownStatuses } from "../../../models/users/educator-application.js";

/** A field that may not be absent, blank or an empty list. */
const required = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value, context) => {
    const blank = typeof value === "string" && showsNothing(value);
    if (value === undefined || blank || (Array.isArray(value) && value.length === 0)) {
      context.addIssue({ code: "custom", message: missing });
    }
    return value;
  }, schema);

export const ApplicationBody = z.object({
  professionalTitle: required(text(1, 120)),
  bio: required(text(1, 3_000)),
  expertise: required(list(text(1, 60), 20, 1)),
  linkedinUrl: webAddress(300, { mayBeEmpty: true }).default(""),
});

export const AppliedReply = z.object({ message: z.string() });

export const ApplicationStatusReply = z.object({
  application: z
    .object({
      _id: id,
      status: z.enum(shownStatuses),
      rejectionReason: z.string(),
      professionalTitle: z.string(),
      bio: z.string(),
      expertise: z.array(z.string()),
      linkedinUrl: z.string(),
    })
    .meta({ id: "OwnApplication" })
    .nullable(),
});
