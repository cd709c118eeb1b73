import fc from "fast-check";
import { codePoints, showsNothing } from "../../src/lib/fields.js";
import type { QuestionContent } from "../../src/services/questions/kinds/question-kind.js";
import type { KindName } from "../../src/services/questions/question-kinds.js";
import type { SignedIn, TestServer } from "../server/test-server.js";

type Fields = Record<string, unknown>;

/** Characters that mean something in GIFT, in JSON comments and in HTML, and some that are long. */
const marks = [..."=~#{}:\\/%[]&;->\n\r\t \"'$*0123456789", "->", "&&010", "&&092;", "// ", "[tag:x]", "é", "😀", "x"];
const textOf = (maxLength: number, size = 30) =>
  fc
    .array(fc.oneof(fc.constantFrom(...marks), fc.string({ unit: "binary", maxLength: 3 })), { maxLength: size })
    .map((parts) => [...`x${parts.join("")}`].slice(0, maxLength).join(""));
const plainOrMarked = (maxLength: number) =>
  fc
    .oneof(
      textOf(maxLength),
      textOf(maxLength).map((text) => text.slice(1) || "x"),
    )
    .filter((text) => !showsNothing(text) && codePoints(text.normalize()) <= maxLength);

const optionsOf = () =>
  fc.uniqueArray(fc.record({ id: plainOrMarked(32), text: plainOrMarked(200) }), {
    selector: ({ id }) => id.toWellFormed().normalize().replace(/\r\n?/g, "\n").trim(),
    minLength: 2,
    maxLength: 10,
  });
const idOf = ({ id }: { id: string }) => id;
const finite = () => fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), decimal());
const decimal = () => fc.integer({ min: -9_999, max: 9_999 }).map((n) => n / 100);

/** The fields of each kind, as an educator may send them. */
export const kindFields: Record<KindName, () => fc.Arbitrary<Fields>> = {
  single: () =>
    optionsOf().chain((options) =>
      fc.record({ options: fc.constant(options), correct: fc.constantFrom(...options.map(idOf)) }),
    ),
  multiple: () =>
    optionsOf().chain((options) =>
      fc.record({
        options: fc.constant(options),
        correct: fc.shuffledSubarray(options.map(idOf), { minLength: 1 }),
        partial: fc.boolean(),
      }),
    ),
  boolean: () => fc.record({ correct: fc.boolean() }),
  number: () => fc.record({ correct: finite(), tolerance: finite().map(Math.abs) }),
  text: () =>
    fc.record({
      accepted: fc.array(plainOrMarked(60), { minLength: 1, maxLength: 20 }),
      caseSensitive: fc.boolean(),
    }),
  order: () => fc.record({ items: optionsOf() }),
};

/** A question of a kind, as an educator may send it. */
export const questionOf = (kind: KindName): fc.Arbitrary<Fields> =>
  fc
    .record(
      {
        prompt: plainOrMarked(400),
        points: fc.oneof(fc.constant(1), fc.double({ min: 0.25, max: 100, noNaN: true })),
        explanation: textOf(400),
        tags: fc.array(plainOrMarked(20), { maxLength: 10 }),
      },
      { requiredKeys: ["prompt"] },
    )
    .chain((common) => kindFields[kind]().map((fields) => ({ kind, ...common, ...fields })));

/** The same question in the bank of an educator. */
export async function storeQuestion(server: TestServer, { token }: SignedIn, fields: Fields = {}) {
  const question = { kind: "boolean", prompt: "The earth is round.", correct: true, ...fields };
  const { status, body } = await server.post("/api/educator/questions", question, token);
  if (status !== 200) throw new Error(`a question was answered ${status}: ${JSON.stringify(body)}`);
  return body.question as Fields & { _id: string };
}

const idsOf = (question: QuestionContent): string[] =>
  ((question.options ?? question.items ?? []) as { id: string }[]).map(({ id }) => id);

/** The answer that earns all points. */
export function rightAnswer(question: QuestionContent): unknown {
  if (question.kind === "text") return (question.accepted as string[])[0];
  return question.kind === "order" ? idsOf(question) : question.correct;
}

/** Answers of the right type, of which some are right, some in part and some wrong. */
export function answersOf(question: QuestionContent, seed: number): unknown[] {
  const ids = idsOf(question);
  const some = ids.filter((_id, index) => (seed >> index) % 2 === 1);
  switch (question.kind) {
    case "single":
      return ids;
    case "multiple":
    case "order":
      return [ids, ids.toReversed(), some, some.toReversed()];
    case "boolean":
      return [true, false];
    case "number":
      return [seed, Number(question.correct) + Number(question.tolerance), -seed / 3].filter(Number.isFinite);
    default:
      return [rightAnswer(question), String(rightAnswer(question)).toUpperCase(), "wrong"];
  }
}
