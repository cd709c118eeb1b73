import mongoose, { Types } from "mongoose";
import { createModels } from "../../src/models/index.js";
import { addSales } from "../../tests/factories/stored-sales.js";
import { allServed, type Call, drive } from "../measure/drive.js";
import { inTurns, median, spread } from "../measure/figures.js";
import type { Context, Part, Row } from "../part.js";
import { type Build, type Builds, startBuilds } from "../processes/builds.js";
import { type Subject, startSubject } from "../processes/subject.js";
import { fillCatalog } from "../scenes/plain-catalog.js";
import { openPurchases } from "../scenes/purchases.js";

const past = [300, 3_000, 30_000] as const;

/** A payment's webhook, first and repeated, as sales pile up. */
export const webhook: Part = {
  about: "a payment webhook beside node:http with the same transaction, with up to 30,000 earlier sales",
  async run(context) {
    const builds = await startBuilds({});
    const database = process.env.MONGODB_URI ? undefined : await startSubject("bench/subjects/database.ts");
    const uri = new URL(process.env.MONGODB_URI ?? database?.url ?? "");
    uri.pathname = `/bench_${process.pid}_raw`;
    const secret = builds.emulators.variables.RAZORPAY_WEBHOOK_SECRET;
    const raw = await startSubject("bench/subjects/webhook-raw.ts", { uri: uri.href, secret });
    const connection = await mongoose.createConnection(uri.href).asPromise();
    const [build] = builds.all;
    if (!build) throw new Error("no build");
    try {
      const [courseId = "", other = ""] = await fillCatalog(build.connection, 2);
      const stores = { build, raw: createModels(connection) };
      const measure = () => measureBoth(builds, { ...stores, subject: raw, courseId, context });
      await measureBoth(builds, { ...stores, subject: raw, courseId, context: { ...context, rounds: 1 } });
      const rows: Row[] = [];
      for (const [which, sold] of [
        ["of another course", other],
        ["of the same course", courseId],
      ] as const) {
        let there = 0;
        for (const size of context.quick ? past.slice(0, 2) : past) {
          for (; there < size; there += 300) await addSales(build.db, new Types.ObjectId(sold), 300);
          const { completion, repeat, least } = await measure();
          const [first, again, bare] = [completion, repeat, least].map(median);
          context.progress(`${size} earlier sales ${which}`);
          rows.push({
            ...{ "earlier sales": size, which, "completion µs": first ?? 0, spread: spread(completion) },
            ...{ "raw µs": bare ?? 0, "completion : raw": (first ?? 0) / (bare ?? 1) },
            ...{ "repeat µs": again ?? 0, "repeat : raw": (again ?? 0) / (bare ?? 1) },
          });
        }
      }
      return [
        {
          title: "POST /razorpay: CPU of the server's process for one delivery, ten at once",
          note: "`raw` verifies the HMAC and makes the same writes in one transaction through the native driver, and reads or checks nothing.",
          rows,
        },
      ];
    } finally {
      await raw.end();
      await connection.dropDatabase();
      await connection.close();
      await database?.end();
      await builds.end();
    }
  },
};

interface Both {
  readonly build: Build;
  readonly raw: Parameters<typeof openPurchases>[0];
  readonly subject: Subject;
  readonly courseId: string;
  readonly context: Pick<Context, "rounds" | "quick">;
}

function measureBoth(builds: Builds, { build, raw, subject, courseId, context }: Both) {
  const amount = context.quick ? 40 : 200;
  let bodies: string[] = [];
  return inTurns(context.rounds, {
    async completion() {
      bodies = await openPurchases(build.db, courseId, amount);
      return cpuPerDelivery(builds, build, bodies);
    },
    repeat: () => cpuPerDelivery(builds, build, bodies),
    least: async () => cpuPerDelivery(builds, subject, await openPurchases(raw, courseId, amount)),
  });
}

/** Posts each body once. */
async function cpuPerDelivery(
  { emulators }: Builds,
  server: Pick<Subject, "url" | "cpu">,
  bodies: readonly string[],
): Promise<number> {
  const calls: Call[] = bodies.map((body) => ({
    ...{ kind: "webhook", path: "/razorpay", method: "POST", body },
    headers: { "content-type": "application/json", ...emulators.payments?.signWebhook(body) },
  }));
  const before = await server.cpu();
  const next = (): Call => calls.shift() ?? { kind: "none", path: "/" };
  allServed(await drive({ url: server.url, connections: 10, next, amount: bodies.length }));
  return ((await server.cpu()) - before) / bodies.length;
}
