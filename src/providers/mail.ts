import type { Readable } from "node:stream";
import type { Transporter } from "nodemailer";
import type { Logger } from "pino";
import { within } from "../lib/within.js";
import { type MailFailure, type MailOutcome, mailFailure, type SmtpError } from "./mail/mail-failure.js";
import { createMailServerState } from "./mail/mail-server-state.js";

/** Number of connections to the mail server, and so of mails that are sent at once. */
export const maxMailsAtOnce = 5;

/** Time limits of connecting, of a silence of the server, and of a whole mail. */
const connectMs = 10_000;
const silenceMs = 30_000;
const deadlineMs = 60_000;

/** Time after which an unused connection is closed. Many servers close theirs after a minute. */
const idleMs = 10_000;

/** Characters of a sender's name that are kept. It holds the name of a user. */
const maxNameLength = 150;

export interface MailSettings {
  /** `smtp(s)://user:password@host:port`. */
  readonly url: string;
  /** The sender, whose address is the envelope's too. */
  readonly from: { readonly name: string; readonly address: string };
  /** Sends nothing, not even user and password, over a connection without TLS. */
  readonly requireTls?: boolean;
}

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

/** Sends mails by SMTP. */
export interface Mailer {
  /** Sends a mail once. Every failure is an outcome, also when `signal` cuts it off. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailOutcome>;
  /** Whether calls would fail at once, because the server is away or refuses to be used. */
  isResting(): boolean;
  close(): void;
}

/** Creates the client of the mail server. It connects when the first mail is sent. */
export function createMailer({ url, from, requireTls = false }: MailSettings, log: Logger): Mailer {
  const server = createMailServerState(maxMailsAtOnce, log);
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
      requireTLS: requireTls,
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

  async function attempt({ id, ...mail }: OutgoingMail, signal: AbortSignal): Promise<MailFailure | undefined> {
    const { to, subject, text, html, pictures, fromName, attachments = [], unsubscribeUrl } = mail;
    transport ??= open();
    const messageId = `<${id}@${domain}>`;
    const message = {
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
    };
    try {
      const transporter = await transport;
      await within({ ms: deadlineMs, signal }, (limited) => transporter.sendMail({ ...message, signal: limited }));
      return undefined;
    } catch (error) {
      return mailFailure(error as SmtpError, contents.get(messageId)?.readableDidRead ?? false);
    } finally {
      contents.delete(messageId);
    }
  }

  return {
    async send(mail, signal) {
      if (server.isResting()) return { kind: "tryAgain", reason: server.reason, isAway: true };
      server.begin();
      const failure = await attempt(mail, signal);
      server.end(failure);
      return failure ? failure.outcome : { kind: "accepted" };
    },
    isResting: server.isResting,
    close() {
      void transport?.then((transporter) => transporter.close());
    },
  };
}

/** Whether a result of `send` is a failure of the call. */
export const isFailedMail = (outcome: unknown): boolean => (outcome as MailOutcome).kind !== "accepted";

/** A name on one line, without half a character at its end. */
const nameInHeader = (name: string): string =>
  name
    .slice(0, maxNameLength)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .toWellFormed()
    .trim();
