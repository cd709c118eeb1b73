import { z } from "zod";
import { type Failure, failure, InvalidRequest } from "../../../lib/errors.js";
import { id, isWebAddress, text } from "../../../lib/fields.js";
import { shownStatuses } from "../../../models/users/educator-application.js";

/** A web address without characters that parsers leave out. */
const isLink = (value: string): boolean => isWebAddress(value) && !/[\s\\]/.test(value);

/** Marks a required field that is absent, blank or an empty list: it has an answer of its own. */
const required = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value, context) => {
    const blank = typeof value === "string" && value.trim() === "";
    if (value === undefined || blank || (Array.isArray(value) && value.length === 0)) {
      context.addIssue({ code: "custom", message: "required", params: { missing: true } });
    }
    return value;
  }, schema);

export const ApplicationBody = z.object({
  professionalTitle: required(text(1, 120)),
  bio: required(text(1, 3_000)),
  expertise: required(z.array(text(1, 60)).min(1).max(20)),
  linkedinUrl: text(0, 300)
    .refine((value) => value === "" || isLink(value), "not a URL")
    .default("")
    .meta({ description: "empty, or any http(s) URL without user information" }),
});

export const FieldsMissing = failure("fields_missing", 400, "Please fill in all required fields.");

/** The answer to an application that does not fit: a missing field comes before a wrong one. */
export const UnfitApplication: Failure = Object.assign(
  (cause?: unknown) => {
    const issues = cause instanceof z.ZodError ? cause.issues : [];
    const missing = issues.some((issue) => issue.code === "custom" && issue.params?.missing === true);
    return missing ? FieldsMissing(cause) : InvalidRequest(cause);
  },
  { id: InvalidRequest.id, status: InvalidRequest.status, message: InvalidRequest.message },
);

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
