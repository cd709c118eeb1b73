import { type Guard, kinds } from "./guard.js";
import type { Outcome } from "./run-guard.js";

/** The table of guards, with what became of each when it was taken away. */
export function documentOf(guards: readonly Guard[], outcomes: ReadonlyMap<string, Outcome>): string {
  const tallies = kinds.map((kind) => {
    const own = guards.filter((guard) => guard.kind === kind);
    const count = (result?: Outcome["result"]) => own.filter(({ id }) => outcomes.get(id)?.result === result).length;
    const missed = count("survived") + count("unclear");
    return `| ${kind} | ${own.length} | ${count("killed")} | ${missed} | ${count()} |`;
  });
  const dates = guards.flatMap(({ id }) => outcomes.get(id)?.at.slice(0, 10) ?? []).sort();
  const newest = dates.at(-1) ?? "never";
  const sections = kinds.map((kind) => {
    const rows = guards.filter((guard) => guard.kind === kind).map((guard) => rowOf(guard, outcomes.get(guard.id)));
    return [`## ${title(kind)}`, "", "| Guard | What holds | Noticed by |", "| --- | --- | --- |", ...rows, ""].join(
      "\n",
    );
  });
  return [
    introduction,
    `Newest outcomes of ${newest}:`,
    "",
    "| Kind | Guards | Noticed | Missed | Not run |",
    "| --- | --- | --- | --- | --- |",
    ...tallies,
    "",
    ...sections,
  ].join("\n");
}

const introduction = "";
const title = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);

function rowOf({ id, about }: Guard, outcome: Outcome | undefined): string {
  const by = outcome ? `${outcome.result === "killed" ? "" : `**${outcome.result}**: `}${outcome.by}` : "not run";
  return `| \`${id}\` | ${about} | ${by.replaceAll("|", "\\|")} |`;
}
