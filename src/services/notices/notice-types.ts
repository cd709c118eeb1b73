import { eventTypes } from "../../models/events/event-types.js";
import type { Invoice } from "../../models/payments/invoice.js";
import { sendStudentDigests } from "../mail/send-student-digests.js";
import { formatAmount } from "../payments/price.js";
import { certificateNotices } from "./certificate-notices.js";
import type { FrontendLinks, Id } from "./frontend-links.js";
import { both, type EventFacts, eventNotice, type NoticeText, noticeType } from "./notice-spec.js";

export type { Channels, EventFacts, MailTime, NoticeText } from "./notice-spec.js";

/** What an invoice or a credit note says, and the course that was bought; null: a path. */
type DocumentFacts = Pick<Invoice, "number" | "refundId" | "facts"> & { readonly courseId: Id | null };

/** Every type of notice: the job, the preferences, the mails, the documents and the tests read this table. */
export const noticeTypes = {
  reply_to_post: noticeType<{ postId: Id; postTitle: string }>({
    description: "Somebody has replied to the user's post.",
    label: "Somebody replies to your post",
    from: "CommunityReply",
    to: "the author of the post",
    mail: { when: "each", action: "Read the reply", reason: "You get this mail because you wrote the post." },
    defaults: both,
    compose: ({ postId, postTitle }, links) => ({
      title: "New reply to your post",
      body: `“${postTitle}” has a new reply.`,
      link: links.post(postId),
    }),
  }),
  reply_accepted: noticeType<{ postId: Id }>({
    description: "The user's reply was accepted as the answer.",
    label: "Your reply is accepted as the answer",
    from: "CommunityReply",
    to: "the author of the reply",
    mail: { when: "each", action: "Open the post", reason: "You get this mail because you wrote the reply." },
    defaults: both,
    compose: ({ postId }, links) => ({
      title: "Your reply was accepted",
      body: "The author of the post has accepted your reply as the answer.",
      link: links.post(postId),
    }),
  }),
  post_upvoted: noticeType<{ postId: Id; postTitle: string }>({
    description: "The user's post was upvoted. A post has one notice for each UTC hour, which counts the upvotes.",
    label: "Your post is upvoted",
    from: "Vote",
    to: "the author of the post",
    mail: { when: "each", action: "Open the post", reason: "You get this mail because you wrote the post." },
    defaults: { app: true, mail: false },
    compose: ({ postId, postTitle }, links) => ({
      title: "Your post was upvoted",
      body: `“${postTitle}”`,
      link: links.post(postId),
    }),
  }),
  announcement: noticeType<{ courseId: Id; courseTitle: string; title: string; body: string }>({
    description: "The educator of a course has written to its learners.",
    label: "An educator writes to the learners of your course",
    from: "Announcement",
    to: "the learners of the course",
    mail: {
      when: "each",
      action: "Open the course",
      reason: "You get this mail because you take the course.",
      isMarkdown: true,
    },
    defaults: both,
    compose: ({ courseId, courseTitle, title, body }, links) => ({
      title: `${courseTitle}: ${title}`,
      body,
      link: links.player(courseId),
    }),
  }),
  ...certificateNotices,
  access_ends_soon: noticeType<{ courseId: Id; courseTitle: string; expiresAt: Date }>({
    description: "The user's access to a course ends within three days.",
    label: "Your access to a course ends soon",
    from: "Enrollment",
    to: "the learner",
    mail: { when: "each", action: "Open the course", reason: "You get this mail because you take the course." },
    defaults: both,
    compose: ({ courseId, courseTitle, expiresAt }, links) => ({
      title: "Your access ends soon",
      body: `Your access to “${courseTitle}” ends on ${expiresAt.toISOString().slice(0, 16).replace("T", " at ")} UTC.`,
      link: links.player(courseId),
    }),
  }),
  application_decided: eventNotice("application.decided", "the user", {
    description: "The user's application to teach was approved or rejected.",
    label: "Your application to teach is decided",
    mail: {
      when: "each",
      action: "Open your application",
      reason: "You get this mail because you applied to teach.",
    },
    defaults: both,
    compose: ({ data }, links) => ({
      ...(data.status === "approved"
        ? {
            title: "Your application was approved",
            body: "You can teach now. Sign in again if the pages for educators are missing.",
          }
        : {
            title: "Your application was rejected",
            body: "Your application to teach was not accepted. You can apply again.",
          }),
      link: links.application,
    }),
  }),
  purchase_receipt: noticeType<DocumentFacts>({
    description: "The user has paid for a course or a path. It is a mail only, which cannot be switched off.",
    label: "You have bought a course or a path",
    from: "Invoice",
    to: "the buyer",
    mail: { when: "always", action: "Start learning", reason: "You get this mail because of your purchase." },
    defaults: { app: false, mail: true },
    compose: ({ courseId, number, facts }, links) => ({
      title: `Your receipt for “${facts.courseTitle}”`,
      body: `You have paid ${formatAmount(facts.totalMinor, facts.currency)}. Invoice ${number} is attached as a PDF.`,
      link: courseId ? links.player(courseId) : links.ownCourses,
    }),
  }),
  purchase_refunded: noticeType<DocumentFacts>({
    description:
      "A payment of the user was paid back, wholly or in part. It is a mail only, which cannot be switched off.",
    label: "A payment of yours is paid back",
    from: "Invoice",
    to: "the buyer",
    mail: { when: "always", action: "Open the course", reason: "You get this mail because of your purchase." },
    defaults: { app: false, mail: true },
    compose: ({ number, refundId, facts }) => {
      const amount = formatAmount(facts.totalMinor, facts.currency);
      const isCollected = refundId !== null;
      return {
        title: `Your ${isCollected ? "refund" : "credit note"} for “${facts.courseTitle}”`,
        body: `${
          isCollected
            ? `${amount} was paid back. Your bank may take some days to show it.`
            : `Your payment of ${amount} was never collected, so its invoice is taken back.`
        } Credit note ${number} is attached as a PDF.`,
        link: null,
      };
    },
  }),
  new_student: eventNotice("enrollment.activated", "the educator", {
    description: "A learner has got access to the educator's course. Mail is a daily digest.",
    label: "A learner joins your course",
    mail: {
      when: "digest",
      digest: { every: "day", write: sendStudentDigests },
      action: "Open your courses",
      reason: "You get this mail once a day because you teach.",
    },
    defaults: both,
    compose: ({ courseTitle }, links) => ({
      title: "New student",
      body: `A learner has joined “${courseTitle}”.`,
      link: links.students,
    }),
  }),
  review_written: eventNotice("review.written", "the educator", {
    description: "A learner has rated the educator's course.",
    label: "A learner rates your course",
    mail: { when: "each", action: "Open the course", reason: "You get this mail because you teach the course." },
    defaults: both,
    compose: ({ data, courseTitle }, links) => ({
      title: "New review",
      body: `“${courseTitle}” was rated ${data.rating} of 5.`,
      link: links.course(data.courseId),
    }),
  }),
  webhook_disabled: noticeType<{ url: string; reason: string | null }>({
    description: "The server has switched off the user's webhook, because its address is gone or fails.",
    label: "Your webhook is switched off",
    from: "Webhook",
    to: "the owner of the webhook",
    mail: { when: "each", action: "Open your account", reason: "You get this mail because you made the webhook." },
    defaults: both,
    compose: ({ url, reason }) => ({
      title: "A webhook was switched off",
      body: `${url} ${reason === "gone" ? "answered 410 Gone" : "has taken no delivery for five days"}.`,
      link: null,
    }),
  }),
};

export type NoticeType = keyof typeof noticeTypes;
export const noticeTypeNames = Object.keys(noticeTypes) as [NoticeType, ...NoticeType[]];

/** A type that an event causes, as the job reads it. */
export interface EventNotice {
  readonly type: NoticeType;
  readonly to: "the user" | "the educator";
  compose(facts: EventFacts, links: FrontendLinks): NoticeText;
}

/** Finds the type that each event causes. @throws when an event causes two types, because a batch has room for one. */
export function indexByEvent(
  types: Readonly<Record<string, { readonly from: string }>>,
): ReadonlyMap<string, EventNotice> {
  const byEvent = new Map<string, EventNotice>();
  for (const [type, spec] of Object.entries(types)) {
    const other = byEvent.get(spec.from);
    if (other) throw new Error(`the event ${spec.from} causes two types of notices, ${other.type} and ${type}`);
    if (spec.from in eventTypes) byEvent.set(spec.from, { ...spec, type } as unknown as EventNotice);
  }
  return byEvent;
}

/** The types that events cause, by the type of the event. */
export const noticesOfEvents = indexByEvent(noticeTypes);
