import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Verdict } from "../../../src/models/payments/payment.js";
import {
  type FailureCause,
  type Purchase,
  type ReviewReason,
  reviewReasons,
} from "../../../src/models/payments/purchase.js";
import { accessOf } from "../../../src/services/enrollments/access.js";
import { isPaidBack } from "../../../src/services/payments/position.js";
import { seeded, timesLonger } from "../../longer-runs.js";
import {
  captured,
  closed,
  disputed,
  endOf,
  erased,
  type Fact,
  type Folded,
  foldFacts,
  foldSales,
  hourMs,
  noted,
  openedPurchase,
  orderMade,
  price,
  refunded,
  refundFailed,
  refundRefused,
  refundRequested,
  type SaleFact,
  settleFacts,
  signed,
  withCoupon,
} from "./fold-facts.js";

/** What one history holds constant. The verdict on a payment is a fact, because it is decided once. */
interface World {
  readonly start: Partial<Purchase>;
  /** Whether another purchase gave the learner the course. */
  readonly isOwned: boolean;
  readonly closing: FailureCause;
  readonly note: ReviewReason;
  readonly payments: Record<"A" | "B", { readonly verdict: Verdict; readonly amount: number }>;
}

/** When the payments were made, in no order of their ids: of two that are paid back, the first made one is named. */
const madeAt = { A: 3, B: 2 };

/**
 * All that may be reported of a payment. Half of a payment is less than the price, because a refund that reaches the price
 * is full until a capture reports more. Another payment that has taken over until then stays.
 */
function factsOf(id: "A" | "B", { verdict, amount: full }: World["payments"]["A"], contradicts: boolean): Fact[] {
  const amount = verdict === "amount_mismatch" ? price / 2 : full;
  const currency = verdict === "currency_mismatch" ? "USD" : "INR";
  // A capture that does not fit contradicts a signature. Then refunds decide by their order, too.
  const isConsistent = verdict === "accepted" || verdict === "late_payment";
  const signature = signed(id, { verdict: verdict === "late_payment" ? verdict : "accepted" });
  return [
    captured(id, { amount, currency, verdict, at: madeAt[id] }),
    ...(isConsistent || contradicts ? [signature] : []),
    refunded(id, amount / 2, `${id} first half`),
    refunded(id, amount / 2, `${id} other half`),
    refunded(id, amount),
    refundFailed(id, `${id} first half`),
    refundFailed(id),
    refundRequested(id),
    refundRefused(id),
    disputed(id, "created"),
    disputed(id, "won"),
    disputed(id, "lost"),
  ];
}

const mismatches = ["amount_mismatch", "currency_mismatch", "order_mismatch"] as const;
const payment = fc.record({
  verdict: fc.constantFrom<Verdict>("accepted", "accepted", "late_payment", ...mismatches),
  amount: fc.constantFrom(price, price * 1.5),
});
const opened = fc.constantFrom({}, withCoupon, { status: "created" as const, providerOrderId: "" });
const world: fc.Arbitrary<World> = fc.record({
  start: opened,
  isOwned: fc.boolean(),
  closing: fc.constantFrom("learner", "review", "price", "payment", "expired"),
  note: fc.constantFrom(...reviewReasons),
  payments: fc.record({ A: payment, B: payment }),
});
const places = fc.array(fc.nat(999), { minLength: 1, maxLength: 12 });

/** Draws from the facts of a world, so that some facts are left out and others are repeated. */
function historyOf({ payments, closing, note }: World, drawn: readonly number[], contradicts = false): Fact[] {
  const ofPayments = [...factsOf("A", payments.A, contradicts), ...factsOf("B", payments.B, contradicts)];
  const proofs = ofPayments.filter(({ proves }) => proves);
  const all = [...ofPayments, ...proofs, closed(closing), noted(note), orderMade];
  return drawn.map((place) => all[place % all.length] as Fact);
}

/** Each fact once: first the proofs, beginning with the payment that was proven first, then the other facts by name. */
function sorted(told: readonly Fact[]): Fact[] {
  const first = told.find(({ proves }) => proves)?.proves;
  const rank = ({ proves }: Fact) => (proves === undefined ? 2 : proves === first ? 0 : 1);
  const once = [...new Map(told.map((fact) => [fact.name, fact])).values()];
  return once.sort((x, y) => rank(x) - rank(y) || (x.name < y.name ? -1 : 1));
}

const fold = (
  { start, isOwned }: Pick<World, "start" | "isOwned">,
  told: readonly Fact[],
  onStep = checkStep,
): Folded => foldFacts(openedPurchase(start), told, { isOwned, onStep });

