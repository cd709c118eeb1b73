import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addRedemptions } from "../../models/payments/coupon.js";
import { couponUseOf, type Purchase } from "../../models/payments/purchase.js";
import { canRedeem, findSiblingUse } from "./coupon-use.js";

interface Redemption {
  /** Key of the redemption that the purchase holds from now on. */
  readonly couponUse?: string | undefined;
  /** The other purchase that gave its redemption. It has to be closed. */
  readonly giver?: Purchase;
}

/**
 * Brings the numbers of a coupon to what its purchase does with it. A purchase that completes without a reservation takes
 * that of the learner's other unpaid purchase of the course. If no redemption is left, it completes without one, so that the
 * limits of the coupon hold.
 * @param isRedeemed whether the purchase had redeemed it before. @param isKept whether it may keep a redemption.
 */
export async function moveRedemption(
  db: Db,
  session: ClientSession,
  before: Purchase,
  { isRedeemed, isKept, wanted }: { isRedeemed: boolean; isKept: boolean; wanted: "none" | "reserved" | "redeemed" },
): Promise<Redemption> {
  const { coupon, couponUse: held } = before;
  if (!coupon) return {};
  const add = (by: Parameters<typeof addRedemptions>[2]) => addRedemptions(db, coupon.couponId, by, session);
  if (wanted === "redeemed" && !isRedeemed) {
    if (held !== undefined) {
      await add({ reserved: -1, redeemed: 1 });
      return { couponUse: held };
    }
    const giver = await findSiblingUse(db, session, before);
    if (!giver && !(await canRedeem(db, session, before))) return {};
    await add({ redeemed: 1 });
    return { couponUse: couponUseOf(before.userId, coupon.code), ...(giver && { giver }) };
  }
  if (held === undefined || (wanted !== "none" && isKept)) return { couponUse: held };
  await add(isRedeemed ? { redeemed: -1 } : { reserved: -1 });
  return {};
}
