import type { Logger } from "pino";
import { backoffMs, isLoggedFailure } from "../../lib/backoff.js";
import type { MailFailure } from "./mail-failure.js";

/** Pauses after calls have shown that the server is away or refuses to be used. */
const pauses = { firstMs: 15_000, maxMs: 60_000 };

export interface MailServerState {
  /** Whether calls would fail at once. After a pause one call finds out whether the server works again. */
  isResting(): boolean;
  /** Of the last failure. */
  readonly reason: string;
  begin(): void;
  /** @param failure undefined when the mail was taken. */
  end(failure: MailFailure | undefined): void;
}

/**
 * Keeps calls away from a server that has refused to be used, or was away some times in a row, and warns of failures.
 * The count of warnings begins anew after a mail that was taken, and for another reason.
 */
export function createMailServerState(maxAwayInARow: number, log: Logger): MailServerState {
  let underWay = 0;
  let awayInARow = 0;
  let rests = 0;
  let restsUntil = 0;
  let failures = 0;
  let lastCause = "";
  let reason = "";

  function rest(server: MailFailure["server"]): void {
    awayInARow = server === "works" ? 0 : awayInARow + 1;
    if (server === "works") rests = 0;
    // Calls that were under way when the rest began prolong nothing.
    else if ((server === "refuses" || awayInARow >= maxAwayInARow) && Date.now() >= restsUntil) {
      restsUntil = Date.now() + backoffMs(rests, pauses);
      rests += 1;
    }
  }

  function warn({ outcome, cause }: MailFailure): void {
    failures = cause === lastCause ? failures + 1 : 1;
    lastCause = cause;
    if (!isLoggedFailure(failures)) return;
    // The server may quote addresses, which are personal data.
    const said = outcome.reason.replaceAll(/[^\s<>"']+/g, (word) => (word.includes("@") ? "[address]" : word));
    const facts = { outcome: outcome.kind, failures, reason: said };
    log.warn({ eventId: "mail_not_taken", ...facts }, "the mail server took no mail");
  }

  return {
    isResting: () => Date.now() < restsUntil || (rests > 0 && underWay > 0),
    get reason() {
      return reason;
    },
    begin() {
      underWay += 1;
    },
    end(failure) {
      underWay -= 1;
      rest(failure?.server ?? "works");
      reason = failure?.outcome.reason ?? "";
      if (failure) warn(failure);
      else failures = 0;
    },
  };
}