/** A step leaves nothing to settle, and replaces a payment only when it completes the purchase no longer. */
function checkStep(from: Purchase, to: Folded): void {
  const again = settleFacts(to);
  if (!isDeepStrictEqual(again.purchase, to.purchase)) expect(again.purchase).toEqual(to.purchase);
  const { status, providerPaymentId: id } = from;
  const payment = to.payments.find(({ _id }) => _id === id);
  if (status !== "completed" || !payment || to.purchase.providerPaymentId === id) return;
  expect(payment.verdict !== "accepted" || isPaidBack(to.purchase, payment)).toBe(true);
}

/**
 * Compares what does not depend on the order of facts. Of two accepted payments the first stays, so both orders begin with
 * the same payment.
 */
function expectSameEnd(one: Folded, reference: Folded, told: readonly Fact[]): void {
  const facts = told.map(({ name }) => name);
  const { open, noted, ...end } = endOf(one);
  const { open: _open, noted: _noted, ...expected } = endOf(reference);
  expect({ facts, ...end }).toEqual({ facts, ...expected });
  // An operator's note settles the flags that are open when it is written.
  expect({ facts, open }).toEqual({ facts, open: end.inForce.filter((flag) => !noted.includes(flag)) });
}

test("any order of the same facts, with repeats, gives the same position", () => {
  const check = (of: World, drawn: readonly number[]) => {
    const told = historyOf(of, drawn);
    expectSameEnd(fold(of, told), fold(of, sorted(told)), told);
  };
  fc.assert(fc.property(world, places, check), { numRuns: 1_000 * timesLonger, ...seeded });
});

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((one, i) => permutations(all.toSpliced(i, 1)).map((others) => [one, ...others]));
}

const tooLittle = captured("A", { amount: price / 2, verdict: "amount_mismatch" });
const tooMuch = captured("A", { amount: price * 1.5 });

/** Facts whose orders once gave different positions. */
test.each([
  ["a refunded second sale of a course", [captured("A"), refunded("A")], true],
  ["a take-over in a second sale of a course", [captured("A"), captured("B"), refunded("A")], true],
  ["another signature beside it", [tooLittle, signed("A"), signed("B")], false],
  ["a lost dispute about more money than the price", [tooMuch, disputed("A", "lost"), captured("B")], false],
  ["a refund that failed", [captured("A"), refundFailed("A"), refunded("A", 4_000)], false],
  [
    "two payments that are paid back",
    [captured("A", { at: 2 }), captured("B", { at: 1 }), refunded("A"), refunded("B")],
    false,
  ],
  [
    "more money among them",
    [captured("A", { amount: price * 1.5 }), refunded("A", price * 1.5), captured("B"), refunded("B")],
    false,
  ],
])("every order of %s", (_of, facts, isOwned) => {
  const of = { start: withCoupon, isOwned };
  for (const told of permutations(facts)) expectSameEnd(fold(of, told), fold(of, sorted(told)), told);
});

/** What may be told of two purchases of a course after each was paid. */
const afterwards = (["A", "B"] as const).flatMap((id) =>
  [refunded(id, price / 2, "first half"), refunded(id, price / 2, "other half"), refunded(id), captured(id)]
    .concat(disputed(id, "created"), disputed(id, "lost"), erased)
    .map((fact) => ({ id, fact })),
);
const accessDays = fc.constantFrom(5, 40, null);
const pair = fc.record({ A: accessDays, B: accessDays, grant: fc.constantFrom(undefined, 1, 60, null) });

