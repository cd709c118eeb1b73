import { setTimeout as pause } from "node:timers/promises";
import { Types } from "mongoose";
import { addSales } from "../../tests/factories/stored-sales.js";
import { drive } from "../measure/drive.js";
import { inTurns, median, percentile, rounded, spread } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { type Build, startBuilds } from "../processes/builds.js";
import { memoryOf } from "../processes/proc.js";
import { educatorIds, fillCatalog } from "../scenes/plain-catalog.js";

const [educatorId = ""] = educatorIds;
const adminId = "user_admin";

/** The largest answers of an educator and an administrator, and what others feel while the first is made. */
export const dashboard: Part = {
  about: "an educator's dashboard of 40,000 students and others' latency meanwhile; memory of a large export",
  async run({ quick, rounds, beside, progress }) {
    const students = quick ? 4_000 : 40_000;
    const builds = await startBuilds({ beside });
    const headers = builds.signedAs(educatorId);
    const rows: Row[] = [];
    const exports: Row[] = [];
    const ask = async ({ url }: Build): Promise<{ bytes: number; status: number }> => {
      const answer = await fetch(`${url}/api/educator/dashboard`, { headers });
      return { bytes: (await answer.arrayBuffer()).byteLength, status: answer.status };
    };
    try {
      for (const { connection, db } of builds.all) {
        const [courseId] = await fillCatalog(connection, 20);
        const roles = { [educatorId]: "educator", [adminId]: "admin" } as const;
        for (const [_id, role] of Object.entries(roles)) {
          await db.RoleRecord.updateOne({ _id }, { $set: { role, writtenAt: new Date() } }, { upsert: true });
        }
        for (let left = students; left > 0; left -= 1_000) {
          await addSales(db, new Types.ObjectId(courseId), Math.min(left, 1_000));
        }
      }
      progress(`${students} students are there`);
      for (const build of builds.all) {
        const failures: number[] = [];
        let bytes = 0;
        const { cpu, meanwhile } = await inTurns(rounds, {
          async cpu() {
            const before = await build.cpu();
            const answer = await ask(build);
            if (answer.status !== 200) failures.push(answer.status);
            bytes = answer.bytes;
            return ((await build.cpu()) - before) / 1_000;
          },
          async meanwhile() {
            let busy = true;
            const next = () => ({ kind: "read", path: "/api/course/all", headers: { "accept-encoding": "br" } });
            const others = (async () => {
              const times: number[] = [];
              while (busy) {
                const { outcomes } = await drive({ url: build.url, connections: 1, next, amount: 1 });
                times.push(...outcomes.map(({ ms }) => ms));
                await pause(5);
              }
              return times;
            })();
            if ((await ask(build)).status !== 200) failures.push(500);
            busy = false;
            return percentile(await others, 99);
          },
        });
        rows.push({
          ...{ build: build.name, students, MiB: rounded(bytes / 2 ** 20), "CPU ms": median(cpu), spread: spread(cpu) },
          ...{ "others' p99 ms": median(meanwhile), "p99 spread": spread(meanwhile), failures: failures.length },
        });
      }
      for (const { name, url, pid } of builds.all) {
        const before = (await memoryOf(pid)).now;
        const table = await fetch(`${url}/api/admin/purchases.csv`, { headers: builds.signedAs(adminId) });
        const bytes = (await table.arrayBuffer()).byteLength;
        const most = { "MiB resident before": before, "MiB resident after": (await memoryOf(pid)).now };
        exports.push({ build: name, status: table.status, rows: students, MiB: bytes / 2 ** 20, ...most });
      }
    } finally {
      await builds.end();
    }
    return [
      { title: "GET /api/educator/dashboard, and the catalog's p99 while it is made", rows },
      { title: "GET /api/admin/purchases.csv: memory of the server's process", rows: exports },
    ];
  },
};
