import type { Readable } from "node:stream";
import type { Transporter } from "nodemailer";
import type { Config } from "../config.js";

/** Number of connections to the mail server, and so of mails that are sent at once. */
export const maxMailsAtOnce = 5;

/** Time limits of connecting, of a silence of the server, and of a whole mail. */
const connectMs = 10_000;
const silenceMs = 30_000;
const deadlineMs = 60_000;

/** Time after which an unused connection is closed. Many servers close theirs after a minute. */
const idleMs = 10_000;

/** Characters of a reason that are kept. It may quote the server. */
const maxReasonLength = 200;

/** Characters of a sender's name that are kept. It holds the name of a user. */
const maxNameLength = 150;

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A mail to one recipient. */
export interface OutgoingMail {
  /** Makes the `Message-ID`, which all attempts share. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Pictures that `html` shows as `cid:<name>`. */
  readonly pictures: readonly { readonly name: string; readonly png: Buffer }[];
  /** The name of the sender; by default the platform's. The address is always the platform's. */
  readonly fromName?: string;
  readonly attachments?: readonly MailAttachment[];
  /** One-click address by RFC 8058; null: the mail cannot be switched off, and has no such header. */
  readonly unsubscribeUrl: string | null;
}

/**
 * `accepted`: the server has the mail. `tryAgain`: it has not taken the mail, and may take it later; `isAway` unless its
 * answer was about this mail. `refusedAddress`: it refuses the recipient for good. `refused`: it refuses the mail for good.
 * `unknown`: the data was begun, and no answer came.
 */
export type MailOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "tryAgain"; readonly reason: string; readonly isAway: boolean }
  | { readonly kind: "refusedAddress" | "refused" | "unknown"; readonly reason: string };

/** Sends mails by SMTP. */
export interface Mailer {
  /** Sends a mail once. Every failure is an outcome, also when `signal` cuts it off. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailOutcome>;
  close(): void;
}

/** Creates the client of the mail server. It connects when the first mail is sent. */
export function createMailer({ url, from }: NonNullable<Config["mail"]>): Mailer {
  /** The content of the mails on their way, by `Message-ID`. Its reading says whether the data was begun. */
  const contents = new Map<string, Readable>();
  let transport: Promise<Transporter> | undefined;
  /** Loads nodemailer with the first mail, because most processes send none. */
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import("nodemailer");
    const transporter = createTransport({
      url,
      pool: true,
      maxConnections: maxMailsAtOnce,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silenceMs,
      idleTimeout: idleMs,
      // A connection that was lost before the data was begun may be replaced once.
      maxRequeues: 1,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    transporter.use("stream", ({ message }, done) => {
      message.processFunc((content) => {
        contents.set(message.messageId(), content);
        return content;
      });
      done();
    });
    return transporter;
  };
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    async send({ id, to, subject, text, html, pictures, fromName, attachments = [], unsubscribeUrl }, signal) {
      transport ??= open();
      const messageId = `<${id}@${domain}>`;
      try {
        const transporter = await transport;
        await transporter.sendMail({
          messageId,
          from: fromName === undefined ? from : { name: nameInHeader(fromName), address: from.address },
          to: { name: "", address: to },
          subject,
          text,
          html,
          attachments: [
            ...pictures.map(({ name, png }) => ({
              cid: name,
              filename: `${name}.png`,
              content: png,
              contentDisposition: "inline" as const,
            })),
            ...attachments,
          ],
          headers: {
            "Auto-Submitted": "auto-generated",
            ...(unsubscribeUrl !== null && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
          },
          ...(unsubscribeUrl !== null && { list: { unsubscribe: { url: unsubscribeUrl } } }),
          signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
        });
        return { kind: "accepted" };
      } catch (error) {
        return outcomeOf(error as SmtpError, contents.get(messageId)?.readableDidRead ?? false);
      } finally {
        contents.delete(messageId);
      }
    },
    close() {
      void transport?.then((transporter) => transporter.close());
    },
  };
}

/** A name on one line, without half a character at its end. */
const nameInHeader = (name: string): string =>
  name
    .slice(0, maxNameLength)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .toWellFormed()
    .trim();

/** Fields of nodemailer's errors. `command` is `CONN` for whatever ended the connection. */
type SmtpError = Error & { readonly code?: string; readonly command?: string; readonly responseCode?: number };

/** @param hasBegun whether anything of the mail's content was sent. */
function outcomeOf({ code = "", command = "", responseCode = 0, message }: SmtpError, hasBegun: boolean): MailOutcome {
  const reason = (message || code).slice(0, maxReasonLength);
  // A refused sender or login is a wrong setting, which an operator may mend.
  const isAboutMail = responseCode >= 400 && responseCode !== 421 && /^(RCPT TO|DATA)$/.test(command);
  if (isAboutMail && responseCode >= 500) return { kind: command === "RCPT TO" ? "refusedAddress" : "refused", reason };
  if (hasBegun && responseCode < 400) return { kind: "unknown", reason };
  return { kind: "tryAgain", reason, isAway: !isAboutMail };
}
