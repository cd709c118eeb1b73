import { z } from "zod";
import { Faults } from "../faults.js";

const AiFault = z.discriminatedUnion("kind", [
  /** The usual answer, later: before its first byte and before each further chunk of a stream. */
  z.object({ kind: z.literal("slow"), firstByteMs: z.int().min(0).optional(), perChunkMs: z.int().min(0).optional() }),
  /**
   * The connection is cut in mid-answer, after this many chunks of a stream (3 by default). `cleanly`: a stream just
   * ends there, as when a proxy gives up.
   */
  z.object({ kind: z.literal("cut"), afterChunks: z.int().min(0).optional(), cleanly: z.boolean().optional() }),
  /** A stream stops after this many chunks (3 by default) and stays open; without a stream as `hang`. */
  z.object({ kind: z.literal("stall"), afterChunks: z.int().min(0).optional() }),
  /** Text that is no JSON where JSON was asked for. */
  z.object({ kind: z.literal("junk") }),
  /** JSON of the right outline that breaks the schema: `correctIndex: 9`, objects where strings belong. */
  z.object({ kind: z.literal("schema-violation") }),
  /** The model declines: `refusal` is set and there is no content. */
  z.object({ kind: z.literal("refusal") }),
  /** Half of the answer, with `finish_reason: "length"`. */
  z.object({ kind: z.literal("truncation") }),
  /** 429 with `retry-after`, 1 second by default. */
  z.object({ kind: z.literal("rate-limit"), retryAfterSeconds: z.number().min(0).optional() }),
  /** This status (500 by default), in the provider's error shape. */
  z.object({ kind: z.literal("error"), status: z.int().min(400).max(599).optional() }),
  /** No reply ever comes. */
  z.object({ kind: z.literal("hang") }),
  /** An answer without content. */
  z.object({ kind: z.literal("empty") }),
  /** Exactly this content. */
  z.object({ kind: z.literal("answer"), content: z.string() }),
]);
/** Scripted behaviour of the AI emulator. */
export type AiFault = z.infer<typeof AiFault>;

export function aiFaults(): Faults<AiFault> {
  return new Faults(AiFault);
}
