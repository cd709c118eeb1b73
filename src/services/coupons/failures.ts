import { failure } from "../../lib/errors.js";

/** Nothing in it tells why: unknown, inactive, not yet, expired, used up and not for this course read the same. */
export const CouponNotValid = failure("coupon_not_valid", 404, "Coupon not valid");
export const CouponNotFound = failure("coupon_not_found", 404, "Coupon not found");
export const CouponCodeTaken = failure("coupon_code_taken", 409, "Coupon code already exists");
