import { z } from "zod";

const Attempt = z.object({
  /** When it was made, milliseconds since the epoch. */
  at: z.number(),
  /** HTTP status of the answer, null when none came. */
  status: z.number().nullable(),
  /** The first characters of the answer, or why none came. */
  answer: z.string(),
  /** What it was signed with. */
  headers: z.record(z.string(), z.string()).optional(),
  /** The body was changed after it had been signed. */
  tampered: z.boolean().optional(),
});

export const Delivery = z.object({
  /** The event id the provider sends along; the same on every attempt. */
  id: z.string(),
  type: z.string(),
  /** The exact bytes that are signed and sent. */
  body: z.string(),
  createdAt: z.number(),
  /** `delivered`: acknowledged with 2xx; `exhausted`: every retry was used; `withheld`: never sent on purpose. */
  state: z.enum(["waiting", "delivered", "exhausted", "withheld"]),
  attempts: z.array(Attempt),
  /** How many pauses of the schedule are behind it. */
  retries: z.number(),
});
/** One webhook message with everything that happened to it. */
export type Delivery = z.infer<typeof Delivery>;

/** What tests and developers may do to deliveries that start from now on. */
export interface DeliveryTricks {
  /** Messages are recorded as `withheld` and not sent. */
  suppress: boolean;
  /** How many times each message is sent at once; 1 is normal. */
  copies: number;
  /** Milliseconds before the first attempt. */
  delayMs: number;
  /** Messages wait for one another, a second and a half at most, and are sent newest first. */
  reorder: boolean;
  /** The body is changed after it has been signed, on every attempt. */
  tamper: boolean;
}

/** How a duplicate of a recorded message is delivered. */
export interface Duplicates {
  copies?: number | undefined;
  tamper?: boolean | undefined;
}

/** The provider does not send this message again. */
export class RedeliveryRefusal extends Error {}

export interface AttemptResult {
  /** null when no answer came. */
  status: number | null;
  answer: string;
}

/** Another amount, or where the message has none another name: still JSON, and not what was signed. */
export function tampered(body: string): string {
  const changed = body.replace(/"amount":(\d+)/g, '"amount":1$1');
  return changed === body ? body.replace(/^\{/, '{"tampered":true,') : changed;
}
