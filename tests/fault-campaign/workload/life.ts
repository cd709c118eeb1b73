import fc from "fast-check";

/** Ways to buy a course. */
const checkouts = [
  "verified",
  "by webhook",
  "both at once",
  "failed first",
  "paid twice",
  "paid silently",
  "abandoned",
  "opened three times at once",
] as const;
export type Checkout = (typeof checkouts)[number];

export type Step =
  | { readonly do: "buy"; readonly course: number; readonly checkout: Checkout; readonly coupon: boolean }
  | { readonly do: "take for free" }
  | { readonly do: "learn"; readonly lectures: number }
  | { readonly do: "finish" }
  | { readonly do: "track"; readonly seconds: number }
  | { readonly do: "rate"; readonly rating: number }
  | { readonly do: "post" | "reply" | "quiz" | "chat" | "join" | "apply" | "be granted" | "be granted by address" }
  | { readonly do: "vote"; readonly times: number }
  | { readonly do: "refund"; readonly by: "administrator" | "dashboard" | "two administrators" }
  | { readonly do: "erase" };

/** The steps of one learner. */
export interface Life {
  readonly steps: readonly Step[];
  /** Index of the learner's first server. */
  readonly turn: number;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("buy" as const),
      course: fc.nat(3),
      checkout: fc.constantFrom(...checkouts),
      coupon: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "take for free" } as const) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("learn" as const), lectures: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.constant({ do: "finish" } as const) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("track" as const), seconds: fc.integer({ min: 1, max: 300 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rate" as const), rating: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...([
          "post",
          "reply",
          "reply",
          "quiz",
          "chat",
          "join",
          "apply",
          "be granted",
          "be granted by address",
        ] as const),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("vote" as const), times: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("refund" as const),
      by: fc.constantFrom("administrator" as const, "dashboard" as const, "two administrators" as const),
    }),
  },
);

const life: fc.Arbitrary<Life> = fc
  .record({
    first: fc.record({
      do: fc.constant("buy" as const),
      course: fc.nat(3),
      checkout: fc.constantFrom(...checkouts),
      coupon: fc.boolean(),
    }),
    others: fc.array(step, { minLength: 3, maxLength: 9 }),
    erases: fc.nat(9).map((n) => n === 0),
    turn: fc.nat(1),
  })
  .map(({ first, others, erases, turn }) => ({
    steps: [first, ...others, ...(erases ? [{ do: "erase" } as const] : [])],
    turn,
  }));

/** Generates the learners of a seed. Equal seeds give equal learners. */
export const livesOf = (seed: number, count: number): Life[] => fc.sample(fc.noBias(life), { seed, numRuns: count });