test("the days of two sales add up while they hold money, in any order of payments, refunds and an erasure", () => {
  const inDays = (from: number, days: readonly (number | null)[]) =>
    days.includes(null) ? null : new Date(from + days.reduce<number>((sum, one) => sum + (one ?? 0), 0) * 24 * hourMs);
  const check = (
    days: Record<"A" | "B", number | null> & { grant: number | null | undefined },
    order: ("A" | "B")[],
    told: typeof afterwards,
  ) => {
    const sales = order.flatMap((id, at) => {
      const facts = [captured(id), ...told.filter((one) => one.id === id).map(({ fact }) => fact)];
      const { purchase } = foldFacts(openedPurchase(), facts);
      const terms = { ...purchase.terms, accessDays: days[id] };
      return purchase.status === "completed" ? [{ ...purchase, terms, completedAt: new Date(at) }] : [];
    });
    const grants = days.grant === undefined ? [] : [{ expiresAt: inDays(0, [days.grant]) }];
    const access = accessOf(sales.toReversed(), grants, new Date(2));

    const holdsMoney = (id: "A" | "B") => {
      const names = new Set(told.filter((one) => one.id === id).map(({ fact }) => fact.name));
      const has = (part: string) => [...names].some((name) => name.includes(part));
      return !(has("refund of") || has("lost") || (has("first half") && has("other half")));
    };
    const held = order.filter(holdsMoney);
    const bought = inDays(
      order.indexOf(held[0] ?? "A"),
      held.map((id) => days[id]),
    );
    const ends = [...(held.length > 0 ? [bought] : []), ...grants.map(({ expiresAt }) => expiresAt)];
    const last = ends.includes(null) || ends.length === 0 ? null : new Date(Math.max(...ends.map(Number)));
    expect({ active: access.active, end: access.expiresAt }).toEqual({ active: ends.length > 0, end: last });
    expect(access.boughtUntil).toEqual(held.length > 0 ? bought : null);
  };
  const orders = fc.shuffledSubarray<"A" | "B">(["A", "B"], { minLength: 2 });
  const drawn = fc.array(fc.constantFrom(...afterwards), { maxLength: 6 });
  fc.assert(fc.property(pair, orders, drawn, check), { numRuns: 500 * timesLonger, ...seeded });
});

const twoSales = () => [2, 1].map((hours) => openedPurchase({ createdAt: new Date(Date.now() - hours * 3_600_000) }));
const endsOf = (told: readonly SaleFact[]) => foldSales(twoSales(), told).map(endOf);
const [first, second]: [SaleFact, SaleFact] = [
  [0, captured("A")],
  [1, captured("B")],
];

/** Facts about two purchases of one course, and the flags of each. */
test.each<[string, SaleFact[], string[][]]>([
  ["both are paid", [first, second], [[], ["duplicate_charge: B"]]],
  ["the first is paid back", [first, second, [0, refunded("A")]], [[], []]],
  ["the second is paid back", [first, second, [1, refunded("B")]], [[], []]],
  [
    "a part is paid back",
    [first, second, [0, refunded("A", 1, "r")]],
    [["partial_refund: r"], ["duplicate_charge: B"]],
  ],
  [
    "another payment takes over in the first",
    [first, second, [0, refunded("A")], [0, captured("C")]],
    [[], ["duplicate_charge: B"]],
  ],
])("every order of two sales of a course: %s", (_of, told, flags) => {
  for (const order of permutations(told)) expect(endsOf(order).map(({ open }) => open)).toEqual(flags);
});

test("any order of facts about two sales of a course, with repeats, gives the same flags", () => {
  const check = (of: World, drawn: readonly (readonly [number, number])[], mixed: readonly number[]) => {
    const all = (["A", "B"] as const).map((id) => factsOf(id, of.payments[id], false));
    const told = drawn.map(([sale, place]): SaleFact => {
      const own = all[sale] ?? [];
      return [sale, own[place % own.length] as Fact];
    });
    const other = told.toSorted((x, y) => (mixed[told.indexOf(x)] ?? 0) - (mixed[told.indexOf(y)] ?? 0));
    const shown = (order: readonly SaleFact[]) =>
      endsOf(order).map(({ status, inForce, open }) => ({ status, inForce, open }));
    expect(shown(other)).toEqual(shown(told));
  };
  const draw = fc.array(fc.tuple(fc.nat(1), fc.nat(99)), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(world, draw, places, check), { numRuns: 1_000 * timesLonger, ...seeded });
});

describe("docs/purchase-states.md", () => {
  const page = readFileSync("docs/purchase-states.md", "utf8");

  test("shows every move from state to state, and no other", () => {
    const moves = new Set<string>();
    const add = ({ status: from, providerPaymentId }: Purchase, { purchase }: Folded) => {
      const isReplaced = from === "completed" && purchase.providerPaymentId !== providerPaymentId;
      if (from !== purchase.status || isReplaced) moves.add(`${from} --> ${purchase.status}`);
    };
    const walk = (of: World, drawn: readonly number[]) => void fold(of, historyOf(of, drawn, true), add);
    fc.assert(fc.property(world, places, walk), { numRuns: 4_000, ...seeded });
    const [, diagram = ""] = /```mermaid\n([\s\S]*?)```/.exec(page) ?? [];
    const shown = [...diagram.matchAll(/^ +(\S+ --> \w+): \S/gm)].map(([, move]) => move);
    const openings = ["[*] --> created", "[*] --> completed"];
    expect(shown.toSorted()).toEqual([...openings, ...moves].sort());
  });

  test("lists every flag", () => {
    const listed = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason);
    expect(listed.toSorted()).toEqual([...reviewReasons].sort());
  });
});
