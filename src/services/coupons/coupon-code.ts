import { randomInt } from "node:crypto";

/** A code as it is stored and compared: without spaces around it, in capital letters. */
export const normalCode = (given: string): string => given.trim().toUpperCase();

/** Without characters that are read as one another: 0 and O, 1 and I. */
const characters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const codeLength = 10;

/** A code that cannot be guessed: one of 2^50. */
export const randomCode = (): string =>
  Array.from({ length: codeLength }, () => characters[randomInt(characters.length)]).join("");
