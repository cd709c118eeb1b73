import { type PurchaseState, purchaseStates } from "../../../models/payments/purchase.js";

/** What `?status=` asks for; undefined for a status that no purchase can have. */
export function purchaseFilter(status = "all"): { status?: PurchaseState } | undefined {
  if (status === "all") return {};
  const known = purchaseStates.find((state) => state === status);
  return known && { status: known };
}
