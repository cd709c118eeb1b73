import type { Response } from "express";
import { type ZodType, z } from "zod";

/** Parses the body. It answers 400 and returns undefined when the body does not fit. */
export function read<Body>(schema: ZodType<Body>, body: unknown, res: Response): Body | undefined {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  res.status(400).json({ error: z.prettifyError(parsed.error) });
  return undefined;
}
