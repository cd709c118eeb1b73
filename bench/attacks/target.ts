import { type ChildProcess, spawn } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseEnv } from "node:util";
import { openDatabase } from "../../src/db/connection.js";
import { createDb, type Db } from "../../src/db/db.js";
import { type Interceptor, startInterceptor } from "./interceptor.js";

export interface Reply {
  readonly status: number;
  /** Parsed when it is JSON. */
  readonly body: any;
  readonly headers: Headers;
}

export interface BenchUser {
  readonly id: string;
  readonly token: string;
}

/** A server in production mode, in a process of its own, with the providers' emulators in another. */
export interface Target {
  readonly url: string;
  readonly pid: number;
  /** Past the server, to prepare what an attack needs. */
  readonly db: Db;
  /** What the server was told, secrets of the emulators among them. */
  readonly env: Readonly<Record<string, string>>;
  /** Between the server and these providers. */
  readonly identity: Interceptor;
  readonly payments: Interceptor;
  /** Base addresses of the emulators by name, the console among them. */
  readonly emulators: Readonly<Record<string, string>>;
  /** The key that signs session tokens. */
  readonly signingKey: string;
  /** Lines of the log so far. */
  readonly log: readonly string[];
  call(method: string, path: string, options?: { token?: string; body?: unknown; headers?: object }): Promise<Reply>;
  user(role?: "student" | "educator" | "admin"): Promise<BenchUser>;
  /** What developers ask of an emulator. */
  dev(emulator: string, path: string, body?: unknown): Promise<any>;
  /** Delivers a message as the payment provider does. */
  deliver(message: unknown, secret?: string): Promise<Reply>;
  /** Another server on the same database with some variables of its own. */
  another(env: Record<string, string>): Promise<Target>;
  close(): Promise<void>;
}

const metricsToken = "attack-metrics-token-0123456789";

/** Needs `dist/`, made by `npm run build`. `MONGODB_URI` names a database server; an embedded one otherwise. */
export async function startTarget(): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-attack-"));
  const children: ChildProcess[] = [];
  const end = async (): Promise<void> => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null) continue;
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  const node = (file: string, env: Record<string, string>, ...words: string[]) => {
    const child = spawn(process.execPath, [file, ...words], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    return child;
  };

  // As operators start it: `node` and what follows.
  const { start } = JSON.parse(await readFile("package.json", "utf8")).scripts;
  const [, first, ...words] = start.split(" ");

  const data = join(folder, "data");
  const emulating = node("node_modules/.bin/provider-emulators", {}, "--data", data);
  const printed = await linesUntil(emulating, /^OPENAI_BASE_URL=/);
  const variables = parseEnv(printed.join("\n")) as Record<string, string>;
  const emulators = Object.fromEntries(
    printed.flatMap((line) => {
      const [, name = "", url = ""] = /^# (\w+) +(http\S+)/.exec(line) ?? [];
      return name ? [[name, url]] : [];
    }),
  );
  const { identity: own } = JSON.parse(await readFile(join(data, "emulators", "secrets.json"), "utf8"));
  const [identity, payments] = await Promise.all([
    startInterceptor(variables.CLERK_API_URL ?? ""),
    startInterceptor(variables.RAZORPAY_API_URL ?? ""),
  ]);
  const uri = new URL(process.env.MONGODB_URI ?? (await embeddedDatabase(node, folder)));
  uri.pathname = `/attack_${randomUUID().slice(0, 8)}`;
  const connection = await openDatabase(uri.href);
  const db = createDb(connection);

  const { CLERK_JWT_KEY, ...keys } = variables;
  const env = {
    ...keys,
    NODE_ENV: "production",
    PORT: process.env.PORT ?? "0",
    MONGODB_URI: uri.href,
    FRONTEND_URL: "http://localhost:5173",
    BACKEND_URL: "http://localhost:3000",
    CLERK_API_URL: identity.url,
    RAZORPAY_API_URL: payments.url,
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: "info",
    NODE_OPTIONS: process.env.ATTACK_NODE_OPTIONS ?? "",
  };

  async function serve(differing: Record<string, string>): Promise<Target> {
    const told: Record<string, string> = { ...env, ...differing };
    for (const [name, value] of Object.entries(told)) if (value === "") delete told[name];
    const child = node(first, told, ...words);
    const log: string[] = [];
    const listening = await linesUntil(child, /listening on http/, log);
    const port = /listening on http:\/\/[^:]+:(\d+)/.exec(listening.at(-1) ?? "")?.[1];
    const url = `http://127.0.0.1:${port}`;
    const call: Target["call"] = async (method, path, { token, body, headers } = {}) => {
      const raw = typeof body === "string" || body instanceof FormData;
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined || raw ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = response.headers.get("content-type")?.includes("json");
      return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
    };
    const dev: Target["dev"] = async (emulator, path, body) => {
      const asked = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const headers = { "content-type": "application/json" };
      return (await fetch(`${emulators[emulator]}/dev/${path}`, { headers, ...asked })).json();
    };
    return {
      ...{ url, pid: child.pid ?? 0, db, env: told, identity, payments, emulators, log, call, dev },
      signingKey: own.privateKey,
      async user(role = "student") {
        const id = `user_${randomUUID().replaceAll("-", "")}`;
        await db.User.create({ _id: id, name: "Asha Rao", email: `${id.slice(5, 13)}@example.com` });
        if (role !== "student") await db.RoleRecord.create({ _id: id, role, writtenAt: new Date() });
        return { id, token: (await dev("clerk", "tokens", { userId: id, expiresInSeconds: 7_200 })).token };
      },
      deliver(message, secret = variables.RAZORPAY_WEBHOOK_SECRET ?? "") {
        const body = typeof message === "string" ? message : JSON.stringify(message);
        const signature = createHmac("sha256", secret).update(body).digest("hex");
        const headers = { "content-type": "application/json", "x-razorpay-signature": signature };
        return call("POST", "/razorpay", { body, headers });
      },
      another: (differing2) => serve({ PORT: "0", ...differing2 }),
      async close() {
        // An embedded one goes with its folder.
        if (process.env.MONGODB_URI) await connection.dropDatabase().catch(() => undefined);
        await connection.close();
        await end();
        identity.close();
        payments.close();
      },
    };
  }
  return serve({});
}

async function embeddedDatabase(
  node: (file: string, env: Record<string, string>, ...words: string[]) => ChildProcess,
  folder: string,
): Promise<string> {
  const database = node("node_modules/.bin/embedded-mongo", {}, "--data", join(folder, "database"), "--port", "0");
  const [line = ""] = (await linesUntil(database, /mongodb:\/\//)).slice(-1);
  return /mongodb:\/\/\S+/.exec(line)?.[0] ?? "";
}

/** What a program has written until a line looks so; it is read on, into `lines`. */
function linesUntil(child: ChildProcess, wanted: RegExp, lines: string[] = []): Promise<string[]> {
  return new Promise((resolve, reject) => {
    createInterface(child.stdout as NodeJS.ReadableStream).on("line", (line) => {
      lines.push(line);
      if (wanted.test(line)) resolve([...lines]);
    });
    child.once("exit", (code) => reject(new Error(`${child.spawnargs.join(" ")} ended with ${code}`)));
  });
}
