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
  /** One-click address by RFC 8058; null for a mail that cannot be switched off. */
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
    async send({ id, to, subject, text, html, pictures, unsubscribeUrl }, signal) {
      transport ??= open();
      const messageId = `<${id}@${domain}>`;
      try {
        const transporter = await transport;
        await transporter.sendMail({
          messageId,
          from,
          to: { name: "", address: to },
          subject,
          text,
          html,
          attachments: pictures.map(({ name, png }) => ({
            cid: name,
            filename: `${name}.png`,
            content: png,
            contentDisposition: "inline",
          })),
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
