import { z } from "zod";
import { Faults } from "../faults.js";

const AiFault = z.discriminatedUnion("kind", [
  /** Delays the first byte and each further chunk of a stream. */
  z.object({ kind: z.literal("slow"), firstByteMs: z.int().min(0).optional(), perChunkMs: z.int().min(0).optional() }),
  /**
   * Cuts the connection after this many chunks of a stream (3 by default). With `cleanly` the stream ends in order, as
   * behind a proxy that gives up.
   */
  z.object({ kind: z.literal("cut"), afterChunks: z.int().min(0).optional(), cleanly: z.boolean().optional() }),
  /** Sends this many chunks (3 by default) and keeps the stream open. Without a stream it works as `hang`. */
  z.object({ kind: z.literal("stall"), afterChunks: z.int().min(0).optional() }),
  /** Answers text where the request wants JSON. */
  z.object({ kind: z.literal("junk") }),
  /** Answers JSON of the right outline with values of wrong types: numbers in place of texts, texts in place of numbers. */
  z.object({ kind: z.literal("schema-violation") }),
  /** Declines: `refusal` is set and there is no content. */
  z.object({ kind: z.literal("refusal") }),
  /** Answers half of the text, with `finish_reason: "length"`. */
  z.object({ kind: z.literal("truncation") }),
  /** Answers 429 with `retry-after`, 1 second by default. */
  z.object({ kind: z.literal("rate-limit"), retryAfterSeconds: z.number().min(0).optional() }),
  /** Answers this status (500 by default) in the provider's error shape. */
  z.object({ kind: z.literal("error"), status: z.int().min(400).max(599).optional() }),
  /** Never replies. */
  z.object({ kind: z.literal("hang") }),
  /** Answers without content. */
  z.object({ kind: z.literal("empty") }),
  /** Answers exactly this content. */
  z.object({ kind: z.literal("answer"), content: z.string() }),
]);
/** A scripted fault of the AI emulator. */
export type AiFault = z.infer<typeof AiFault>;

export function aiFaults(): Faults<AiFault> {
  return new Faults(AiFault);
}
