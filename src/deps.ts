import type { Connection } from "mongoose";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Config } from "./config.js";
import type { Db } from "./db/db.js";
import type { RateLimits } from "./http/limits/rate-limits.js";
import type { RunInTurn } from "./lib/turns.js";
import type { Identity } from "./providers/clerk.js";
import type { Storage } from "./providers/cloudinary.js";
import type { Mailer } from "./providers/mail.js";
import type { Ai } from "./providers/openai/openai.js";
import type { Payments } from "./providers/razorpay.js";
import type { WebhookSender } from "./providers/webhook-sender.js";

/** The response of a stream of notices. */
export interface NoticeReader {
  readonly isOver: boolean;
  /** Waits while the reader cannot keep up. */
  send(event: string, body: unknown, id: number): Promise<void>;
  /** Cuts off a reader that cannot keep up. */
  push(event: string, body: unknown, id: number): void;
  comment(): void;
  end(): void;
  onClose(listener: () => void): void;
}

/** The open streams of this process (services/notices/notice-streams.ts). */
export interface NoticeStreams {
  /**
   * Sends a user's notices as they are made, until the reader leaves or the stream ends.
   * @param after number of the last notice that the reader has; undefined: only new ones are sent.
   * @returns when the reader has what it has missed.
   * @throws TooManyStreams, UserNotFound when the user has been deleted or erased
   */
  open(userId: string, reader: NoticeReader, after: number | undefined): Promise<void>;
  /** Ends every stream. */
  close(): void;
}

/** A signed document. Open Badges wants its only proof in a list. */
export type Signed<Document> = Document & { proof: readonly [object] };

/** Signs credentials in the name of the platform (services/credentials/issuer.ts). */
export interface Issuer {
  /** The `did:web` of this API. */
  readonly did: string;
  /** The document that holds the keys with which verifiers check a signature. */
  describe(): Promise<object>;
  sign<Document extends object>(document: Document): Promise<Signed<Document>>;
}

/** The dependencies of the application's parts. compose.ts creates them once per server. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly database: Connection;
  readonly db: Db;
  readonly limits: RateLimits;
  readonly identity: Identity;
  readonly payments: Payments;
  readonly storage: Storage;
  readonly ai: Ai;
  readonly webhooks: WebhookSender;
  readonly noticeStreams: NoticeStreams;
  readonly renderInTurn: RunInTurn;
  /** Undefined when no credentials are made. */
  readonly issuer: Issuer | undefined;
  /** Undefined when no mail is sent. */
  readonly mailer: Mailer | undefined;
}
