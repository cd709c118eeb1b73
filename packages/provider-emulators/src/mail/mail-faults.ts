import { z } from "zod";
import { Faults } from "../faults.js";

/** A refusal: its status, and the text behind it, such as `5.4.5 Daily limit exceeded`. */
const refusal = { status: z.int().min(400).max(599).optional(), text: z.string().max(200).optional() };

/** Faults of one mail. `on` names the address of its recipient, if that is known at this point. */
const MailFault = z.discriminatedUnion("kind", [
  /** Cuts connections before the greeting. It has no `on`, because no recipient is known yet. */
  z.object({ kind: z.literal("away") }),
  /** Answers the connection with this status (554 by default) instead of a greeting. It has no `on`. */
  z.object({ kind: z.literal("refuse-connection"), ...refusal }),
  /** Answers AUTH with this status (535 by default). It has no `on`. */
  z.object({ kind: z.literal("refuse-sign-in"), ...refusal }),
  /** Answers MAIL with this status (550 by default). It has no `on`. */
  z.object({ kind: z.literal("refuse-sender"), ...refusal }),
  /** Answers RCPT with this status (550 by default). */
  z.object({ kind: z.literal("refuse-recipient"), ...refusal }),
  /** Answers the data with this status (451 by default) and drops the mail. */
  z.object({ kind: z.literal("error"), ...refusal }),
  /** Cuts the connection after RCPT, before the data. */
  z.object({ kind: z.literal("cut") }),
  /** Cuts the connection in the middle of the data and drops the mail. */
  z.object({ kind: z.literal("cut-data") }),
  /** Keeps the mail after a delay. */
  z.object({ kind: z.literal("slow"), ms: z.int().positive() }),
  /** Keeps the mail and cuts the connection before the reply. */
  z.object({ kind: z.literal("lost-reply") }),
  /** Keeps the mail and never replies. */
  z.object({ kind: z.literal("timeout") }),
]);
/** A scripted fault of the mail emulator. */
export type MailFault = z.infer<typeof MailFault>;

export function mailFaults(): Faults<MailFault> {
  return new Faults(MailFault);
}
