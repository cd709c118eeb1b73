import { setTimeout as sleep } from "node:timers/promises";
import { type Finding, same, within } from "./findings.js";
import { addCourses } from "./freezing.js";
import type { Target } from "./target.js";
import { growth, timed } from "./watch.js";

/** Tables of grants, the last as long as is taken: what they cost in time and memory. */
export async function largeImports(target: Target): Promise<Finding[]> {
  const [educator, admin] = [await target.user("educator"), await target.user("admin")];
  const [courseId] = await addCourses(target, [{ educatorId: educator.id }]);
  const findings: Finding[] = [];
  for (const rows of [500, 5_000, 20_000]) {
    let done: Awaited<ReturnType<typeof importTable>> | undefined;
    let seconds = 0;
    const more = await growth(target, async () => {
      const ms = await timed(async () => {
        done = await importTable(target, admin.token, rows, courseId);
      });
      seconds = ms / 1_000;
    });
    const named = `${rows.toLocaleString("en")} rows`;
    process.stderr.write(`${named}: +${more.toFixed(0)} MB, ${seconds.toFixed(1)} s\n`);
    findings.push(within(`an import of ${named}: memory`, more, 50, "MiB", `${seconds.toFixed(1)} s`));
    findings.push(same(`an import of ${named}: rows that wait, and failed`, [done?.waiting, done?.failed], [rows, 0]));
  }
  return findings;
}

async function importTable(target: Target, token: string, rows: number, courseId: unknown) {
  const lines = Array.from({ length: rows }, (_, n) => `learner${n}@of-${rows}.example,${courseId},`);
  const form = new FormData();
  form.append("file", new Blob([`email,courseId,expiresAt\n${lines.join("\n")}`]), "learners.csv");
  const path = "/api/admin/enrollments/import";
  const { importId } = (await target.call("POST", path, { token, body: form })).body;
  for (let looks = 0; looks < 1_200; looks += 1) {
    const found = await target.db.EnrollmentImport.findById(importId).lean();
    if (found?.state === "done") return found;
    await sleep(250);
  }
  throw new Error("the import did not end within five minutes");
}
