import { longDate } from "@lyceum/certificate-pdf/long-date";
import { both, eventNotice, noticeType } from "./notice-spec.js";

const mail = {
  when: "each",
  action: "Open your courses",
  reason: "You get this mail because you earned the certificate.",
} as const;

/** Notices to learners about their certificates. None gives a reason. */
export const certificateNotices = {
  certificate_issued: eventNotice("certificate.issued", "the user", {
    description: "The user's certificate can be downloaded.",
    label: "Your certificate is ready",
    mail,
    defaults: both,
    compose: ({ courseTitle }, links) => ({
      title: "Your certificate is ready",
      body: `You have completed “${courseTitle}”.`,
      link: links.ownCourses,
    }),
  }),
  certificate_reissued: eventNotice("certificate.reissued", "the user", {
    description: "The educator or an administrator has made a further edition of the user's certificate.",
    label: "Your certificate is issued again",
    mail,
    defaults: both,
    compose: ({ courseTitle }, links) => ({
      title: "Your certificate was issued again",
      body: `Your certificate of “${courseTitle}” has a new edition. Please use its new PDF.`,
      link: links.ownCourses,
    }),
  }),
  certificate_revoked: eventNotice("certificate.revoked", "the user", {
    description: "The educator or an administrator has revoked the user's certificate.",
    label: "Your certificate is revoked",
    mail,
    defaults: both,
    compose: ({ courseTitle }, links) => ({
      title: "Your certificate was revoked",
      body: `Your certificate of “${courseTitle}” is no longer valid.`,
      link: links.ownCourses,
    }),
  }),
  certificate_expires_soon: noticeType<{ courseTitle: string; expiresAt: Date; isOfPath?: boolean }>({
    description: "The user's certificate ends within 30 days, and there is no newer one of the course or path.",
    label: "Your certificate ends soon",
    from: "Certificate",
    to: "the learner",
    mail,
    defaults: both,
    compose: ({ courseTitle, expiresAt, isOfPath }, links) => ({
      title: "Your certificate ends soon",
      body: `Your certificate of “${courseTitle}” is valid until ${longDate(expiresAt)}. You can renew ${isOfPath ? "its courses" : "it"}.`,
      link: links.ownCourses,
    }),
  }),
};
