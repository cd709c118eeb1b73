import { writeFile } from "node:fs/promises";
import { pipelinedReadiness, slowReaders, tinyChunks } from "./attacks/availability.js";
import { exposure } from "./attacks/exposure.js";
import { type Finding, tableOf } from "./attacks/findings.js";
import { busyCatalog, largeCourses, manyLabels, quadraticTexts, searchFlood, unknownKeys } from "./attacks/freezing.js";
import { hostileValues } from "./attacks/hostile-values.js";
import { forge, forgedTokens } from "./attacks/identity.js";
import { largeImports } from "./attacks/imports.js";
import { intrusion } from "./attacks/intrusion.js";
import { largeLists } from "./attacks/large-lists.js";
import { payments } from "./attacks/payments.js";
import { refundsAndDisputes } from "./attacks/refunds.js";
import { startTarget, type Target } from "./attacks/target.js";

/**
 * Attacks a server in production mode: to block it, to fill it, to pay nothing, to act as another user.
 * Prints the results. A process for the server, one for the providers' emulators, one for the database.
 *
 *     npm run build && npx tsx bench/attack.ts [name …]
 *
 * `MONGODB_URI` names another database server; `ATTACK_ROWS` how long lists are (a million by default) and
 * `ATTACK_LISTS` a part of the paths of those that are wanted; `ATTACK_NODE_OPTIONS` what the server's Node is told: with
 * `--max-old-space-size=80 --max-semi-space-size=8` memory grows by what is needed, not by what is not collected yet.
 * `ATTACK_TABLE` a file for the table in Markdown.
 */
const rows = Number(process.env.ATTACK_ROWS ?? 1_000_000);
const attacks: Readonly<Record<string, (target: Target) => Promise<Finding[]>>> = {
  texts: quadraticTexts,
  courses: largeCourses,
  search: searchFlood,
  labels: async (target) => [...(await manyLabels(target, 1_000)), ...(await manyLabels(target, 100_000))],
  catalog: busyCatalog,
  keys: (target) => unknownKeys(target, (kid) => forge(target, { header: { kid } })),
  identity: forgedTokens,
  refunds: refundsAndDisputes,
  payments,
  exposure,
  intrusion,
  values: hostileValues,
  imports: largeImports,
  chunks: tinyChunks,
  pipelined: pipelinedReadiness,
  readers: slowReaders,
  lists: (target) => largeLists(target, rows, process.env.ATTACK_LISTS ?? ""),
};

const wanted = process.argv.slice(2);
const found: Finding[] = [];
for (const [name, attack] of Object.entries(attacks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const target = await startTarget();
  try {
    const findings = await attack(target);
    found.push(...findings);
    process.stdout.write(`\n${name}\n\n${tableOf(findings)}\n`);
  } catch (error) {
    found.push({ attack: name, result: String(error), limit: "an answer", held: false });
    console.error(error);
  } finally {
    await target.close();
  }
}
if (process.env.ATTACK_TABLE) await writeFile(process.env.ATTACK_TABLE, `${tableOf(found)}\n`);
const broken = found.filter(({ held }) => !held);
process.stdout.write(`\n${found.length - broken.length} of ${found.length} held\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
