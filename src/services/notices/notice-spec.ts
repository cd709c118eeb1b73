import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { EventType, eventTypes } from "../../models/events/event-types.js";
import type { ModelName } from "../../models/index.js";
import type { FrontendLinks } from "./frontend-links.js";

/** What a notice says: plain text, and an address of the frontend or null. */
export interface NoticeText {
  readonly title: string;
  readonly body: string;
  readonly link: string | null;
}

/** Where a user gets notices. */
export interface Channels {
  readonly app: boolean;
  readonly mail: boolean;
}

/** A mail about many notices. One job walks the table and calls `write` when a period is over. */
export interface Digest {
  readonly every: "hour" | "day" | "week";
  /** Time of the UTC day at which the digest is written, such as `02:30`; `00:05` by default. */
  readonly at?: `${number}:${number}`;
  /** Stores the mails of a period under keys with the period, because it may run again. @returns their number. */
  write(
    deps: Pick<Deps, "db" | "config">,
    period: { readonly begin: Date; readonly end: Date },
    signal: AbortSignal,
  ): Promise<number>;
}

/** A mail for each notice, a digest, or a mail for each notice that cannot be switched off. */
export type MailTime =
  | { readonly when: "each" | "always"; readonly digest?: never }
  | { readonly when: "digest"; readonly digest: Digest };

type MailSpec = MailTime & {
  /** Label of the link. */
  readonly action: string;
  /** Why the user gets the mail. */
  readonly reason: string;
  /** The body is Markdown. */
  readonly isMarkdown?: true;
};

interface NoticeTypeSpec<Facts> {
  readonly description: string;
  /** When the user is told, in words to the user. */
  readonly label: string;
  /** The event that causes the notice, or the collection whose rows do. */
  readonly from: EventType | ModelName;
  readonly to: string;
  readonly mail: MailSpec;
  readonly defaults: Channels;
  /**
   * Writes the text. Only an announcement holds words of another user, because an erasure or a removal could not find
   * them. Titles stand in “quotes”, so that a mail can set them apart in their own direction of writing.
   */
  compose(facts: Facts, links: FrontendLinks): NoticeText;
}

/** By default a user gets it everywhere. */
export const both: Channels = { app: true, mail: true };

export const noticeType = <Facts>(spec: NoticeTypeSpec<Facts>) => spec;

/** What an event says, and the title of its course, or of its path. */
export interface EventFacts<T extends EventType = EventType> {
  readonly data: z.output<(typeof eventTypes)[T]["data"]>;
  readonly courseTitle: string;
}

/** A type that an event causes. */
export const eventNotice = <T extends EventType>(
  from: T,
  to: "the user" | "the educator",
  spec: Omit<NoticeTypeSpec<EventFacts<T>>, "from" | "to">,
) => ({ ...spec, from, to });
