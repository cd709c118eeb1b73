import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Emulators, startEmulators } from "../src/index.js";
import { started, startedEmulators, temporaryFolder, webhookReceiver } from "./start.js";

const providers = ["clerk", "razorpay", "cloudinary", "openai", "smtp"] as const;

test("with nothing set, every provider gets an emulator on loopback", async () => {
  const emulators = await startedEmulators();
  expect(emulators.table.map(({ provider, kind }) => [provider, kind])).toEqual(
    providers.map((name) => [name, "emulator"]),
  );
  for (const { address } of emulators.table) expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(Object.keys(emulators.env).sort()).toEqual([
    "CLERK_API_URL",
    "CLERK_JWT_KEY",
    "CLERK_PUBLISHABLE_KEY",
    "CLERK_SECRET_KEY",
    "CLERK_TELEMETRY_DISABLED",
    "CLERK_WEBHOOK_SECRET",
    "CLOUDINARY_URL",
    "MAIL_FROM",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "RAZORPAY_API_URL",
    "RAZORPAY_KEY_ID",
    "RAZORPAY_KEY_SECRET",
    "RAZORPAY_WEBHOOK_SECRET",
    "SMTP_URL",
  ]);
});

test.each([
  [
    "clerk",
    { CLERK_PUBLISHABLE_KEY: "pk_test_x", CLERK_SECRET_KEY: "sk", CLERK_WEBHOOK_SECRET: "whsec_x" },
    "https://api.clerk.com",
  ],
  [
    "razorpay",
    { RAZORPAY_KEY_ID: "rzp", RAZORPAY_KEY_SECRET: "s", RAZORPAY_WEBHOOK_SECRET: "w" },
    "https://api.razorpay.com",
  ],
  ["cloudinary", { CLOUDINARY_URL: "cloudinary://key:hidden@cloud?upload_prefix=x" }, "cloudinary://cloud"],
  ["openai", { OPENAI_API_KEY: "sk" }, "https://api.openai.com/v1"],
  ["openai", { OPENAI_BASE_URL: "http://llm.local/v1" }, "http://llm.local/v1"],
  ["smtp", { SMTP_URL: "smtps://user:hidden@mail.example:465" }, "smtps://mail.example:465"],
] as const)("%s is real when its variables are set, and the others are not touched", async (name, env, address) => {
  const emulators = await startedEmulators({ env });
  expect(emulators[name]).toBeUndefined();
  expect(emulators.table.find(({ provider }) => provider === name)).toMatchObject({ kind: "real", address });
  expect(emulators.table.filter(({ kind }) => kind === "emulator")).toHaveLength(4);
  for (const set of Object.keys(env)) expect(emulators.env).not.toHaveProperty(set);
});

test("a secret that is set is used by the emulator although the rest of its group is not", async () => {
  const emulators = await startedEmulators({
    env: {
      RAZORPAY_WEBHOOK_SECRET: "new-secret, old-secret",
      CLERK_SECRET_KEY: "sk_test_mine",
      OPENAI_API_KEY: " ",
    },
  });
  expect(emulators.env).not.toHaveProperty("RAZORPAY_WEBHOOK_SECRET");
  expect(emulators.env).not.toHaveProperty("CLERK_SECRET_KEY");
  expect(started(emulators.openai).url).toBe(emulators.env.OPENAI_BASE_URL?.replace("/v1", ""));
  const jwks = (key: string) =>
    fetch(`${started(emulators.clerk).url}/v1/jwks`, { headers: { authorization: `Bearer ${key}` } });
  expect((await jwks("sk_test_mine")).status).toBe(200);
  expect((await jwks("sk_test_other")).status).toBe(401);
  const signed = started(emulators.razorpay).signWebhook("{}");
  const onlyFirst = await startedEmulators({ env: { RAZORPAY_WEBHOOK_SECRET: "new-secret" } });
  expect(signed["x-razorpay-signature"]).toBe(started(onlyFirst.razorpay).signWebhook("{}")["x-razorpay-signature"]);
});

test("production refuses it before anything is written", async () => {
  const dataDir = await temporaryFolder();
  await expect(startEmulators({ env: { NODE_ENV: "Production " }, dataDir })).rejects.toThrow(
    "do not run in production",
  );
  expect(await readdir(dataDir)).toEqual([]);
});

test("generated secrets are readable by their owner alone, and simultaneous first starts agree on them", async () => {
  const dataDir = await temporaryFolder();
  const both = await Promise.all([startedEmulators({ dataDir }), startedEmulators({ dataDir })]);
  expect(both[0].env.CLERK_SECRET_KEY).toBe(both[1].env.CLERK_SECRET_KEY);
  const path = join(dataDir, "emulators", "secrets.json");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, "utf8")).toContain(both[0].env.CLERK_SECRET_KEY);
});

