import { expect, test } from "vitest";
import { type AccessSale, accessOf, boughtAccess, isRenewable } from "../../src/services/enrollments/access.js";

const day = (n: number): Date => new Date(Date.UTC(2026, 0, 1 + n));
type Sold = [completed: number, days: number | null, amount?: number];
const saleOf = ([completed, accessDays, amount = 10]: Sold): AccessSale => ({
  amount,
  completedAt: day(completed),
  createdAt: day(completed - 1),
  terms: { courseTitle: "Course", coursePrice: 10, discount: 0, accessDays },
});

/** Ends as numbers of days; null: never. Now is day 50. */
test.each<[string, Sold[], (number | null)[], { active: boolean; end: number | null; kind: string | undefined }]>([
  ["nothing", [], [], { active: false, end: null, kind: undefined }],
  ["one sale", [[30, 40]], [], { active: true, end: 70, kind: "purchase" }],
  ["one that was free", [[30, 40, 0]], [], { active: true, end: 70, kind: "free" }],
  ["one that ends now", [[10, 40]], [], { active: false, end: 50, kind: undefined }],
  [
    "a renewal, told first",
    [
      [30, 40],
      [0, 40],
    ],
    [],
    { active: true, end: 80, kind: "purchase" },
  ],
  [
    "two of one moment",
    [
      [20, 20],
      [20, 15],
    ],
    [],
    { active: true, end: 55, kind: "purchase" },
  ],
  [
    "a sale at the end of another",
    [
      [0, 40],
      [40, 20],
    ],
    [],
    { active: true, end: 60, kind: "purchase" },
  ],
  [
    "a free one after a paid one has ended",
    [
      [0, 20],
      [30, 40, 0],
    ],
    [],
    { active: true, end: 70, kind: "free" },
  ],
  [
    "a free one beside a paid one",
    [
      [40, 20, 0],
      [45, 10],
    ],
    [],
    { active: true, end: 70, kind: "purchase" },
  ],
  [
    "a sale for good among others",
    [
      [0, 60],
      [10, null],
      [20, 5],
    ],
    [],
    { active: true, end: null, kind: "purchase" },
  ],
  ["a grant beside a sale, not behind it", [[30, 40]], [60], { active: true, end: 70, kind: "purchase" }],
  ["a grant that lasts longer", [[30, 40]], [90], { active: true, end: 90, kind: "purchase" }],
  ["a grant that outlives a sale", [[0, 40]], [60, 45], { active: true, end: 60, kind: "grant" }],
  ["a grant for good", [[30, 40]], [null], { active: true, end: null, kind: "purchase" }],
])("the access by %s", (_, sold, grants, { active, end, kind }) => {
  const given = grants.map((until) => ({ expiresAt: until === null ? null : day(until) }));
  const access = accessOf(sold.map(saleOf), given, day(50));
  expect(access).toMatchObject({ active, kind, expiresAt: end === null ? null : day(end) });
  expect(access).toMatchObject({ purchases: sold.length, grants: grants.length });
});

test.each<[string, Sold[], number | undefined]>([
  [
    "the earliest of those that follow each other",
    [
      [30, 40],
      [0, 40],
    ],
    -1,
  ],
  [
    "that of the second when the first had ended",
    [
      [0, 20],
      [30, 40],
    ],
    29,
  ],
  [
    "none when all have ended",
    [
      [0, 20],
      [30, 10],
    ],
    undefined,
  ],
])("the date of purchase is %s", (_, sold, expected) => {
  const { purchasedAt } = accessOf(sold.map(saleOf), [], day(50));
  expect(purchasedAt).toEqual(expected === undefined ? undefined : day(expected));
});

test.each<[Sold[], boolean, number]>([
  [[[0, 80]], true, 0],
  [[[0, 81]], false, 0],
  [[[0, null]], false, 0],
  [[[0, 30]], true, 0],
  [
    [
      [0, 40],
      [30, 40],
    ],
    true,
    40,
  ],
])("what was bought as %j may be bought again: %s; its newest days begin on day %i", (sold, expected, since) => {
  const bought = boughtAccess(sold.map(saleOf));
  expect(bought && { isRenewable: isRenewable(bought, day(50)), since: bought.since }).toEqual({
    isRenewable: expected,
    since: day(since),
  });
});
