import { failure } from "../../http/errors.js";

export const PurchaseNotFound = failure("purchase_not_found", 404, "Purchase not found");
