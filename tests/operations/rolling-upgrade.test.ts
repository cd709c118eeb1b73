import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { missingDocuments } from "../../src/services/recount/missing.js";
import { recount } from "../../src/services/recount/recount.js";
import { startServerProcess } from "../server/server-process.js";
import { startTestServer } from "../server/test-server.js";
import { startBalancer } from "./balancer.js";
import { startMixedTraffic } from "./mixed-traffic.js";

/*
 * UPGRADE_FROM=<git ref> npx vitest run tests/operations/rolling-upgrade.test.ts
 *
 * Two instances of the version of that ref are replaced one after the other by instances of the sources as they are,
 * under load and on one database that the older version has made.
 */

const from = process.env.UPGRADE_FROM;
const phaseMs = Number(process.env.UPGRADE_PHASE_SECONDS ?? 10) * 1_000;

test.skipIf(!from)(
  "instances are replaced one by one: no request fails, and figures agree",
  { timeout: 300_000 },
  async () => {
    const server = await startTestServer();
    // The older version makes its own collections and indexes.
    await server.deps.database.dropDatabase();
    const version = await sourcesOf(from ?? "");
    const start = (options?: { version: string }) => startServerProcess(server, {}, options);
    const older = [await start({ version }), await start({ version })] as const;
    const balancer = await startBalancer();
    onTestFinished(() => balancer.close());
    balancer.route(older.map(({ url }) => url));
    server.emulators.pointAt(balancer.url);

    const traffic = await startMixedTraffic(server, balancer.url, 4);
    const counts = () => [...traffic.answered.values()].reduce((sum, count) => sum + count, 0);
    const phases: Record<string, number> = {};
    const phase = async (name: string) => {
      const before = counts();
      await pause(phaseMs);
      phases[name] = counts() - before;
    };
    await phase("two of the older version");
    const first = await start();
    balancer.route([first.url, older[1].url]);
    const stopped = [await older[0].stop()];
    await phase("one of each");
    const second = await start();
    balancer.route([first.url, second.url]);
    stopped.push(await older[1].stop());
    await phase("two of this version");
    await traffic.stop();

    console.info(
      `from ${from}:`,
      phases,
      `${counts()} requests, ${traffic.failed.length} failed, ${traffic.bought.length} bought`,
    );
    const lines = [...older, first, second].flatMap((one) => one.lines);
    const causes = lines.filter((line) => line.includes("request_failed"));
    expect(traffic.failed, causes.join("\n")).toEqual([]);
    expect(stopped).toEqual([0, 0]);
    for (const count of Object.values(phases)) expect(count).toBeGreaterThan(10);
    const { db } = server.deps;
    for (const { userId, courseId } of traffic.bought) {
      expect(await db.Enrollment.findOne({ userId, courseId }).lean()).toMatchObject({ active: true });
    }
    const differences: unknown[] = [];
    for await (const difference of recount(db, { fix: false })) differences.push(difference);
    for await (const missing of missingDocuments(db)) differences.push(missing);
    expect(differences).toEqual([]);
  },
);

/** The sources of a version in a folder, beside the packages that are installed here. */
async function sourcesOf(ref: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-upgrade-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const archive = execFileSync("git", ["archive", ref], { maxBuffer: 1e9 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}
