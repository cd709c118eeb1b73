import { randomId } from "../random-id.js";

/** One received mail. */
export interface ReceivedMail {
  readonly id: string;
  /** When it was received, in milliseconds since the epoch. */
  readonly at: number;
  /** Addresses of the SMTP envelope. */
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Lines of the head, unfolded and decoded; names are in lower case. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly text: string;
  /** Pictures of the mail are embedded as data URLs. */
  readonly html: string;
  /** The message as it came. */
  readonly raw: string;
}

const maxMails = 1000;

/** Keeps the newest thousand mails, oldest first. */
export class Mailbox {
  #mails: ReceivedMail[] = [];

  async receive(message: Buffer, envelope: Pick<ReceivedMail, "from" | "to">): Promise<void> {
    const { default: PostalMime } = await import("postal-mime");
    const {
      headers,
      subject = "",
      text = "",
      html = "",
      attachments,
    } = await PostalMime.parse(message, {
      attachmentEncoding: "base64",
    });
    const embedded = attachments.reduce((page, { contentId = "", mimeType, content }) => {
      const id = contentId.replace(/^<|>$/g, "");
      return id === "" ? page : page.replaceAll(`cid:${id}`, `data:${mimeType};base64,${String(content)}`);
    }, html);
    this.#mails.push({
      id: randomId("mail_", 12),
      at: Date.now(),
      ...envelope,
      subject,
      headers: headers.map(({ key, value }) => ({ name: key, value })),
      text: text.trimEnd(),
      html: embedded.trimEnd(),
      raw: message.toString(),
    });
    if (this.#mails.length > maxMails) this.#mails.shift();
  }

  list(): readonly ReceivedMail[] {
    return [...this.#mails];
  }

  clear(): void {
    this.#mails = [];
  }
}
