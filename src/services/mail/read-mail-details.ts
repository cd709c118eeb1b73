import type { Brand } from "@lyceum/certificate-pdf/brand";
import type { Config } from "../../config.js";
import type { Db } from "../../db/db.js";
import type { Announcement } from "../../models/notices/announcement.js";
import type { Mail } from "../../models/notices/mail.js";
import type { Invoice } from "../../models/payments/invoice.js";
import type { OutgoingMail } from "../../providers/mail.js";
import { describeInvoice, type Line } from "../invoices/describe-invoice.js";
import type { NoticeType } from "../notices/notice-types.js";

/** What a mail says beyond its title and body. */
export interface MailDetails extends Pick<OutgoingMail, "fromName" | "attachments"> {
  /** Who announces something, and the announcement's own title. */
  readonly announcement?: { readonly educator: string; readonly courseTitle: string; readonly title: string };
  readonly references?: readonly Line[];
  readonly amounts?: readonly Line[];
  readonly links?: readonly { readonly label: string; readonly url: string }[];
}

interface DetailDeps {
  readonly db: Db;
  readonly config: Pick<Config, "platform" | "backendUrl">;
  readonly brand: Brand;
}

type About = Pick<Mail, "userId" | "cause">;
type ReadDetails = (deps: DetailDeps, mail: About) => Promise<MailDetails>;

/** The types of mail that say more than their notice. */
const detailsOf: { readonly [T in NoticeType]?: ReadDetails } = {
  announcement: describeAnnouncement,
  certificate_issued: linkCertificate,
  certificate_reissued: linkCertificate,
  application_decided: giveReason,
  purchase_receipt: attachInvoice,
  purchase_refunded: attachInvoice,
};

/**
 * Reads what a mail says beyond its title and body when it is sent, so that no row about a user holds the words or the name
 * of another user.
 */
export const readMailDetails = async (
  deps: DetailDeps,
  mail: About & { readonly type: NoticeType },
): Promise<MailDetails> => (await detailsOf[mail.type]?.(deps, mail)) ?? {};

async function describeAnnouncement({ db, config }: DetailDeps, { cause }: About): Promise<MailDetails> {
  if (cause === undefined) return {};
  const found = await db.Announcement.findById(cause, { courseId: 1, educatorId: 1, title: 1 })
    .orFail()
    .lean<Pick<Announcement, "courseId" | "educatorId" | "title">>();
  const [course, user] = await Promise.all([
    db.Course.findById(found.courseId, { courseTitle: 1 }).orFail().lean(),
    db.User.findById(found.educatorId, { name: 1 }).lean(),
  ]);
  const name = nameOnOneLine(user?.name ?? "");
  return {
    fromName: `${name || "Educator"} via ${config.platform.name}`,
    announcement: { educator: name || "the educator", courseTitle: course.courseTitle, title: found.title },
  };
}

/** Longest name of an educator in a mail, so that the platform's name behind it is never cut off. */
const maxNameLength = 80;

/** A name without controls, direction marks and wide gaps, which could hide that the platform sends the mail. */
const nameOnOneLine = (name: string): string =>
  name
    .replace(/[\s\p{Cc}\p{Cf}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, maxNameLength)
    .toWellFormed();

async function linkCertificate({ db, config }: DetailDeps, { cause }: About): Promise<MailDetails> {
  const event = cause === undefined ? null : await db.Event.findById(cause, { data: 1 }).lean();
  if (!event) return {};
  const { certificateId, pdfUrl } = event.data;
  return {
    links: [
      { label: "Download the PDF", url: String(pdfUrl) },
      {
        label: "Show others that it is genuine",
        url: `${config.backendUrl}/api/certificate/verify/${certificateId}`,
      },
    ],
  };
}

/** The reason of a refusal, also when the user has applied again since. */
async function giveReason({ db }: DetailDeps, { userId, cause }: About): Promise<MailDetails> {
  const event = cause === undefined ? null : await db.Event.findById(cause, { data: 1 }).lean();
  if (event?.data.status !== "rejected") return {};
  const application = await db.EducatorApplication.findOne({ userId }, { rejectionReason: 1 }).lean();
  const value = application?.rejectionReason?.trim();
  return value ? { references: [{ label: "Reason", value }] } : {};
}

async function attachInvoice({ db, brand }: DetailDeps, { cause }: About): Promise<MailDetails> {
  if (cause === undefined) return {};
  const invoice = await db.Invoice.findById(cause).orFail().lean<Invoice>();
  const purchase = await db.Purchase.findById(invoice.purchaseId, { providerOrderId: 1 }).lean();
  // Drawing takes much memory, so it is loaded with the first document.
  const { renderInvoice } = await import("../invoices/render-invoice.js");
  return {
    ...describeInvoice(invoice, purchase?.providerOrderId ?? String(invoice.purchaseId)),
    attachments: [
      {
        filename: `${invoice.number}.pdf`,
        contentType: "application/pdf",
        content: await renderInvoice(invoice, brand),
      },
    ],
  };
}
