import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Emulators, startEmulators } from "@lyceum/provider-emulators";
import { type Logger, pino } from "pino";
import { answerPrompt } from "../../development/ai-answers.js";
import { parseConfig } from "../../src/config.js";
import type { Deps } from "../../src/deps.js";
import type { Role } from "../../src/models/users/user.js";
import { prepareDatabase, type RunningServer, type ServerOptions, startServer } from "../../src/server.js";
import { identityOf } from "./emulators.js";
import { send } from "./send.js";

export interface Answer {
  readonly status: number;
  /** Parsed JSON, or else the text. */
  readonly body: any;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly token?: string | undefined;
  /** Value that is sent as JSON. A string, Buffer or FormData is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

export interface TestServer extends RunningServer {
  readonly emulators: Emulators;
  readonly databaseUri: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  get(path: string, token?: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, token?: string, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, token?: string): Promise<Answer>;
  delete(path: string, token?: string): Promise<Answer>;
  /** Creates a user record, a role record unless the user is a student, and a session token. */
  signedIn(role?: Role, name?: string): Promise<SignedIn>;
  /** Starts another instance on the same database and providers. `env` overrides variables. */
  another(env?: Record<string, string>): Promise<TestServer>;
}

export interface EmulatedServerOptions {
  /** URI of the database server. */
  readonly databaseServer: string;
  /** Folder of the server's data and of files that all servers of a run share. */
  readonly folder: string;
  readonly env?: Record<string, string>;
  /** Runs the background jobs, which are off by default. */
  readonly jobs?: boolean;
  readonly log?: Logger;
  /** Starts the emulators' console. */
  readonly console?: boolean;
  /** Receives the close function of each further instance. */
  readonly onAnother?: (close: () => Promise<void>) => void;
}

/** Starts a server with its own database and port. Its providers are emulators that speak the real protocols. */
export async function startEmulatedServer(options: EmulatedServerOptions): Promise<TestServer> {
  // The end of a run drops what begins with the name of its folder.
  const name = `${basename(options.folder)}_${randomUUID().slice(0, 8)}`;
  const databaseUri = withDatabase(options.databaseServer, name);
  const dataDir = join(options.folder, name);
  await mkdir(dataDir, { recursive: true });
  const given = { ...options.env, MONGODB_URI: databaseUri, PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "silent" };
  const emulators = await startEmulators({
    ...{ clerk: true, razorpay: true, cloudinary: true, openai: { answer: answerPrompt }, smtp: true },
    console: options.console ?? false,
    frontendUrl: options.env?.FRONTEND_URL ?? "http://localhost:5173",
    env: given,
  });
  const env = { ...emulators.env, ...given };
  const prepared = process.env.MONGODB_URI ? {} : { prepare: copyOfPrepared(options.databaseServer, name) };
  const server = await start(env, emulators, databaseUri, options, prepared);
  emulators.pointAt(server.url);
  const close = once(async () => {
    // An embedded database is removed with its folder. Another database drops it, which can outlast the server's
    // timeout: a killed process may have left a transaction open.
    if (process.env.MONGODB_URI) await server.deps.database.dropDatabase().catch(() => undefined);
    await server.close();
    await emulators.close();
  });
  return { ...server, close };
}

async function start(
  env: Record<string, string>,
  emulators: Emulators,
  databaseUri: string,
  options: EmulatedServerOptions,
  prepared: Pick<ServerOptions, "prepare"> = {},
): Promise<TestServer> {
  const log = options.log ?? pino({ level: "silent" });
  const running = await startServer(parseConfig(env), log, { jobs: options.jobs ?? false, ...prepared });
  const url = running.url.replace("localhost", "127.0.0.1");

  const call = async (method: string, path: string, { token, body, headers = {} }: CallOptions = {}) => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
    const { status, text, ...answer } = await send(url, path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isRaw ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    });
    const isJson = answer.headers.get("content-type")?.includes("application/json");
    return { status, body: isJson ? JSON.parse(text) : text, headers: answer.headers };
  };

  return {
    ...running,
    url,
    emulators,
    databaseUri,
    close: once(() => running.close()),
    call,
    get: (path, token, headers) => call("GET", path, { token, ...(headers ? { headers } : {}) }),
    post: (path, body, token, headers) => call("POST", path, { body, token, ...(headers ? { headers } : {}) }),
    patch: (path, body, token) => call("PATCH", path, { body, token }),
    delete: (path, token) => call("DELETE", path, { token }),
    async signedIn(role = "student", name = "Asha Rao") {
      const id = `user_${randomUUID().replaceAll("-", "")}`;
      const { User, RoleRecord } = running.deps.db;
      const email = `${id.slice(5, 13)}@example.com`;
      await User.create({ _id: id, name, email, verifiedEmail: email, imageUrl: "https://img.example/a.png" });
      if (role !== "student") await RoleRecord.create({ _id: id, role, writtenAt: new Date() });
      return { id, name, token: identityOf(emulators).issueToken(id, { role: "student" }) };
    },
    async another(differing = {}) {
      const instance = await start({ ...env, ...differing }, emulators, databaseUri, options);
      options.onAnother?.(instance.close);
      return instance;
    },
  };
}

/** Names of prepared databases by database server. */
const preparedDatabases = new Map<string, Promise<string>>();

/** Copies a prepared database, which takes a third of the time of preparing one. */
function copyOfPrepared(databaseServer: string, todb: string): (deps: Deps) => Promise<void> {
  const prepareOne = async (): Promise<string> => {
    const name = `prepared_${randomUUID().replaceAll("-", "")}`;
    await prepareDatabase(withDatabase(databaseServer, name));
    return name;
  };
  return async ({ database }) => {
    const prepared = preparedDatabases.get(databaseServer) ?? prepareOne();
    preparedDatabases.set(databaseServer, prepared);
    const admin = database.getClient().db("admin");
    await admin.command({ copydb: 1, fromdb: await prepared, todb });
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

function withDatabase(uri: string, name: string): string {
  const parsed = new URL(uri);
  parsed.pathname = `/${name}`;
  // For `commandsDuring` (assertions/commands.ts).
  parsed.searchParams.set("monitorCommands", "true");
  return parsed.href;
}
