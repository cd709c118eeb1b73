import type { Guard } from "../guard.js";
import { purchaseGuards } from "./purchases.js";
import { uniqueIndexGuards } from "./unique-indexes.js";
import { userGuards } from "./users.js";

/** A guard whose absence a history of concurrent requests shows as well. */
function inHistory(guards: readonly Guard[], id: string, history: string): Guard {
  const guard = guards.find((one) => one.id === id);
  if (!guard) throw new Error(`no guard ${id}`);
  const { only: _, ...taken } = guard;
  return { ...taken, id: `history-${id}`, tests: [`linearizability/${history}.test.ts`] };
}

export const historyGuards: readonly Guard[] = [
  inHistory(uniqueIndexGuards, "unique-purchase-slot", "purchases"),
  inHistory(purchaseGuards, "already-purchased", "purchases"),
  inHistory(userGuards, "application-decided-once", "roles"),
];