test("a wanted port is used, and given up when something else holds it", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void holder.close());
  const address = holder.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const without = await startedEmulators({ clerk: { port } });
  expect(started(without.clerk).url).not.toContain(String(port));
  await new Promise((resolve) => holder.close(resolve));
  const withIt = await startedEmulators({ clerk: { port } });
  expect(started(withIt.clerk).url).toBe(`http://127.0.0.1:${port}`);
});

test("events wait until the application's address is known", async () => {
  const receiver = await webhookReceiver();
  const emulators = await startedEmulators();
  const identity = started(emulators.clerk);
  await identity.createUser({ firstName: "Early" });
  expect(identity.deliveries()).toMatchObject([{ state: "waiting", attempts: [] }]);
  emulators.pointAt(`${receiver.url}/`);
  await identity.settled();
  expect(receiver.received.map(({ url }) => url)).toEqual(["/clerk"]);
});

test("state that cannot be read is named instead of overwritten", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, "emulators"));
  await writeFile(join(dataDir, "emulators", "payments.json"), '{"orders":');
  await expect(startEmulators({ dataDir })).rejects.toThrow("payments.json");
  expect(await readFile(join(dataDir, "emulators", "payments.json"), "utf8")).toBe('{"orders":');
});

test("a body that cannot be read is refused by every emulator", async () => {
  const emulators = await startedEmulators();
  for (const { url } of [
    emulators.clerk,
    emulators.razorpay,
    emulators.cloudinary,
    emulators.openai,
    emulators.smtp,
  ].map(started)) {
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/dev/faults`, { method: "POST", headers, body: "{" })).status).toBe(400);
  }
});

test("only the wanted emulators are started", async () => {
  const emulators = await startEmulators({ razorpay: true });
  onTestFinished(() => emulators.close());
  expect(emulators.table.map(({ provider }) => provider)).toEqual(["razorpay"]);
  expect(Object.keys(emulators.env).every((name) => name.startsWith("RAZORPAY_"))).toBe(true);
});

test("webhooks go to the paths that the application names", async () => {
  const receiver = await webhookReceiver();
  const clerk = { webhookPath: "/api/hooks/users" };
  const emulators = await startedEmulators({ applicationUrl: receiver.url, clerk });
  await started(emulators.clerk).createUser({ firstName: "Asha" });
  await started(emulators.clerk).settled();
  expect(receiver.received.map(({ url }) => url)).toEqual(["/api/hooks/users"]);
});

test("tokens name the frontend API of the publishable key as issuer and the origin of the frontend as party", async () => {
  const claimsOf = (emulators: Emulators) => {
    const [, payload = ""] = started(emulators.clerk).issueToken("user_1").split(".");
    return JSON.parse(Buffer.from(payload, "base64url").toString());
  };
  const hostOf = (key: string) => Buffer.from(key.slice("pk_test_".length), "base64").toString().slice(0, -1);
  const generated = await startedEmulators();
  const issuer = `https://${hostOf(generated.env.CLERK_PUBLISHABLE_KEY ?? "")}`;
  expect(claimsOf(generated)).toMatchObject({ iss: issuer, azp: "http://localhost:5173" });
  const CLERK_PUBLISHABLE_KEY = `pk_test_${Buffer.from("clerk.example.dev$").toString("base64")}`;
  const given = await startedEmulators({
    env: { CLERK_PUBLISHABLE_KEY },
    frontendUrl: "https://learn.example/",
  });
  expect(claimsOf(given)).toMatchObject({ iss: "https://clerk.example.dev", azp: "https://learn.example" });
});

test("without a folder nothing is written, and stored files end with the emulators", async () => {
  const folder = await temporaryFolder();
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const emulators = await startEmulators({ cloudinary: true, clerk: true });
  await emulators.clerk.createUser({ firstName: "Asha" });
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^emulated-media-/)]);
  await emulators.close();
  expect(await readdir(folder)).toEqual([]);
  const next = await startEmulators({ clerk: true });
  onTestFinished(() => next.close());
  expect(next.clerk.users()).toEqual([]);
});

test("a webhook is sent again after the given pauses, and no more after the last", async () => {
  const receiver = await webhookReceiver(500, 500, 500, 500);
  const clerk = { retryPausesMs: [1, 2] };
  const { clerk: identity, close } = await startEmulators({ clerk, applicationUrl: receiver.url });
  onTestFinished(close);
  await identity.createUser({ firstName: "Asha" });
  await identity.settled();
  expect(identity.deliveries()).toMatchObject([{ state: "exhausted", attempts: [{}, {}, {}] }]);
});
