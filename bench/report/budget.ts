import { readFile, writeFile } from "node:fs/promises";
import type { RouteCost } from "../../tests/assertions/route-costs.js";

/** What may not get worse: figures that are the same on every machine and in every run. */
export interface Budget {
  readonly commands: number;
  /** Keys of indexes and documents that the database examined. */
  readonly keys: number;
  readonly documents: number;
  /** Of the answer. */
  readonly bytes: number;
}

/** Others of everything beside which the budget is measured. */
export const budgetSize = 300;
const file = "bench/budget.json";
/** Answers that describe the server grow with what it can do. */
const descriptions = new Set(["GET /metrics", "GET /api/openapi.json", "GET /api/openapi-webhooks.json"]);

/** How much a figure may exceed its budget by chance. */
function tolerance(route: string, kind: keyof Budget, budget: number): number {
  // The metrics count the rows that wait for jobs, which are more on a busy machine.
  if (kind !== "bytes") return route === "GET /metrics" && kind !== "commands" ? 0.3 * budget : 0;
  if (descriptions.has(route)) return Number.POSITIVE_INFINITY;
  // Ids and times differ in length from run to run. In a PDF they also decide which letters of its fonts it holds.
  return 64 + (/\/(invoice|credit-note|certificate)/.test(route) ? 0.1 : 0.02) * budget;
}

export const storedBudget = async (): Promise<Record<string, Budget>> => JSON.parse(await readFile(file, "utf8"));

/** These send a command for each collection that holds a user's rows. */
const perCollection = new Set(["GET /api/user/export", "DELETE /api/user/data"]);

/** Adds the budgets of new routes and collections, and removes those of routes that are gone. @returns all budgets. */
export async function addBudgets(costs: Readonly<Record<string, RouteCost>>): Promise<Record<string, Budget>> {
  const stored = await storedBudget();
  const budgets = Object.entries(costs).map(([route, cost]) => {
    const kept = stored[route];
    const hasNewCollection = perCollection.has(route) && kept?.commands !== cost.commands.length;
    return [route, kept && !hasNewCollection ? kept : budgetOf(cost)] as const;
  });
  await write(Object.fromEntries(budgets));
  return storedBudget();
}

/** Writes the budgets in the order of the stored file, and new routes after them. */
async function write(budgets: Readonly<Record<string, Budget>>): Promise<void> {
  const routes = new Set([...Object.keys(await storedBudget()), ...Object.keys(budgets)]);
  const lines = [...routes].flatMap((route) => {
    const budget = budgets[route];
    return budget ? [`  ${JSON.stringify(route)}: ${figuresOf(budget)}`] : [];
  });
  await writeFile(file, `{\n${lines.join(",\n")}\n}\n`);
}

/** As the formatter leaves it. */
const figuresOf = (budget: Budget): string =>
  `{ ${Object.entries(budget)
    .map(([kind, figure]) => `"${kind}": ${figure}`)
    .join(", ")} }`;

const budgetOf = ({ commands, keys, documents, bytes }: RouteCost): Budget => ({
  ...{ commands: commands.length, keys, documents, bytes },
});

/** Lines that say which figures of which routes are worse than the budget, or have none. */
export function beyondBudget(
  costs: Readonly<Record<string, RouteCost>>,
  budgets: Readonly<Record<string, Budget>>,
): string[] {
  return Object.entries(costs).flatMap(([route, cost]) => {
    const budget = budgets[route];
    if (!budget) return [`${route} has no budget`];
    const found = budgetOf(cost);
    const kinds = Object.keys(budget) as (keyof Budget)[];
    const over = kinds.filter((kind) => found[kind] > budget[kind] + tolerance(route, kind, budget[kind]));
    return over.map((kind) => `${route}: ${kind} ${found[kind]}, budget ${budget[kind]}`);
  });
}
