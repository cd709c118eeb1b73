import { Types } from "mongoose";
import type { Invoice } from "../../src/models/payments/invoice.js";
import { describeInvoice } from "../../src/services/invoices/describe-invoice.js";
import type { MailDetails } from "../../src/services/mail/read-mail-details.js";
import { frontendLinks, frontendPaths } from "../../src/services/notices/frontend-links.js";
import { type NoticeText, type NoticeType, noticeTypes } from "../../src/services/notices/notice-types.js";

/** A mail of a type, and what it says beyond its text. */
export interface SampleMail {
  readonly type: NoticeType;
  readonly text: NoticeText;
  readonly details?: MailDetails;
}

interface Words {
  readonly course: string;
  readonly person: string;
  readonly title: string;
  readonly body: string;
}

const table =
  "| Week | Topic | https://example.com/a-very-long-address-of-a-page |\n| --- | --- | --- |\n| 1 | Types | Narrowing |\n";
const lists =
  "- [x] Chapter 1\n- [ ] Chapter 2\n\n1. First\n2. Second\n\n> A quote\n\n`code` and **strong**.[^1]\n\n[^1]: The note.\n";
const picture =
  "![The plan](https://example.com/plan.png) [![A badge](https://example.com/b.png)](https://example.com/)\n";

/** Words of each direction of writing, and long ones. */
export const sampleWords: Readonly<Record<string, Words>> = {
  "left-to-right": {
    course: "TypeScript in Depth",
    person: "Asha Rao",
    title: "Live session on Friday",
    body: `Dear all,\n\nwe meet on **Friday**: [the room](https://example.com/room).\n\n${table}\n${lists}\n${picture}`,
  },
  "right-to-left": {
    course: "مقدمة في البرمجة 2",
    person: "ليلى حداد",
    title: "موعد الدرس القادم",
    body: `مرحبا،\n\nنلتقي يوم الجمعة في الساعة 10.\n\n| الأسبوع | الموضوع |\n| --- | --- |\n| 1 | الأنواع |\n\n- [x] الفصل 1\n- [ ] الفصل 2\n`,
  },
  long: {
    course: `${"A very long title of a course about everything that can be said ".repeat(3)}${"x".repeat(60)}`,
    person: "Wolfeschlegelsteinhausenbergerdorff ".repeat(3).trim(),
    title: "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(4).trim(),
    body: `${"word".repeat(60)}\n\n${"| column ".repeat(12)}|\n${"| --- ".repeat(12)}|\n${"| a cell with words ".repeat(12)}|\n`,
  },
};

const links = frontendLinks({ frontendUrl: "https://app.example.com", frontendPaths: frontendPaths.parse("{}") });
const at = new Date("2026-11-28T09:30:00Z");
const courseId = "665f1c2ab7e4d90012ab34cd";

/** An invoice, or the credit note of a refund. */
const documentOf = ({ course, person }: Words, kind: Invoice["kind"], totalMinor: number): Invoice => ({
  _id: new Types.ObjectId(),
  kind,
  number: kind === "invoice" ? "INV-2627-000042" : "INVC-2627-000007",
  purchaseId: new Types.ObjectId(),
  refundId: kind === "invoice" ? null : "rfnd_QkY6Wm3ZbT1Xab",
  issuedAt: at,
  facts: {
    seller: { name: "Lyceum Learning Pvt Ltd", address: "1 School Lane\nBengaluru 560001", taxId: "29ABCDE1234F1Z5" },
    buyer: { name: person, email: "learner@example.com" },
    courseTitle: course,
    currency: "INR",
    priceMinor: 349_900,
    discountMinor: 34_990,
    couponMinor: 34_990,
    couponCode: "DIWALI-2026",
    totalMinor,
    tax: { name: "GST", percent: 18, amountMinor: Math.round((totalMinor * 18) / 118) },
    paymentId: "pay_QkY5Zr8pDq2Xab",
    invoiceNumber: kind === "invoice" ? null : "INV-2627-000042",
  },
  createdAt: at,
});

const about = (document: Invoice): MailDetails => describeInvoice(document, "order_QkY4Tb7wNv1Xab");

/** A mail of every type. */
export function sampleMails(words: Words): Readonly<Record<NoticeType, SampleMail>> {
  const { course: courseTitle, person, title, body } = words;
  const sample = (type: NoticeType, text: NoticeText, details?: MailDetails): SampleMail => ({
    type,
    text,
    ...(details && { details }),
  });
  const learner = { userId: "user_1", courseId };
  const certificate = {
    ...learner,
    pathId: null,
    certificateId: "c0ffee",
    pdfUrl: "https://media.example.com/c0ffee.pdf",
  };
  const post = { postId: courseId, postTitle: title };
  const [invoice, note] = [documentOf(words, "invoice", 279_920), documentOf(words, "credit-note", 100_000)];
  const of = { courseId, courseTitle };
  return {
    reply_to_post: sample("reply_to_post", noticeTypes.reply_to_post.compose(post, links)),
    reply_accepted: sample("reply_accepted", noticeTypes.reply_accepted.compose(post, links)),
    post_upvoted: sample("post_upvoted", noticeTypes.post_upvoted.compose(post, links)),
    announcement: sample("announcement", noticeTypes.announcement.compose({ ...of, title, body }, links), {
      fromName: `${person} via Lyceum`,
      announcement: { educator: person, courseTitle, title },
    }),
    certificate_issued: sample(
      "certificate_issued",
      noticeTypes.certificate_issued.compose(
        { data: { ...certificate, edition: 1, expiresAt: null }, courseTitle },
        links,
      ),
      {
        links: [
          { label: "Download the PDF", url: "https://media.example.com/c0ffee.pdf" },
          {
            label: "Show others that it is genuine",
            url: "https://api.example.com/api/certificate/verify/c0ffee",
          },
        ],
      },
    ),
    certificate_reissued: sample(
      "certificate_reissued",
      noticeTypes.certificate_reissued.compose({ data: { ...certificate, edition: 2 }, courseTitle }, links),
    ),
    certificate_revoked: sample(
      "certificate_revoked",
      noticeTypes.certificate_revoked.compose({ data: certificate, courseTitle }, links),
    ),
    certificate_expires_soon: sample(
      "certificate_expires_soon",
      noticeTypes.certificate_expires_soon.compose({ courseTitle, expiresAt: at }, links),
    ),
    access_ends_soon: sample("access_ends_soon", noticeTypes.access_ends_soon.compose({ ...of, expiresAt: at }, links)),
    application_decided: sample(
      "application_decided",
      noticeTypes.application_decided.compose({ data: { userId: "user_1", status: "rejected" }, courseTitle }, links),
      { references: [{ label: "Reason", value: `${title}.\nPlease describe your experience.` }] },
    ),
    purchase_receipt: sample(
      "purchase_receipt",
      noticeTypes.purchase_receipt.compose({ ...invoice, courseId }, links),
      about(invoice),
    ),
    purchase_refunded: sample(
      "purchase_refunded",
      noticeTypes.purchase_refunded.compose({ ...note, courseId }, links),
      about(note),
    ),
    new_student: sample("new_student", {
      title: "14 new students on 2026-11-27",
      body: `“${courseTitle}”: 12\n“${title}”: 2`,
      link: links.students,
    }),
    review_written: sample(
      "review_written",
      noticeTypes.review_written.compose({ data: { ...learner, rating: 4 }, courseTitle }, links),
    ),
    webhook_disabled: sample(
      "webhook_disabled",
      noticeTypes.webhook_disabled.compose({ url: "https://example.com/hooks", reason: "gone" }, links),
    ),
  };
}
