import { describe, expect, test } from "vitest";
import { dictionary, list, text } from "../../src/lib/fields.js";

describe("a text", () => {
  test.each([
    ["is brought to NFC before its length counts", text(1, 4), "Cafe\u0301", "Café"],
    ["of four decomposed characters each is as long as composed", text(1, 2), "\u1f82\u1f82".normalize("NFD"), "ᾂᾂ"],
    ["counts code points", text(1, 2), "👩👩", "👩👩"],
    ["keeps format characters beside others", text(1, 9), "a\u200db", "a\u200db"],
    ["without lone surrogates stays as it is, with them it is mended", text(1, 9), "a\ud800", "a\ufffd"],
    ["may show nothing where it may be empty", text(0, 5), "\u200b".repeat(9), ""],
  ])("%s", (_title, schema, sent, read) => {
    expect(schema.parse(sent)).toBe(read);
  });

  test.each([
    ...[
      " \n\t",
      "\u200b",
      "\u3164",
      "\u2800",
      "\ufeff",
      "\u{e0041}",
      "\ufe0f",
      "\u00ad\u2060",
      "\u115f\u1160",
      "\uffa0",
    ],
  ])("that shows nothing is empty: %j", (sent) => {
    expect(text(1, 9).safeParse(sent).success).toBe(false);
  });

  test("is measured as it was sent, and refused for more than 30 combining marks in a row", () => {
    const schema = text(0, 200);
    expect([800, 801].map((length) => schema.safeParse(" ".repeat(length)).success)).toEqual([true, false]);
    const marks = [30, 31].flatMap((count) => ["", "a", " "].map((before) => `${before}${"\u0315".repeat(count)}`));
    expect(marks.map((sent) => schema.safeParse(sent).success)).toEqual([true, true, true, false, false, false]);
    expect(schema.safeParse("\uff9e".repeat(31)).success).toBe(false);
  });

  test("that is too long is refused, in any form", () => {
    for (const sent of ["abc", "👩👩👩", "e\u0301".repeat(3), "x".repeat(100)])
      expect([sent, text(1, 2).safeParse(sent).success]).toEqual([sent, false]);
  });
});

test("a list and a dictionary have a minimum, a maximum and items of their type", () => {
  const isGood = (value: unknown) => list(text(1, 1), 2, 1).safeParse(value).success;
  expect([["a"], ["a", "b"], [], ["a", "b", "c"], ["aa"], "a", undefined].map(isGood)).toEqual([
    ...[true, true, false, false, false, false, false],
  ]);
  const holds = (value: unknown) => dictionary(text(1, 1), 1).safeParse(value).success;
  expect([{}, { a: "a" }, { a: "aa" }, { a: "a", b: "b" }, [], null].map(holds)).toEqual([
    ...[true, true, false, false, false, false],
  ]);
});
