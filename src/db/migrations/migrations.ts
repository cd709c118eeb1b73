import { fillPurchaseCounts } from "./fill-purchase-counts.js";
import type { MigrationPlan } from "./migration-plan.js";

/** All of them, in the order in which they run. */
export const migrations: readonly MigrationPlan[] = [fillPurchaseCounts];
