import { z } from "zod";

const Attempt = z.object({
  /** Time of the attempt, in milliseconds since the epoch. */
  at: z.number(),
  /** HTTP status of the reply, or null without a reply. */
  status: z.number().nullable(),
  /** The start of the reply, or the reason why there is none. */
  answer: z.string(),
  /** Headers with the id and the signature. */
  headers: z.record(z.string(), z.string()).optional(),
  /** True when the body was changed after signing. */
  tampered: z.boolean().optional(),
});

export const Delivery = z.object({
  /** The provider's event id. All attempts share it. */
  id: z.string(),
  type: z.string(),
  /** The exact body that is signed and sent. */
  body: z.string(),
  createdAt: z.number(),
  /** `delivered`: acknowledged with 2xx. `exhausted`: all retries failed. `withheld`: intentionally not sent. */
  state: z.enum(["waiting", "delivered", "exhausted", "withheld"]),
  attempts: z.array(Attempt),
  /** Number of retries so far. */
  retries: z.number(),
});
/** A webhook message with all its attempts. */
export type Delivery = z.infer<typeof Delivery>;

/** Changes the delivery of later messages, for tests and developers. */
export interface DeliveryTricks {
  /** Records messages as `withheld` and does not send them. */
  suppress: boolean;
  /** Number of simultaneous copies; 1 is normal. */
  copies: number;
  /** Delay before the first attempt, in milliseconds. */
  delayMs: number;
  /** Collects messages for up to 1.5 seconds and sends the newest first. */
  reorder: boolean;
  /** Changes the body after signing, on every attempt. */
  tamper: boolean;
}

/** Options of a duplicate delivery. */
export interface Duplicates {
  copies?: number | undefined;
  tamper?: boolean | undefined;
}

/** Thrown when the provider does not send this message again. */
export class RedeliveryRefusal extends Error {}

export interface AttemptResult {
  /** Status of the reply, or null without a reply. */
  status: number | null;
  answer: string;
}

/** Changes the amount, or else the name, in a message. The result is valid JSON with a wrong signature. */
export function tamperBody(body: string): string {
  const changed = body.replace(/"amount":(\d+)/g, '"amount":1$1');
  return changed === body ? body.replace(/^\{/, '{"tampered":true,') : changed;
}
