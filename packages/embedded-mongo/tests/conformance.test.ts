import { readFileSync, writeFileSync } from "node:fs";
import { EJSON } from "bson";
import fc from "fast-check";
import { type Document, MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Engine, type Outcome } from "./engine.js";
import { anyCase, ask, type Case, knownDifference } from "./generators/conformance-cases.js";
import { startTestDatabase, type TestDatabase } from "./support.js";

/**
 * Runs generated documents, filters, sorts, projections, expressions, pipelines and updates. With `CROSS_CHECK_URI`
 * that server runs them too (`CROSS_CHECK_RUNS` cases, `CROSS_CHECK_SEED`). Without it the embedded engine answers the
 * cases of `agreed-cases.jsonl`, on which both engines agreed. `RECORD_CASES=1` rewrites that file.
 */
const AGREED = new URL("./agreed-cases.jsonl", import.meta.url);
const otherUri = process.env.CROSS_CHECK_URI;
const runs = Number(process.env.CROSS_CHECK_RUNS ?? 600);
const seed = Number(process.env.CROSS_CHECK_SEED ?? 20_26);

const AT_ONCE = 16;
/** Runs every second agreed case, or all of them with `CAMPAIGN`. */
const STEP = process.env.CAMPAIGN ? 1 : 2;
/** Matches the refusal of a feature that the embedded engine lacks. */
const NOT_SUPPORTED = 115;

let database: TestDatabase;
let embedded: Engine;

beforeAll(async () => {
  database = await startTestDatabase();
  embedded = new Engine(database.client, "conformance");
});

afterAll(() => database.close());

test("the embedded engine answers the agreed cases as agreed", { timeout: 120_000 }, async () => {
  const all = readFileSync(AGREED, "utf8").trim().split("\n");
  const lines = all.filter((_, place) => place % STEP === 0);
  const answer = async (at: number) => {
    const engine = new Engine(database.client, `agreed_${at}`);
    for (const line of lines.filter((_, place) => place % AT_ONCE === at)) {
      const { outcome, ...agreed } = EJSON.parse(line, { relaxed: false }) as Document as Case & { outcome: string };
      expect(JSON.stringify(await ask(engine, agreed)), line).toBe(outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => answer(at)));
  expect(all.length).toBeGreaterThan(1000);
});

describe.runIf(otherUri !== undefined)("beside another server", () => {
  let otherClient: MongoClient;
  let other: Engine;
  const name = `conformance_${process.pid}`;

  beforeAll(async () => {
    otherClient = await new MongoClient(otherUri ?? "").connect();
    other = new Engine(otherClient, name);
  });

  afterAll(async () => {
    await otherClient.db(name).dropDatabase();
    await otherClient.close();
  });

  test("both engines answer generated cases alike, or differ for a reason written down", {
    timeout: 600_000,
  }, async () => {
    const cases = fc.sample(anyCase, { numRuns: runs, seed });
    const agreed: string[] = [];
    const reasons = new Map<string, number>();
    const unexplained: unknown[] = [];
    let refused = 0;
    for (const one of cases) {
      const [mine, theirs] = [await ask(embedded, one), await ask(other, one)];
      if ("code" in mine && mine.code === NOT_SUPPORTED) {
        refused += 1;
        continue;
      }
      const reason = sameOutcome(mine, theirs) ? undefined : knownDifference(one, mine, theirs);
      if (reason !== undefined) {
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      } else if (sameOutcome(mine, theirs)) {
        agreed.push(EJSON.stringify({ ...one, outcome: JSON.stringify(mine) }, { relaxed: false }));
      } else {
        unexplained.push(contrast(one, mine, theirs));
      }
    }
    expect(unexplained).toEqual([]);
    process.stdout.write(
      `${agreed.length} of ${cases.length} cases alike, ${refused} refused (seed ${seed}); ${JSON.stringify([...reasons])}\n`,
    );
    if (process.env.RECORD_CASES === "1") {
      // `$regex` would be parsed as a regular expression.
      writeFileSync(
        AGREED,
        `${agreed.filter((line) => line.length < 1100 && !line.includes('"$regex"')).join("\n")}\n`,
      );
    }
  });

  test("both engines find the same texts by generated patterns", { timeout: 600_000 }, async () => {
    const texts = [...TEXTS, ...LETTERS].map((s, _id) => ({ _id, s }));
    for (const engine of [embedded, other]) await engine.fill(texts);
    let refused = 0;
    const apart: unknown[] = [];
    for (const [parts, $options] of fc.sample(pattern, { numRuns: runs, seed })) {
      const asked = { s: { $regex: parts.join(""), $options } };
      const [mine, theirs] = [await embedded.find(asked), await other.find(asked)];
      if (sameOutcome(mine, theirs)) continue;
      if ("code" in mine && [NOT_SUPPORTED, 51091].includes(mine.code)) refused += 1;
      else apart.push([asked, mine, theirs]);
    }
    expect(apart).toEqual([]);
    expect(refused).toBeLessThan(runs / 3);
  });
});

/** The parts of patterns whose meaning depends on the engine, and texts that tell the meanings apart. */
const PARTS = fc.constantFrom(
  ...`^ $ . \\s \\S \\w \\W \\d \\D \\b \\B a b [\\s] [^\\s] [\\S] [\\w-] [^\\w] [a-z] [^a] \\p{L} \\P{L} \\p{Lu} (?<=a) (?<!a) (?<=\\s)
    (?<=a|bc) (?=b) (?!b) é ß s k σ i \\n \\r \\x41 \\t [\\x00-\\x20] (?:a|b) \\. \\\\ + * ? {2} |`.split(/\s+/),
);
const pattern = fc.tuple(
  fc.array(PARTS, { minLength: 1, maxLength: 4 }),
  fc.constantFrom("", "i", "m", "s", "im", "is", "ms"),
);
const TEXTS = [..."\n\r\t\v\u0085\u00a0\u2028\ufeff ſéß🙂-."].flatMap((one) => [
  one,
  `a${one}b`,
  `b${one}`,
  `${one}a${one}`,
]);
const LETTERS = ["", "a", "abcb", "K", "É", "ẞ", "İ", "ı", "σς", "1", "٣", "a\\b", "_"];

function sameOutcome(a: Outcome, b: Outcome): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Reduces a difference to the documents that only one engine returned. */
function contrast({ documents, question }: Case, mine: Outcome, theirs: Outcome): unknown {
  const only = (a: Outcome, b: Outcome) =>
    "code" in a ? a.code : a.result.filter((one) => !("result" in b && b.result.includes(one)));
  const apart = [only(mine, theirs), only(theirs, mine)];
  return {
    question: EJSON.stringify(question),
    mine: apart[0],
    theirs: apart[1],
    documents: EJSON.stringify(documents),
  };
}
