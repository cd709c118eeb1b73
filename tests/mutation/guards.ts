import type { Guard } from "./guard.js";
import { paymentGuards } from "./guards/payments.js";
import { purchaseGuards } from "./guards/purchases.js";
import { uniqueIndexGuards } from "./guards/unique-indexes.js";

/** Every guard that is taken away in turn. */
export const guards: readonly Guard[] = [...uniqueIndexGuards, ...purchaseGuards, ...paymentGuards];
