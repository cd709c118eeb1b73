import { z } from "zod";
import { Faults } from "../faults.js";

const failureStatus = z.int().min(400).max(599).optional();

/** Faults of one mail. `on` names the address of its recipient. */
const MailFault = z.discriminatedUnion("kind", [
  /** Cuts connections before the greeting. It has no `on`, because no recipient is known yet. */
  z.object({ kind: z.literal("away") }),
  /** Answers RCPT with this status (550 by default). */
  z.object({ kind: z.literal("refuse-recipient"), status: failureStatus }),
  /** Answers the data with this status (451 by default) and drops the mail. */
  z.object({ kind: z.literal("error"), status: failureStatus }),
  /** Cuts the connection after RCPT, before the data. */
  z.object({ kind: z.literal("cut") }),
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
