/**
 * CPU of hot requests, of the server's own process, in production: this build, another one and raw `node:http` with the
 * same bytes, in turns within one run. Both checkouts must have been built (`npm run build`). The database is the
 * embedded one, each server's in a process of its own, or the one that MONGODB_URI names.
 *
 *     npx tsx bench/requests.ts [folder of another built checkout] [only requests whose name has this in it]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { get, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startEmulators } from "@lyceum/provider-emulators";
import { dropDatabase, fillCatalog, learnerId } from "./subjects/plain-catalog.js";
import { startProduction } from "./subjects/production.js";
import { cpuPerRequest, median, printTable, type Subject, startSubject } from "./support.js";

const [other = "", only = ""] = process.argv.slice(2);
const rounds = Number(process.env.ROUNDS ?? 9);
const firstPort = Number(process.env.PORT ?? 21_300);
/** Part of the usual requests, for a quicker run. */
const share = Number(process.env.SHARE ?? 1);
const connections = 16;
const origin = "http://localhost:5173";

interface Scene {
  readonly name: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Requests of one round. */
  readonly amount: number;
  /** Times raw. */
  readonly goal?: number;
}

const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
const sandbox = await startEmulators({ MONGODB_URI: "mongodb://unused", DATA_DIR: dataDir }, { dataDir });
const token = sandbox.identity?.issueToken(learnerId, { expiresInSeconds: 7200, claims: { azp: origin } });
const raw = await startSubject("bench/subjects/raw-http.ts");

/** A built checkout on a database of its own. */
async function start(root: string, index: number) {
  const database = process.env.MONGODB_URI ? undefined : await startSubject("bench/subjects/database.ts");
  const uri = new URL(process.env.MONGODB_URI ?? database?.url ?? "");
  uri.pathname = `/bench_requests_${process.pid}_${index}`;
  const addresses = { FRONTEND_URL: origin, BACKEND_URL: "http://localhost:3000", MONGODB_URI: uri.href };
  const port = String(firstPort + index);
  const server = await startProduction(root, { ...sandbox.variables, ...addresses, PORT: port, DATA_DIR: dataDir });
  return {
    server,
    uri: uri.href,
    async end() {
      await server.end();
      await dropDatabase(uri.href);
      await database?.end();
    },
  };
}

/** What went over the wire, for the raw server to answer with. */
function capture(url: string, headers: Record<string, string>): Promise<{ base64: string; headers: object }> {
  return new Promise((done, reject) => {
    get(url, { headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => done({ base64: Buffer.concat(chunks).toString("base64"), headers: lasting(res.headers) }));
    }).on("error", reject);
  });
}

const lasting = (headers: IncomingHttpHeaders): object =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !["content-length", "connection", "date", "keep-alive", "transfer-encoding"].includes(name),
    ),
  );

const running = [await start(resolve("."), 0), ...(other ? [await start(resolve(other), 1)] : [])];
const courses = await Promise.all(running.map(({ uri }) => fillCatalog(uri, 20)));
const signed = { authorization: `Bearer ${token}` };
const brotli = { "accept-encoding": "br" };

/** The scenes before and after the catalog grows; ids of courses differ between the servers. */
const scenes = (ids: string[]): Scene[] => [
  { name: "GET /", path: "/", headers: {}, amount: 6_000, goal: 7 },
  { name: "catalog, brotli, 20 courses", path: "/api/course/all", headers: brotli, amount: 3_000, goal: 8 },
  { name: "course detail", path: `/api/course/${ids[0]}`, headers: {}, amount: 1_500, goal: 25 },
  { name: "user/data, known token", path: "/api/user/data", headers: signed, amount: 1_500, goal: 20 },
  { name: "enrolled-courses", path: "/api/user/enrolled-courses", headers: signed, amount: 1_000, goal: 60 },
  { name: "posts, first 20", path: "/api/community/posts?limit=20&page=1", headers: {}, amount: 1_000 },
];
const grown: Scene = {
  ...{ name: "catalog, brotli, 500 courses", path: "/api/course/all", headers: brotli, amount: 3_000, goal: 8 },
};

const amountOf = ({ amount }: Scene): number => Math.round(amount * share);
const rows: Record<string, string | number>[] = [];

async function measure(each: readonly Scene[]): Promise<void> {
  const [scene] = each;
  if (!scene?.name.includes(only)) return;
  const first = running[0]?.server.url ?? "";
  // Caches and the densest compression, which comes after some seconds, are what is usually met.
  for (const [i, { server }] of running.entries()) await (await fetch(server.url + each[i]?.path, scene)).arrayBuffer();
  if (scene.name.startsWith("catalog")) await new Promise((settled) => setTimeout(settled, 8_000));
  await raw.ask("serve", await capture(first + scene.path, scene.headers));
  const used: Record<string, number[]> = { raw: [], this: [], other: [] };
  for (let round = 0; round < rounds; round += 1) {
    used.raw?.push(await cpuPerRequest(raw, { ...scene, amount: amountOf(scene), connections }));
    for (const [i, { server }] of running.entries()) {
      const cpu = await cpuPerRequest(server as unknown as Subject, {
        ...scene,
        path: each[i]?.path ?? "",
        connections,
      });
      used[i === 0 ? "this" : "other"]?.push(cpu);
    }
  }
  const [bytes, ours, theirs] = [median(used.raw ?? []), median(used.this ?? []), median(used.other ?? [])];
  const sorted = [...(used.this ?? [])].sort((a, b) => a - b);
  rows.push({
    ...{ request: scene.name, "raw µs": bytes, "other µs": theirs, "this µs": ours },
    spread: `${Math.round(sorted[0] ?? 0)}–${Math.round(sorted.at(-1) ?? 0)}`,
    ...{ "other/raw": theirs / bytes, "this/raw": ours / bytes, "goal ≤": scene.goal ?? "" },
    "this/other": theirs === 0 ? "" : ours / theirs,
  });
}

const perServer = courses.map(scenes);
for (const i of perServer[0]?.keys() ?? []) await measure(perServer.map((one) => one[i] as Scene));
await Promise.all(running.map(({ uri }) => fillCatalog(uri, 480, 20)));
await measure(running.map(() => grown));
printTable(`CPU per request, medians of ${rounds} rounds in turns, ${connections} connections`, rows);
for (const { end } of running) await end();
await raw.end();
await sandbox.close();
await rm(dataDir, { recursive: true, force: true });
