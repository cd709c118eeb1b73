import type { Guard } from "./guard.js";
import { communityGuards } from "./guards/community.js";
import { learningGuards } from "./guards/learning.js";
import { paymentGuards } from "./guards/payments.js";
import { purchaseGuards } from "./guards/purchases.js";
import { requestGuards } from "./guards/requests.js";
import { sellingGuards } from "./guards/selling.js";
import { transactionGuards } from "./guards/transactions.js";
import { uniqueIndexGuards } from "./guards/unique-indexes.js";
import { userGuards } from "./guards/users.js";

/** Every guard that is taken away in turn. */
export const guards: readonly Guard[] = [
  ...uniqueIndexGuards,
  ...purchaseGuards,
  ...paymentGuards,
  ...transactionGuards,
  ...sellingGuards,
  ...learningGuards,
  ...communityGuards,
  ...requestGuards,
  ...userGuards,
];
