import { randomInt } from "node:crypto";

const alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** `prefix` followed by `length` random letters and digits, the way the providers name their things. */
export function randomId(prefix: string, length: number): string {
  return prefix + pick(alphanumerics, length);
}

export function randomDigits(length: number): string {
  return pick(digits, length);
}
