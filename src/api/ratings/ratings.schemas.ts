import { z } from "zod";

export const RatingBody = z.object({ courseId: z.string().trim().min(1), rating: z.number().int().min(1).max(5) });
export const RatingReply = z.object({ message: z.literal("Rating Added") });
