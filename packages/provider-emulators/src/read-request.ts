import type { Response } from "express";
import { type ZodType, z } from "zod";

/** The parsed body, or undefined after a 400 was sent. */
export function read<Body>(schema: ZodType<Body>, body: unknown, res: Response): Body | undefined {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  res.status(400).json({ error: z.prettifyError(parsed.error) });
  return undefined;
}
