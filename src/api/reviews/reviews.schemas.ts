import { z } from "zod";
import { cursorDate, cursorId, nextCursor, orderedPage } from "../../http/pages.js";
import { id, text, timestamp } from "../../lib/fields.js";

export const ReviewsQuery = z.object({
  ...orderedPage(z.tuple([z.int().min(0), cursorDate, cursorId]), 50, 20),
  rating: z
    .string()
    .regex(/^[1-5]$/)
    .transform(Number)
    .optional()
    .meta({ type: "integer", minimum: 1, maximum: 5, description: "only reviews with this rating" }),
  sort: z.enum(["helpful", "newest"]).default("helpful"),
});

const ResponseView = z.object({ content: z.string(), createdAt: timestamp }).meta({ id: "ReviewResponse" });

const ReviewView = z
  .object({
    _id: id,
    rating: z.int(),
    review: z.string(),
    authorName: z.string(),
    authorImage: z.string(),
    isAuthor: z.boolean(),
    helpfulCount: z.int().meta({ description: "number of users who find the review helpful" }),
    isHelpful: z.boolean().meta({ description: "whether the caller finds the review helpful" }),
    response: ResponseView.nullable().meta({ description: "the answer of the course's educator" }),
    createdAt: timestamp.meta({ description: "when the author first rated the course" }),
    updatedAt: timestamp,
  })
  .meta({ id: "Review" });

const count = z.int();
export const ReviewsReply = z.object({
  reviews: z.array(ReviewView),
  distribution: z
    .object({ 1: count, 2: count, 3: count, 4: count, 5: count })
    .meta({ description: "number of ratings by their stars" }),
  nextCursor,
});

export const HelpfulReply = z.object({ helpfulCount: z.int(), isHelpful: z.boolean() });
export const ResponseBody = z.object({ content: text(1, 2000) });
export const ResponseReply = z.object({ response: ResponseView });
export const HideBody = z.object({ hidden: z.boolean(), reason: text(1, 200) });
