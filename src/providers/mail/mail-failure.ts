/** Characters of a reason that are kept. It may quote the server. */
const maxReasonLength = 200;

/**
 * `accepted`: the server has the mail. `tryAgain`: it has not taken the mail, and may take it later; `isAway` unless its
 * answer was about this mail. `refusedAddress`: it refuses the recipient for good. `refused`: it refuses the mail for good.
 * `unknown`: the data was begun, and no answer came.
 */
export type MailOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "tryAgain"; readonly reason: string; readonly isAway: boolean }
  | { readonly kind: "refusedAddress" | "refused" | "unknown"; readonly reason: string };

export interface MailFailure {
  readonly outcome: Exclude<MailOutcome, { kind: "accepted" }>;
  /** `works`: the server has judged this mail. `away`: it gave no judgement. `refuses`: it refuses to be used at all. */
  readonly server: "works" | "away" | "refuses";
  /** Names the kind of failure, so that repeated warnings of one kind are counted together. */
  readonly cause: string;
}

/** Fields of nodemailer's errors. `command` is `CONN` for whatever ended the connection. */
export type SmtpError = Error & {
  readonly code?: string;
  /** The code of the system, such as `ECONNREFUSED`. */
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
};

/** @param hasBegun whether anything of the mail's content was sent. */
export function mailFailure(error: SmtpError, hasBegun: boolean): MailFailure {
  const { code = error.name, originalCode, command = "", responseCode = 0, response = "" } = error;
  const reason = (error.message || code).slice(0, maxReasonLength);
  const [, enhanced = ""] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const cause = [command, code, originalCode, responseCode || "", enhanced].filter(Boolean).join(" ");
  const isReply = responseCode >= 400;
  const isAboutMail = isReply && !isAboutUse(responseCode) && /^(MAIL FROM|RCPT TO|DATA)$/.test(command);
  if (isAboutMail && responseCode < 500) {
    const isAway = command === "MAIL FROM";
    return { outcome: { kind: "tryAgain", reason, isAway }, server: isAway ? "away" : "works", cause };
  }
  // Without a reply nodemailer itself has found the envelope or the size wrong.
  if (isAboutMail || (!isReply && /^(EENVELOPE|EMESSAGE)$/.test(code))) {
    const isAboutAddress = isAddressRefused(command, responseCode, enhanced);
    return { outcome: { kind: isAboutAddress ? "refusedAddress" : "refused", reason }, server: "works", cause };
  }
  if (hasBegun && !isReply) return { outcome: { kind: "unknown", reason }, server: "away", cause };
  const isRefusal = responseCode >= 500 || (!isReply && /^(ETLS|EAUTH|ENOAUTH)$/.test(code));
  return { outcome: { kind: "tryAgain", reason, isAway: true }, server: isRefusal ? "refuses" : "away", cause };
}

/** The server closes (421), or wants a sign-in or TLS first, whatever the command was. */
const isAboutUse = (responseCode: number): boolean => [421, 530, 534, 535, 538].includes(responseCode);

/** By RFC 3463, 5.1.x is about an address, of which 5.1.7 and 5.1.8 are about the sender's. */
function isAddressRefused(command: string, responseCode: number, enhanced: string): boolean {
  if (command === "MAIL FROM") return false;
  if (enhanced !== "") return /^5\.1\.(?![78]$)/.test(enhanced);
  return command === "RCPT TO" && [550, 551, 553].includes(responseCode);
}
