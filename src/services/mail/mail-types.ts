/** What a mail says beside the text of its notice. */
interface MailType {
  /** Label of the link. */
  readonly action: string;
  /** Why the user gets the mail. */
  readonly reason: string;
  /** False: the mail cannot be switched off. */
  readonly isOptional?: false;
  /** The text is Markdown. */
  readonly isMarkdown?: true;
}

/** The mails by the type of their notice. */
export const mailTypes = {
  reply_to_post: { action: "Read the reply", reason: "You get this mail because you wrote the post." },
  reply_accepted: { action: "Open the post", reason: "You get this mail because you wrote the reply." },
  post_upvoted: { action: "Open the post", reason: "You get this mail because you wrote the post." },
  announcement: {
    action: "Open the course",
    reason: "You get this mail because you take the course.",
    isMarkdown: true,
  },
  certificate_issued: { action: "Open your courses", reason: "You get this mail because you completed the course." },
  access_ends_soon: { action: "Open the course", reason: "You get this mail because you take the course." },
  application_decided: { action: "Start teaching", reason: "You get this mail because you applied to teach." },
  purchase_receipt: {
    action: "Open the course",
    reason: "You get this mail because of your purchase.",
    isOptional: false,
  },
  new_student: { action: "Open your courses", reason: "You get this mail once a day because you teach." },
  review_written: { action: "Open the course", reason: "You get this mail because you teach the course." },
  webhook_disabled: { action: "Open your account", reason: "You get this mail because you made the webhook." },
} as const satisfies Record<string, MailType>;

/** Returns what belongs to a type; a type of a newer release has plain words. */
export const mailTypeOf = (type: string): MailType =>
  (mailTypes as Record<string, MailType>)[type] ?? {
    action: "Open",
    reason: "You get this mail because of your account.",
  };
