import { expect, test } from "vitest";
import { emailAddress } from "../../src/lib/email-address.js";

const most = `${"x".repeat(64)}@${"a.".repeat(126)}b`;

test.each([
  ["r&d@x.example", "r&d@x.example"],
  [" A/b+c@X.Example ", "a/b+c@x.example"],
  ["Mu\u0308ller@BU\u0308CHER.example", "m\u00fcller@xn--bcher-kva.example"],
  ["m\u00fcller@xn--bcher-kva.example", "m\u00fcller@xn--bcher-kva.example"],
  ["用户@例え.テスト", "用户@xn--r8jz45g.xn--zckzah"],
  ["\u{10400}".repeat(64).concat("@x.example"), "\u{10428}".repeat(64).concat("@x.example")],
  [most, most],
])("%s is an address, compared as %s", (sent, key) => {
  expect(emailAddress.parse(sent)).toBe(key);
});

test.each([
  ...["", "a", "a@b", "@b.example", "a@", "a@b@c.example", "a b@c.example", '"a"@c.example', "a\u0000@c.example"],
  ...["a\u00a0b@c.example", ".a@c.example", "a.@c.example", "a..b@c.example", `x${most}`, `${most}c`, "a@b..example"],
  ...["a@-b.example", "a@b_c.example", "a@[1.2.3.4]", "a@1.2.3.4", "a@b.example.", "a@b.example/c", "a@%62.example"],
])("%j is no address", (sent) => {
  expect(emailAddress.safeParse(sent).success).toBe(false);
});
