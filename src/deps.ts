import type { Connection } from "mongoose";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Config } from "./config.js";
import type { Db } from "./db/db.js";
import type { RateLimits } from "./http/limits/rate-limits.js";
import type { Identity } from "./providers/clerk.js";
import type { Storage } from "./providers/cloudinary.js";
import type { Mailer } from "./providers/mail.js";
import type { Ai } from "./providers/openai/openai.js";
import type { Payments } from "./providers/razorpay.js";
import type { WebhookSender } from "./providers/webhook-sender.js";
import type { Issuer } from "./services/credentials/issuer.js";
import type { NoticeStreams } from "./services/notices/notice-streams.js";

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
  /** Undefined when no credentials are made. */
  readonly issuer: Issuer | undefined;
  /** Undefined when no mail is sent. */
  readonly mailer: Mailer | undefined;
}
