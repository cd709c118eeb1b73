import { z } from "zod";
import { text } from "../lib/fields.js";

/** Reports a post, a reply or a review to the moderators. */
export const ReportBody = z.object({ reason: text(1, 500) });
