import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import mongoose, { type mongo } from "mongoose";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../src/index.js";
import { started, startedSandbox, temporaryFolder, webhookReceiver } from "./start.js";

const collaborators = ["identity", "payments", "storage", "ai"] as const;

test("with nothing set, every collaborator gets a stand-in on loopback", async () => {
  const sandbox = await startedSandbox();
  expect(sandbox.table.map(({ collaborator, kind }) => [collaborator, kind])).toEqual(
    collaborators.map((name) => [name, "stand-in"]),
  );
  for (const { address } of sandbox.table) expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(Object.keys(sandbox.variables).sort()).toEqual([
    "CLERK_API_URL",
    "CLERK_JWT_KEY",
    "CLERK_PUBLISHABLE_KEY",
    "CLERK_SECRET_KEY",
    "CLERK_TELEMETRY_DISABLED",
    "CLERK_WEBHOOK_SECRET",
    "CLOUDINARY_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "RAZORPAY_API_URL",
    "RAZORPAY_KEY_ID",
    "RAZORPAY_KEY_SECRET",
    "RAZORPAY_WEBHOOK_SECRET",
  ]);
});

test("the database has a stand-in too, which keeps its data over a restart", async () => {
  const dataDir = await temporaryFolder();
  const connected = async <Result>(work: (notes: mongo.Collection<{ text: string }>) => Promise<Result>) => {
    const sandbox = await startSandbox({}, { dataDir });
    const connection = await mongoose.createConnection(sandbox.variables.MONGODB_URI ?? "").asPromise();
    const result = await work(connection.collection<{ text: string }>("notes"));
    await connection.close();
    await sandbox.close();
    return { result, row: sandbox.table[0] };
  };
  const { row } = await connected((notes) => notes.insertOne({ text: "kept" }));
  expect(row).toMatchObject({ collaborator: "database", kind: "stand-in" });
  expect(row?.address).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\S* \(embedded\)$/);
  const { result } = await connected((notes) => notes.findOne({}));
  expect(result).toMatchObject({ text: "kept" });
});

test("a database that is named is used, and its credentials are not shown", async () => {
  const MONGODB_URI = "mongodb://somebody:hidden@db.example:27017/lyceum?replicaSet=rs0";
  const sandbox = await startedSandbox({ MONGODB_URI }, { database: true });
  const row = { collaborator: "database", kind: "real", address: "mongodb://db.example:27017/lyceum" };
  expect(sandbox.table[0]).toEqual(row);
  expect(sandbox.variables).not.toHaveProperty("MONGODB_URI");
});

test.each([
  [
    "identity",
    { CLERK_PUBLISHABLE_KEY: "pk_test_x", CLERK_SECRET_KEY: "sk", CLERK_WEBHOOK_SECRET: "whsec_x" },
    "https://api.clerk.com",
  ],
  [
    "payments",
    { RAZORPAY_KEY_ID: "rzp", RAZORPAY_KEY_SECRET: "s", RAZORPAY_WEBHOOK_SECRET: "w" },
    "https://api.razorpay.com",
  ],
  ["storage", { CLOUDINARY_URL: "cloudinary://key:hidden@cloud?upload_prefix=x" }, "cloudinary://cloud"],
  ["ai", { OPENAI_API_KEY: "sk" }, "https://api.openai.com/v1"],
  ["ai", { OPENAI_BASE_URL: "http://llm.local/v1" }, "http://llm.local/v1"],
] as const)("%s is real when its variables are set, and the others are not touched", async (name, env, address) => {
  const sandbox = await startedSandbox(env);
  expect(sandbox[name]).toBeUndefined();
  expect(sandbox.table.find(({ collaborator }) => collaborator === name)).toMatchObject({ kind: "real", address });
  expect(sandbox.table.filter(({ kind }) => kind === "stand-in")).toHaveLength(3);
  for (const set of Object.keys(env)) expect(sandbox.variables).not.toHaveProperty(set);
});

test("a secret that is set is used by the stand-in although the rest of its group is not", async () => {
  const sandbox = await startedSandbox({
    RAZORPAY_WEBHOOK_SECRET: "new-secret, old-secret",
    CLERK_SECRET_KEY: "sk_test_mine",
    OPENAI_API_KEY: " ",
  });
  expect(sandbox.variables).not.toHaveProperty("RAZORPAY_WEBHOOK_SECRET");
  expect(sandbox.variables).not.toHaveProperty("CLERK_SECRET_KEY");
  expect(started(sandbox.ai).url).toBe(sandbox.variables.OPENAI_BASE_URL?.replace("/v1", ""));
  const jwks = (key: string) =>
    fetch(`${started(sandbox.identity).url}/v1/jwks`, { headers: { authorization: `Bearer ${key}` } });
  expect((await jwks("sk_test_mine")).status).toBe(200);
  expect((await jwks("sk_test_other")).status).toBe(401);
  const signed = started(sandbox.payments).signWebhook("{}");
  const onlyFirst = await startedSandbox({ RAZORPAY_WEBHOOK_SECRET: "new-secret" });
  expect(signed["x-razorpay-signature"]).toBe(started(onlyFirst.payments).signWebhook("{}")["x-razorpay-signature"]);
});

test("production refuses it before anything is written", async () => {
  const dataDir = await temporaryFolder();
  await expect(startSandbox({ NODE_ENV: "production" }, { dataDir })).rejects.toThrow("does not run in production");
  expect(await readdir(dataDir)).toEqual([]);
});

test("generated secrets are readable by their owner alone, and simultaneous first starts agree on them", async () => {
  const dataDir = await temporaryFolder();
  const both = await Promise.all([startedSandbox({}, { dataDir }), startedSandbox({}, { dataDir })]);
  expect(both[0].variables.CLERK_SECRET_KEY).toBe(both[1].variables.CLERK_SECRET_KEY);
  const path = join(dataDir, "sandbox", "secrets.json");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, "utf8")).toContain(both[0].variables.CLERK_SECRET_KEY);
});

test("a wanted port is used, and given up when something else holds it", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void holder.close());
  const address = holder.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const without = await startedSandbox({}, { ports: { identity: port } });
  expect(started(without.identity).url).not.toContain(String(port));
  await new Promise((resolve) => holder.close(resolve));
  const withIt = await startedSandbox({}, { ports: { identity: port } });
  expect(started(withIt.identity).url).toBe(`http://127.0.0.1:${port}`);
});

test("events wait until the application's address is known", async () => {
  const receiver = await webhookReceiver();
  const sandbox = await startedSandbox();
  const identity = started(sandbox.identity);
  await identity.createUser({ firstName: "Early" });
  expect(identity.deliveries()).toMatchObject([{ state: "waiting", attempts: [] }]);
  sandbox.pointAt(`${receiver.url}/`);
  await identity.settled();
  expect(receiver.received.map(({ url }) => url)).toEqual(["/clerk"]);
});

test("state that cannot be read is named instead of overwritten", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, "sandbox"));
  await writeFile(join(dataDir, "sandbox", "payments.json"), '{"orders":');
  await expect(startSandbox({}, { dataDir, database: false })).rejects.toThrow("payments.json");
  expect(await readFile(join(dataDir, "sandbox", "payments.json"), "utf8")).toBe('{"orders":');
});

test("a body that cannot be read is refused by every stand-in", async () => {
  const sandbox = await startedSandbox();
  for (const { url } of [sandbox.identity, sandbox.payments, sandbox.storage, sandbox.ai].map(started)) {
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/dev/faults`, { method: "POST", headers, body: "{" })).status).toBe(400);
  }
});
