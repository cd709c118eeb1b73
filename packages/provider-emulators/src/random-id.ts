import { randomInt } from "node:crypto";

const alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** Builds an id as the providers do: `prefix` and `length` random letters and digits. */
export function randomId(prefix: string, length: number): string {
  return prefix + pick(alphanumerics, length);
}

export function randomDigits(length: number): string {
  return pick(digits, length);
}
