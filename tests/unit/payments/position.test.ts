import { describe, expect, test } from "vitest";
import type { Purchase } from "../../../src/models/payments/purchase.js";
import {
  aDayPasses,
  captured,
  closed,
  couponTaken,
  disputed,
  endOf,
  erased,
  type Fact,
  foldFacts,
  hourMs,
  missing,
  noted,
  numbered,
  openedPurchase,
  orderMade,
  price,
  refunded,
  refundFailed,
  refundRefused,
  refundRequested,
  signed,
  withCoupon,
} from "./fold-facts.js";

interface More {
  readonly refundedMinor?: number;
  /** Of a purchase that was opened with one. */
  readonly coupon?: "none" | "reserved" | "redeemed";
  /** Due because of the last fact. */
  readonly due?: "" | "invoice" | "credit note" | "invoice and credit note";
  /** Minutes until the provider is asked; null: nothing is left to ask. */
  readonly asks?: number | null;
  readonly start?: Partial<Purchase>;
  readonly isOwned?: boolean;
}
/**
 * A rule, the facts in the order in which they became known, and the position that follows.
 * `flags`: the open flags, each with its subject.
 */
type Row = [rule: string, told: readonly Fact[], end: string, flags?: string, more?: More];

const [a, b, aSigned, bSigned] = [captured("A"), captured("B"), signed("A"), signed("B")];
const tooLittle = captured("A", { amount: price / 2, verdict: "amount_mismatch" });
const tooLittleB = captured("B", { amount: price / 2, verdict: "amount_mismatch" });
const tooMuch = captured("A", { amount: price * 1.5 });
const dollars = captured("A", { currency: "USD", verdict: "currency_mismatch" });
const late = captured("A", { verdict: "late_payment" });
const [refundA, refundB] = [refunded("A"), refunded("B")];
const [part, rest] = [refunded("A", 4_000, "part"), refunded("A", 6_000, "rest")];
const allOfMore = refunded("A", price * 1.5);
const [aLater, bMore] = [captured("A", { at: 2 }), captured("B", { at: 1, amount: price * 1.5 })];
const allOfB = refunded("B", price * 1.5);
const failedRefund = refundFailed("A", "r");
const [created, won, lost] = [disputed("A", "created"), disputed("A", "won"), disputed("A", "lost")];
const withdrawn = [aSigned, missing("A"), aDayPasses, missing("A")];
const unordered = { status: "created", providerOrderId: "" } as const;
const free = { status: "completed", amount: 0, completedAt: new Date(), nextCheckAt: undefined as never } as const;
const askedLater = { nextCheckAt: new Date(Date.now() + hourMs) };
const bothDocuments = "invoice and credit note";
const paidBack = (refundedMinor: number, due: More["due"] = "credit note") => ({ refundedMinor, due });
const partOfMore = "amount_mismatch: A, partial_refund: A refund of 10000";
const above = "amount_mismatch: A, partial_refund: r";
const unproven = signed("B", { verdict: "not_captured" });
const [seenPart, seenFailed] = [noted("partial_refund"), noted("refund_failed")];
const phase = (name: string, id = "A") => `disputed: ${id} dispute payment.dispute.${name}`;

const partB = refunded("B", 4_000, "partB");
const partialB = "partial_refund: partB";
const bothPaid = "duplicate_charge: B, partial_refund: part";

