import { randomInt } from "node:crypto";
import { failure } from "../../http/errors.js";

/** Nothing in it tells why: unknown, inactive, not yet, expired, used up and not for this course read the same. */
export const CouponNotValid = failure("coupon_not_valid", 404, "Coupon not valid");

/** A code as it is stored and compared: without spaces around it, in capital letters. */
export const normalCode = (given: string): string => given.trim().toUpperCase();

/** Without characters that are read as one another: 0 and O, 1 and I. */
const characters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const codeLength = 10;

/** A code that cannot be guessed: one of 2^50. */
export const randomCode = (): string =>
  Array.from({ length: codeLength }, () => characters[randomInt(characters.length)]).join("");
