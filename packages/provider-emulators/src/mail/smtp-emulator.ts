import type { Faults } from "../faults.js";
import type { MailFault } from "./mail-faults.js";
import type { ReceivedMail } from "./mailbox.js";

/** An SMTP server that takes every mail and delivers none. */
export interface SmtpEmulator {
  /** Address of the developer routes. */
  readonly url: string;
  /** Address of the SMTP server: `smtp://host:port`. */
  readonly smtpUrl: string;
  readonly faults: Faults<MailFault>;
  /** The newest thousand mails, oldest first. `to` selects those to one address. */
  mails(to?: string): readonly ReceivedMail[];
  forgetMails(): void;
  close(): Promise<void>;
}