const requestA = refundRequested("A");
const secondLate = "duplicate_charge: A, late_payment: A";
const rules: Record<string, Row[]> = {
  completion: [
    ["without an order it is created", [], "created", "", { start: unordered }],
    ["an order makes it pending", [orderMade], "pending", "", { start: unordered, asks: 2 }],
    ["a capture completes it, no question is left", [a], "completed by A", "", { due: "invoice", asks: null }],
    ["a signature alone completes it", [aSigned], "completed by A", "", { due: "invoice", asks: 10 }],
    ["the capture of a signed payment adds nothing", [aSigned, a], "completed by A", "", { due: "" }],
    ["a repeat changes nothing", [a, a], "completed by A", "", { due: "" }],
    ["a capture completes a failed purchase", [closed("payment"), a], "completed by A"],
    ["a failed payment has no effect on a completed one", [a, closed("payment")], "completed by A"],
    ["a free purchase needs no payment", [closed("expired")], "completed", "", { start: free, due: "", asks: null }],
  ],
  mismatches: [
    ["too little money is withheld", [tooLittle], "pending", "amount_mismatch: A", { refundedMinor: 0 }],
    ["another currency is withheld", [dollars], "pending", "currency_mismatch: A"],
    ["another order is withheld", [captured("A", { verdict: "order_mismatch" })], "pending", "order_mismatch: A"],
    ["what was withheld and paid back needs nobody", [tooLittle, refunded("A", price / 2)], "pending"],
    [
      "a fitting payment completes it after that",
      [tooLittle, b],
      "completed by B",
      "amount_mismatch: A, duplicate_charge: A",
    ],
    ["more money than the price completes it", [tooMuch], "completed by A", "amount_mismatch: A"],
    ["a capture contradicts it", [aSigned, tooLittle], "failed", "amount_mismatch: A", { coupon: "none", asks: 0 }],
    ["money that went back is not looked at again", [aSigned, refundA, tooLittle], "refunded by A"],
    ["a later report in another currency", [a, dollars], "completed by A", "currency_mismatch: A"],
  ],
  "two payments": [
    ["the first stays, the second is flagged", [a, b], "completed by A", "duplicate_charge: B"],
    ["a second signature is flagged too", [a, bSigned], "completed by A", "duplicate_charge: B"],
    ["and after its refund in part", [a, bSigned, refunded("B", 1)], "completed by A", "duplicate_charge: B"],
    ["a refund of the second settles it", [a, b, refundB], "completed by A", "", { due: "", refundedMinor: 0 }],
    ["a lost dispute of it as well", [a, b, disputed("B", "lost")], "completed by A", phase("lost", "B")],
    ["the second takes over from a refunded one", [a, b, refundA], "completed by B", "", { due: "", asks: 0 }],
    ["also when it comes after the refund", [a, refundA, b], "completed by B", "", { asks: 0 }],
    ["also after a lost dispute", [a, b, lost], "completed by B", phase("lost")],
    ["a numbered invoice stays", [a, numbered, b, refundA], "completed by B", "", { due: "" }],
    ["after a full refund there is another", [a, numbered, refundA, b], "completed by B", "", { due: "invoice" }],
    ["of more than the price nothing is credited", [a, b, part], "completed by A", bothPaid, { due: "" }],
    ["until less is left", [a, b, part, refundB], "completed by A", "partial_refund: part", { due: "credit note" }],
    ["a note is about the rest of the second", [a, b, refundA, partB], "completed by B", partialB, paidBack(4_000)],
    ["a signature takes nothing over", [a, refundA, bSigned], "refunded by A", "duplicate_charge: B"],
    ["nor does too little money", [a, tooLittleB, refundA], "refunded by A", "amount_mismatch: B"],
    ["which is flagged as well", [a, tooLittleB], "completed by A", "amount_mismatch: B, duplicate_charge: B"],
    ["both refunded", [a, b, refundB, refundA], "refunded by A"],
    ["both refunded after a take-over", [a, b, refundA, refundB], "refunded by A"],
    [
      "of both refunded the first made one counts",
      [aLater, bMore, refundA, allOfB],
      "refunded by B",
      "",
      paidBack(price * 1.5),
    ],
    ["a second purchase of the course is flagged", [a], "completed by A", "duplicate_charge: A", { isOwned: true }],
    ["its refund settles the flag", [a, refundA], "refunded by A", "", { isOwned: true }],
    ["its take-over is flagged", [a, b, refundA], "completed by B", "duplicate_charge: B", { isOwned: true }],
  ],
  refunds: [
    ["one in part keeps the access", [a, part], "completed by A", "partial_refund: part", paidBack(4_000)],
    ["a repeated part counts once", [a, part, part], "completed by A", "partial_refund: part", paidBack(4_000, "")],
    ["parts that add up are a full refund", [a, part, rest], "refunded by A", "", paidBack(price)],
    ["a full refund ends it", [a, refundA], "refunded by A", "", { due: "credit note", asks: null }],
    ["the price is a part of more money", [tooMuch, refundA], "completed by A", partOfMore],
    ["what is above the price", [tooMuch, refunded("A", 5_000, "r")], "completed by A", above, paidBack(5_000, "")],
    ["all that was paid is not", [tooMuch, allOfMore], "refunded by A", "", paidBack(price * 1.5)],
    ["a refund waits for its capture", [refundA], "pending"],
    [
      "one without an amount is flagged",
      [a, refunded("A", 0, "r")],
      "completed by A",
      "partial_refund: r",
      { due: "" },
    ],
    ["after a full refund a failed one needs nobody", [a, failedRefund, refundA], "refunded by A"],
    ["a request without answer keeps the question", [requestA, refundA, a], "refunded by A", "", { asks: 2 }],
    ["without a request nothing is asked", [refundA, a], "refunded by A", "", { asks: null }],
    ["the capture then ends in refunded", [refundA, a], "refunded by A", "", { due: bothDocuments }],
    ["a signature as well", [refundA, aSigned], "refunded by A"],
    ["a failed refund is flagged", [a, failedRefund], "completed by A", "refund_failed: r"],
    ["also when it comes before the capture", [failedRefund, a], "completed by A", "refund_failed: r"],
    ["also of withheld money", [tooLittle, failedRefund], "pending", "amount_mismatch: A, refund_failed: r"],
    ["unless it was paid after all", [a, failedRefund, refunded("A", price, "r")], "refunded by A"],
    ["or by another refund", [a, failedRefund, refundA], "refunded by A"],
    ["or had been paid before", [a, refunded("A", 4_000, "r"), failedRefund], "completed by A", "partial_refund: r"],
    ["a refused request is flagged", [a, refundRefused("A")], "completed by A", "refund_failed: A request"],
    ["until the payment is paid back", [a, refundRefused("A"), refundA], "refunded by A"],
    ["one under way is asked about", [late, refundRequested("A"), b], "completed by B", secondLate, { asks: 0 }],
  ],
  disputes: [
    ["each phase is flagged", [a, created, won], "completed by A", `${phase("created")}, ${phase("won")}`],
    ["a lost one is a full refund", [a, lost], "refunded by A", phase("lost"), { refundedMinor: price }],
    ["also before its capture", [lost, tooMuch], "refunded by A", phase("lost"), { refundedMinor: price * 1.5 }],
    ["with a refund no more than was paid", [a, part, lost], "refunded by A", phase("lost"), { refundedMinor: price }],
  ],
  "late money": [
    ["it is withheld", [closed("expired"), late], "failed", "late_payment: A"],
    ["its refund settles the flag", [closed("expired"), late, refundA], "failed"],
  ],
  "a signature without capture": [
    ["a missing capture is flagged", [aSigned, missing("A")], "completed by A", "not_captured: A"],
    ["the capture settles the flag", [aSigned, missing("A"), a], "completed by A"],
    ["after a day it is withdrawn", withdrawn, "failed", "not_captured: A", { coupon: "none", due: "", asks: 0 }],
    ["so is its invoice", [aSigned, numbered, ...withdrawn], "failed", "not_captured: A", { due: "credit note" }],
    ["a capture completes it again", [...withdrawn, a], "completed by A", "", { due: "invoice" }],
    [
      "another capture takes over, and the invoice stays",
      [aSigned, numbered, b, missing("A"), aDayPasses, missing("A")],
      "completed by B",
      "not_captured: A",
      { due: "" },
    ],
    ["another signature does not", [...withdrawn, unproven], "failed", "not_captured: A, not_captured: B"],
  ],
  closing: [
    ["a failed purchase without a cause stays failed", [], "failed", "", { start: { status: "failed" } }],
    ...(["review", "price", "payment", "expired"] as const).map(
      (by): Row => [`by ${by} it releases the coupon`, [closed(by)], "failed", "", { coupon: "none", asks: 2 }],
    ),
    ["by the learner it keeps the coupon", [closed("learner")], "failed", "", { coupon: "reserved", asks: 2 }],
    ["the first cause stays", [closed("learner"), closed("expired")], "failed", "", { coupon: "reserved" }],
    ["a capture is looked for soon", [closed("expired")], "failed", "", { start: askedLater, asks: 5 }],
  ],
  coupons: [
    ["reserved while it waits", [], "pending", "", { coupon: "reserved" }],
    ["redeemed when it completes", [a], "completed by A", "", { coupon: "redeemed" }],
    ["still redeemed after a refund", [a, refundA], "refunded by A", "", { coupon: "redeemed" }],
    ["kept for a day only", [closed("learner"), aDayPasses], "failed", "", { coupon: "none" }],
    ["taken by another purchase", [closed("learner"), couponTaken], "failed", "", { coupon: "none" }],
    ["redeemed by a later capture", [closed("expired"), a], "completed by A", "", { coupon: "redeemed" }],
  ],
  erasure: [
    ["it closes an unfinished purchase", [erased], "failed", "", { coupon: "none" }],
    ["it releases a kept coupon", [closed("learner"), erased], "failed", "", { coupon: "none" }],
    ["a completed purchase stays", [a, erased], "completed by A"],
    ["no other payment takes over", [a, b, erased, refundA], "refunded by A", "duplicate_charge: B"],
    ["nor does one that comes later", [a, erased, refundA, b], "refunded by A", "duplicate_charge: B"],
    ["later money is withheld", [erased, late], "failed", "late_payment: A"],
  ],
  "operators' notes": [
    ["a note settles one reason", [tooMuch, b, noted("duplicate_charge")], "completed by A", "amount_mismatch: A"],
    ["a repeat leaves it settled", [a, b, noted("duplicate_charge"), b], "completed by A"],
    ["another fact is another flag", [a, part, seenPart, refunded("A", 1, "r")], "completed by A", "partial_refund: r"],
    ["a refused request stays settled", [a, refundRefused("A"), seenFailed, refundRefused("A")], "completed by A"],
  ],
};

describe.each(Object.entries(rules))("%s", (_subject, rows) => {
  test.each(rows)("%s", (_rule, told, end, flags = "", { start, isOwned = false, due, asks, ...expected } = {}) => {
    const folded = foldFacts(openedPurchase(expected.coupon ? withCoupon : start), told, { isOwned });
    const { status, payment, open, ...rest } = endOf(folded);
    expect({ end: payment ? `${status} by ${payment}` : status, flags: open.join(", ") }).toEqual({ end, flags });
    expect(rest).toMatchObject(expected);
    const { documents, nextCheckAt } = folded.position;
    const documentsDue = [documents.invoice && "invoice", documents.creditNote && "credit note"].filter(Boolean);
    if (due !== undefined) expect(documentsDue.join(" and ")).toBe(due);
    const minutes = nextCheckAt ? Math.abs(Math.round((nextCheckAt.getTime() - Date.now()) / 60_000)) : null;
    if (asks !== undefined) expect(minutes).toBe(asks);
  });
});
