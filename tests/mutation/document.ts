import { type Guard, kinds } from "./guard.js";
import type { Outcome } from "./run-guard.js";

/** The table of guards, with the outcome of each. */
export function documentOf(guards: readonly Guard[], outcomes: ReadonlyMap<string, Outcome>): string {
  const tallies = kinds.map((kind) => {
    const own = guards.filter((guard) => guard.kind === kind);
    const count = (result?: Outcome["result"]) => own.filter(({ id }) => outcomes.get(id)?.result === result).length;
    const unnoticed = count("survived") + count("unclear");
    return `| ${kind} | ${own.length} | ${count("killed")} | ${unnoticed} | ${count()} |`;
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
    "| Kind | Guards | Noticed | Unnoticed | Not run |",
    "| --- | --- | --- | --- | --- |",
    ...tallies,
    "",
    ...sections,
  ].join("\n");
}

const introduction = `# Guards taken away

\`npm run mutate\` takes each guard of the server away in turn (an index is no longer unique, an update no longer names the
state that it may leave, a write is outside its transaction, a signature is not looked at), in a copy of the tree, and
runs the few tests that should fail then. Where none does, a test is missing.

| Command                                  | What it does                                                           |
| ---------------------------------------- | ---------------------------------------------------------------------- |
| \`npm run mutate\`                         | every guard that has no outcome yet; one that was stopped goes on      |
| \`npm run mutate -- --again\`              | every guard                                                            |
| \`npm run mutate -- --only id,id\`         | some of them                                                           |
| \`npm run mutate -- --file payments\`      | those of source files whose path holds the text                        |
| \`npm run mutate -- --shard 1/4 --most 10\` | a part of them, no more than ten                                       |
| \`npm run mutate -- --together\`         | guards of different features at once, which takes a fifth of the time |
| \`npm run mutate -- --stryker\`            | Stryker on modules without a server (see below)                        |
| \`npm run mutate -- --document\`           | runs nothing; writes this page from the newest outcomes                |

With \`MONGODB_URI\` the tests run on that server. The command ends with 1 when no test has noticed that a guard was gone.

- The guards are a table, [tests/mutation/guards](../tests/mutation/guards): what holds, the text of the source that makes it
  hold, what takes its place, and the tests. A test checks that each text still occurs once, so a change of a guard
  leads to its row.
- "Noticed by" names the first test that failed. An outcome is not that of the whole suite: only the tests that a row names
  were run. With \`--together\` each guard is judged by its own tests alone, and one that they let pass is run once more by
  itself.
- On the embedded database two requests seldom meet between a look and a write, so that a race without its unique index may
  end well there. Unique indexes are therefore tested in the database itself too; on a mongod the races notice as well.

A whole-tree run of a general tool such as Stryker is out of reach: a mutant costs the tests of a real server on a real
database, seconds each, and there are tens of thousands of mutants. It fits modules without a server:
\`npm run mutate -- --stryker\` runs it on prices, coupons, series of invoices and the states of a purchase.
Of their mutants the unit tests notice all but one that changes nothing (a default that no text needs).

## What is not in the table

Some conditions make nothing different while the others hold, so that no test can notice that they are gone:

- A state that an update names although its transaction has read it, as \`status: "completed"\` in \`setPurchaseRefunded\`: what
  changes in between makes the transaction start again.
- The state in \`setNextAttempt\`: when an event that was applied meanwhile is tried again is read by nothing.
- That a repeated signature header is refused: Node makes one text of both, which is no signature.
- The repetition of a transaction after a duplicate key: the databases that the tests run on report that meeting as a write
  conflict, after which the driver repeats by itself.
- That a body of the identity provider is refused when it is no UTF-8: what it is read as is not what was signed, or is the
  very text that was.
- The mutex of a transaction: it saves repetitions, and correctness does not depend on it.
- The comparison of two digests in constant time: only a clock could tell.
`;
const title = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);

function rowOf({ id, about }: Guard, outcome: Outcome | undefined): string {
  const by = outcome ? `${outcome.result === "killed" ? "" : `**${outcome.result}**: `}${outcome.by}` : "not run";
  return `| \`${id}\` | ${about} | ${by.replaceAll("|", "\\|")} |`;
}
