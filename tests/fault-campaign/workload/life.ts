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

const to = <K extends string, F extends object>(what: K, drawn: { [N in keyof F]: fc.Arbitrary<F[N]> }) =>
  fc.record({ do: fc.constant(what), ...drawn }) as unknown as fc.Arbitrary<{ do: K } & F>;
const buying = to("buy", { course: fc.nat(4), checkout: fc.constantFrom(...checkouts), coupon: fc.boolean() });
const plain = [
  "post",
  "reply",
  "reply",
  "quiz",
  "chat",
  "join",
  "apply",
  "be granted",
  "be granted by address",
] as const;

const step = fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
  { weight: 8, arbitrary: buying },
  { weight: 1, arbitrary: fc.constant({ do: "take for free" }) },
  { weight: 4, arbitrary: to("learn", { lectures: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.constant({ do: "finish" }) },
  { weight: 3, arbitrary: to("track", { seconds: fc.integer({ min: 1, max: 300 }) }) },
  { weight: 2, arbitrary: to("rate", { rating: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constantFrom(...plain) }) },
  { weight: 3, arbitrary: to("vote", { times: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 4, arbitrary: to("refund", { by: fc.constantFrom("administrator", "dashboard", "two administrators") }) },
);

const life: fc.Arbitrary<Life> = fc
  .record({
    first: buying,
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
