import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Emulators, startEmulators } from "@lyceum/provider-emulators";
import mongoose, { type Connection } from "mongoose";
import { answerPrompt } from "../../development/ai-answers.js";
import { createDb, type Db } from "../../src/db/db.js";
import { prepareDatabase } from "../../src/server.js";
import { flagsOf, type Production, startProduction } from "./production.js";
import { startSubject } from "./subject.js";

const origin = "http://localhost:5173";

/** A built checkout in production, on a database of its own in another process. */
export interface Build extends Production {
  readonly name: string;
  /** Past the application, to fill the database. */
  readonly connection: Connection;
  readonly db: Db;
  /** Microseconds of CPU of its database; 0 when that is not our process. */
  databaseCpu(): Promise<number>;
}

export interface Builds {
  readonly all: readonly Build[];
  readonly emulators: Emulators;
  /** A session token of a user that no request has sent yet. */
  newToken(userId: string): string;
  /** Headers of a request that a user sends. */
  signedAs(userId: string): Record<string, string>;
  end(): Promise<void>;
}

export interface BuildOptions {
  /** Another checkout to compare with. */
  readonly beside?: string | undefined;
  /** Checkouts by name, instead of this one and the other one. */
  readonly roots?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Also starts `bench/subjects/fair.ts`, as the build "fair". */
  readonly fair?: boolean;
}

/**
 * Starts checkouts, which must have been built (`npm run build`). The database is the embedded one, or the one that
 * MONGODB_URI names.
 */
export async function startBuilds(options: BuildOptions): Promise<Builds> {
  const { beside, roots = { this: ".", ...(beside ? { beside } : {}) }, env = {}, fair = false } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
  const providers = { clerk: true, razorpay: true, cloudinary: true } as const;
  const emulators = await startEmulators({ ...providers, openai: { answer: answerPrompt } });
  const ends: (() => Promise<void>)[] = [];
  const all: Build[] = [];
  const startFair = async (uri: string): Promise<Production> => {
    await prepareDatabase(uri);
    const { RAZORPAY_WEBHOOK_SECRET: webhookSecret, CLERK_JWT_KEY: jwtKey } = emulators.env;
    return startSubject("bench/subjects/fair.ts", { uri, webhookSecret, jwtKey }, flagsOf("."));
  };
  for (const [name, root] of Object.entries({ ...roots, ...(fair && { fair: undefined }) })) {
    const database = process.env.MONGODB_URI ? undefined : await startSubject("bench/subjects/database.ts");
    const uri = new URL(process.env.MONGODB_URI ?? database?.url ?? "");
    uri.pathname = `/bench_${process.pid}_${Date.now()}_${all.length}`;
    const addresses = { FRONTEND_URL: origin, BACKEND_URL: "http://localhost:3000", MONGODB_URI: uri.href };
    const given = { ...emulators.env, ...addresses, DATA_DIR: dataDir, ...env };
    const server = await (root === undefined ? startFair(uri.href) : startProduction(resolve(root), given));
    const connection = await mongoose.createConnection(uri.href).asPromise();
    const databaseCpu = async (): Promise<number> => (await database?.cpu()) ?? 0;
    all.push({ ...server, name, connection, db: createDb(connection), databaseCpu });
    ends.push(async () => {
      await server.end();
      await connection.dropDatabase();
      await connection.close();
      await database?.end();
    });
  }
  const tokens = new Map<string, string>();
  let issued = 0;
  const newToken = (userId: string): string => {
    issued += 1;
    const claims = { azp: origin, jti: String(issued) };
    return emulators.clerk?.issueToken(userId, { expiresInSeconds: 7_200, claims }) ?? "";
  };
  return {
    all,
    emulators,
    newToken,
    signedAs(userId) {
      const token = tokens.get(userId) ?? newToken(userId);
      tokens.set(userId, token);
      return { authorization: `Bearer ${token}` };
    },
    async end() {
      for (const end of ends) await end();
      await emulators.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
