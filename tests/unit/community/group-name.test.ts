import { expect, test } from "vitest";
import { nameKey, slugOf } from "../../../src/lib/slug.js";

test("slugs and name keys follow the rule for names", () => {
  expect(slugOf("  --C++ & C#/Go!!  ", "group")).toBe("c-c-go");
  expect(slugOf("Café Olé 24", "group")).toBe("caf-ol-24");
  expect(slugOf("a", "group")).toBe("a");
  expect(slugOf("🎮", "group")).toMatch(/^group-[0-9a-f]{12}$/);
  expect(nameKey("Cafe\u0301  OLE")).toBe(nameKey("café ole"));
});
