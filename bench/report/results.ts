import { readFile, writeFile } from "node:fs/promises";
import type { Surroundings } from "../measure/surroundings.js";
import type { Section } from "../part.js";
import { storePlots } from "./plots.js";
import { tableOf } from "./tables.js";

/** What a part measured when it was run last. */
export interface Result {
  readonly about: string;
  readonly around: Surroundings;
  readonly sections: readonly Section[];
}

/** What was measured on another database server than the embedded one has files of its own. */
const isElsewhere = process.env.MONGODB_URI !== undefined;
const stored = isElsewhere ? "bench/results-other-database.json" : "bench/results.json";
const readable = stored.replace(/json$/, "md");

/**
 * Keeps a part's newest result beside those of the other parts, and writes all of them for readers. Plots are of the
 * embedded database.
 * @param order names of all parts.
 */
export async function storeResult(part: string, result: Result, order: readonly string[]): Promise<void> {
  const known: Record<string, Result> = { ...(await storedResults()), [part]: result };
  const all = Object.fromEntries(order.flatMap((name) => (known[name] ? [[name, known[name]]] : [])));
  await writeFile(stored, `${JSON.stringify(all, null, 1)}\n`);
  await writeFile(readable, pageOf(all));
  if (!isElsewhere) await storePlots(result.sections.flatMap(({ charts = [] }) => charts));
}

async function storedResults(): Promise<Record<string, Result>> {
  const text = await readFile(stored, "utf8").catch(() => "{}");
  return JSON.parse(text);
}

function pageOf(results: Readonly<Record<string, Result>>): string {
  const pages = Object.entries(results).map(([part, { about, around, sections }]) => {
    const { at, loadBefore, machine, versions, commit, beside, rounds } = around;
    const facts = [
      `Part \`${part}\`: ${about}.`,
      `${at}, ${rounds} rounds, commit ${commit}${beside ? `, beside ${beside}` : ""}.`,
      `${machine}; ${versions}. Load average just before: ${loadBefore.toFixed(1)}.`,
    ];
    const tables = sections.map(
      ({ title, note, rows }) => `### ${title}\n\n${note ? `${note}\n\n` : ""}${tableOf(rows)}\n`,
    );
    return `## ${part}\n\n${facts.join("\n")}\n\n${tables.join("\n")}`;
  });
  const head =
    "# Results of the bench\n\nWritten by `npm run bench`; [performance.md](../docs/performance.md) explains them. Compare ratios " +
    "within one table,\nnot times between machines or parts. `this` is the commit that was measured, `beside` the older one next to it.\n";
  return `${head}\n${pages.join("\n")}`;
}
