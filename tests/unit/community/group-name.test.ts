import { expect, test } from "vitest";
import { groupNameKey, groupSlug } from "../../../src/services/community/groups.js";

test("slugs and name keys follow the rule for names", () => {
  expect(groupSlug("  --C++ & C#/Go!!  ")).toBe("c-c-go");
  expect(groupSlug("Café Olé 24")).toBe("caf-ol-24");
  expect(groupSlug("a")).toBe("a");
  expect(groupSlug("🎮")).toMatch(/^group-[0-9a-f]{12}$/);
  expect(groupNameKey("Cafe\u0301  OLE")).toBe(groupNameKey("café ole"));
});
