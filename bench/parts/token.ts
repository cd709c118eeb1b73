import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { perRequest } from "../measure/cpu.js";
import { inTurns, median, spread } from "../measure/figures.js";
import type { Part } from "../part.js";
import { startBuilds } from "../processes/builds.js";
import { fillCatalog, learnerId } from "../scenes/plain-catalog.js";

/** What it costs to know who asks. */
export const token: Part = {
  about: "verifying session tokens: known ones, new ones, and the bare signature",
  async run({ quick, rounds, beside }) {
    const amount = quick ? 100 : 800;
    const builds = await startBuilds({ beside });
    /** A minute's token differs from the next one's, so each is a second longer valid. */
    let validFor = 3_600;
    const newHeaders = () => {
      validFor += 1;
      return builds.signedAs(learnerId, validFor);
    };
    try {
      const key = createPublicKey(builds.emulators.variables.CLERK_JWT_KEY ?? "");
      const measures: Record<string, () => Promise<number>> = {
        "the signature alone, node:crypto": async () => bareSignature(key, newHeaders().authorization ?? "", amount),
      };
      for (const build of builds.all) {
        await fillCatalog(build.connection, 20);
        const known = { path: "/api/user/data", amount, connections: 1, headers: builds.signedAs(learnerId) };
        measures[`own data, known token: ${build.name}`] = async () => (await perRequest(build, known)).cpu;
        measures[`own data, each token new: ${build.name}`] = async () => {
          // One connection sends each of them once, those of the warm-up again.
          const inTurn = Array.from({ length: amount }, () => ({ headers: newHeaders() }));
          return (await perRequest(build, { path: "/api/user/data", amount, connections: 1, inTurn })).cpu;
        };
      }
      const figures: Record<string, number[]> = await inTurns(rounds, measures);
      const rows = Object.entries(figures).map(([work, all]) => ({ work, "CPU µs": median(all), spread: spread(all) }));
      return [
        {
          title: "Knowing who asks",
          note: "Tokens are signed with RS256. CPU of the server's process, one connection.",
          rows,
        },
      ];
    } finally {
      await builds.end();
    }
  },
};

/** Microseconds of CPU to verify the signature of a token. */
function bareSignature(key: KeyObject, authorization: string, amount: number): number {
  const [, head, payload, signature = ""] = /^Bearer ([^.]+)\.([^.]+)\.(.+)$/.exec(authorization) ?? [];
  const [signed, bytes] = [Buffer.from(`${head}.${payload}`), Buffer.from(signature, "base64url")];
  const before = process.cpuUsage();
  for (let n = 0; n < amount; n += 1) {
    if (!verify("RSA-SHA256", signed, key, bytes)) throw new Error("the signature does not fit");
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / amount;
}
