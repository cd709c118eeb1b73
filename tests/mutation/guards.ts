import type { Guard } from "./guard.js";
import { accessGuards } from "./guards/access.js";
import { communityGuards } from "./guards/community.js";
import { couponGuards } from "./guards/coupons.js";
import { courseGuards } from "./guards/courses.js";
import { grantGuards } from "./guards/grants.js";
import { historyGuards } from "./guards/histories.js";
import { importGuards } from "./guards/imports-and-invoices.js";
import { learningGuards } from "./guards/learning.js";
import { limitGuards } from "./guards/limits.js";
import { operationGuards } from "./guards/operation.js";
import { paymentGuards } from "./guards/payments.js";
import { purchaseGuards } from "./guards/purchases.js";
import { quizGuards } from "./guards/quizzes.js";
import { refundGuards } from "./guards/refunds.js";
import { replyGuards } from "./guards/replies.js";
import { sellingGuards } from "./guards/selling.js";
import { transactionGuards } from "./guards/transactions.js";
import { tutorGuards } from "./guards/tutor.js";
import { uniqueIndexGuards } from "./guards/unique-indexes.js";
import { userGuards } from "./guards/users.js";

/** Every guard that is taken away in turn, the dearest first. */
export const guards: readonly Guard[] = [
  ...uniqueIndexGuards,
  ...purchaseGuards,
  ...paymentGuards,
  ...refundGuards,
  ...transactionGuards,
  ...accessGuards,
  ...userGuards,
  ...couponGuards,
  ...grantGuards,
  ...importGuards,
  ...sellingGuards,
  ...learningGuards,
  ...quizGuards,
  ...communityGuards,
  ...courseGuards,
  ...limitGuards,
  ...replyGuards,
  ...tutorGuards,
  ...operationGuards,
  ...historyGuards,
];
