import { createHmac, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { refusal } from "../assertions/refusal.js";
import { identityOf } from "../server/emulators.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

const server = await startTestServer();

const data = (authorization?: string) =>
  server.get("/api/user/data", undefined, authorization === undefined ? {} : { authorization });
const unauthorized = refusal(401, "Unauthorized Access");
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
/** What the emulator's publishable key names. */
const issuer = "https://identity.lyceum.local";
const inAMinute = () => Math.floor(Date.now() / 1000) + 60;
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

function tokenOf(claims: object, header: Record<string, unknown> = {}): string {
  const all = { iss: issuer, sub: "user_1", iat: inAMinute() - 120, exp: inAMinute(), ...claims };
  const unsigned = `${encode({ alg: "RS256", typ: "JWT", kid: "ins_1", ...header })}.${encode(all)}`;
  const hash = header.alg === "RS512" ? "sha512" : "sha256";
  return `${unsigned}.${sign(hash, Buffer.from(unsigned), keys.privateKey).toString("base64url")}`;
}

function goForward(ms: number): void {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

test("a valid session token is accepted", async () => {
  const token = identityOf(server.emulators).issueToken("user_1");
  expect(await data(`Bearer ${token}`)).toMatchObject({
    status: 200,
    body: { success: false, message: "User Not Found" },
  });
});

test("browsers' ways to sign in are anonymous: no redirect, no header of the provider", async () => {
  const identity = identityOf(server.emulators);
  const token = identity.issueToken("user_1");
  const expired = identity.issueToken("user_1", { claims: { exp: inAMinute() - 120 } });
  const pending = identity.issueToken("user_1", { claims: { sts: "pending" } });
  const browser = { accept: "text/html", "sec-fetch-dest": "document", cookie: `__session=${token}; __client_uat=1` };
  const odd = { "x-forwarded-host": "[", origin: "null" };
  for (const authorization of ["", `Bearer ${expired}`, `Bearer ${pending}`, "Bearer ak_secret", `Bearer ${token}x`]) {
    for (const headers of [browser, { ...browser, ...odd }]) {
      const answer = await server.get("/api/user/data", undefined, { ...headers, authorization });
      expect(answer).toMatchObject(unauthorized);
      expect([...answer.headers.keys()].filter((name) => /clerk|location|set-cookie/.test(name))).toEqual([]);
      expect((await server.get("/api/course/all", undefined, { ...headers, authorization })).status).toBe(200);
    }
  }
  const good = await server.get("/api/user/data", identity.issueToken("user_1"), { ...browser, ...odd });
  expect(good.status).toBe(200);
  expect([...good.headers.keys()].filter((name) => /clerk/.test(name))).toEqual([]);
});

test("absent, empty, foreign and very long credentials are 401", async () => {
  const token = identityOf(server.emulators).issueToken("user_1");
  const nullHeader = `${Buffer.from("null").toString("base64url")}.${encode({})}.eHh4`;
  const bearers = ["", "null", "undefined", `${token}x`, nullHeader, "a".repeat(12_000)].map((one) => `Bearer ${one}`);
  for (const header of [undefined, "", "Bearer", `Basic ${token}`, token, ...bearers]) {
    expect(await data(header), String(header)).toMatchObject(unauthorized);
  }
  expect(await server.get(`/api/user/data?token=${token}`, undefined, { cookie: `__session=${token}` })).toMatchObject(
    unauthorized,
  );
});

test("expired and not-yet-valid tokens are 401 beyond five seconds of skew", async () => {
  const now = Math.floor(Date.now() / 1000);
  const statusOf = async (claims: Record<string, unknown>) =>
    (await data(`Bearer ${identityOf(server.emulators).issueToken("user_1", { claims })}`)).status;
  expect([await statusOf({ exp: now - 7 }), await statusOf({ nbf: now + 60 })]).toEqual([401, 401]);
  expect(await statusOf({ nbf: now + 2 })).toBe(200);
});

test("a token that was accepted has expired when the clock says so, though the process stood still meanwhile", async () => {
  const token = identityOf(server.emulators).issueToken("user_1", { claims: { exp: inAMinute() } });
  expect((await data(`Bearer ${token}`)).status).toBe(200);
  goForward(70_000);
  expect(await data(`Bearer ${token}`)).toMatchObject(unauthorized);
});

test("forged signatures are 401: no algorithm, the public key as a secret, another key", async () => {
  const claims = encode({ iss: issuer, sub: "user_1", iat: inAMinute() - 120, exp: inAMinute() });
  const pem = server.deps.config.identity.jwtKey ?? "";
  expect(createPublicKey(pem).asymmetricKeyType).toBe("rsa");
  const none = `${encode({ alg: "none", typ: "JWT" })}.${claims}.`;
  const symmetric = `${encode({ alg: "HS256", typ: "JWT" })}.${claims}`;
  const hmac = createHmac("sha256", pem).update(symmetric).digest("base64url");
  const foreign = tokenOf({});
  for (const token of [none, `${symmetric}.${hmac}`, foreign, foreign.replace(/[^.]+$/, "")]) {
    expect(await data(`Bearer ${token}`)).toMatchObject(unauthorized);
  }
});

test("a public key in the older form of PEM verifies tokens", async () => {
  const pem = keys.publicKey.export({ type: "pkcs1", format: "pem" }).toString();
  const running = await startTestServer({ env: { CLERK_JWT_KEY: pem } });
  expect((await running.get("/api/user/data", tokenOf({}))).status).toBe(200);
});

describe("a token that was made for something else", () => {
  const pem = keys.publicKey.export({ type: "spki", format: "pem" }).toString();
  const start = (env: Record<string, string> = {}) => startTestServer({ env: { CLERK_JWT_KEY: pem, ...env } });
  /** Its status on a guarded and on a public route. */
  const statuses = async (running: TestServer, token: string) => [
    (await running.get("/api/user/data", token)).status,
    (await running.get("/api/course/all", token)).status,
  ];

  test("is refused when another page asked for it", async () => {
    const running = await start({ FRONTEND_URL: "https://learn.example/app/" });
    expect(await statuses(running, tokenOf({ azp: "https://learn.example" }))).toEqual([200, 200]);
    expect(await statuses(running, tokenOf({}))).toEqual([200, 200]);
    const evil = ["https://evil.example", "https://learn.example.evil.example"];
    for (const azp of [...evil, "", null, ["https://learn.example"]]) {
      expect([azp, await statuses(running, tokenOf({ azp }))]).toEqual([azp, [401, 200]]);
    }
    const ofEmulator = await startTestServer({ env: { FRONTEND_URL: "https://learn.example/app/" } });
    expect(await statuses(ofEmulator, identityOf(ofEmulator.emulators).issueToken("user_1"))).toEqual([200, 200]);
  });

  test("is refused when another application of the provider issued it", async () => {
    const named = `pk_live_${Buffer.from("clerk.learn.example$").toString("base64")}`;
    const running = await start({ CLERK_PUBLISHABLE_KEY: named });
    expect(await statuses(running, tokenOf({ iss: "https://clerk.learn.example" }))).toEqual([200, 200]);
    for (const iss of [issuer, "https://clerk.learn.example/", "http://clerk.learn.example", "", undefined, null]) {
      expect([iss, await statuses(running, tokenOf({ iss }))]).toEqual([iss, [401, 200]]);
    }
    const ofEmulator = await startTestServer({ env: { CLERK_PUBLISHABLE_KEY: named } });
    expect(await statuses(ofEmulator, identityOf(ofEmulator.emulators).issueToken("user_1"))).toEqual([200, 200]);
  });

  test("is refused when it is no session token", async () => {
    const running = await start();
    for (const header of [{}, { cat: "cl_B7d4PD111AAA" }]) {
      expect(await statuses(running, tokenOf({}, header))).toEqual([200, 200]);
    }
    const [template, machine] = [{ cat: "cl_B7d4PD222AAA" }, { cat: "cl_B7d4PD333AAA" }];
    for (const header of [template, machine, { cat: "" }, { cat: null }, { typ: "at+jwt" }, { alg: "RS512" }]) {
      expect([header, await statuses(running, tokenOf({}, header))]).toEqual([header, [401, 200]]);
    }
    expect(await statuses(running, tokenOf({ sub: "mch_1" }))).toEqual([401, 200]);
  });
});

describe("a server that fetches its keys", () => {
  type Reply = (res: ServerResponse) => void;
  const key = { ...keys.publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256" };
  const withKeys =
    (...ids: string[]): Reply =>
    (res) =>
      res.end(JSON.stringify({ keys: ids.map((kid) => ({ ...key, kid })) }));
  const down: Reply = (res) => res.writeHead(503, { "content-type": "text/html" }).end("<h1>down</h1>");
  const all = (requests: number, status: number) => Array.from({ length: requests }, () => status);

  /** A server whose identity provider answers as told, and counts how often it is asked. */
  async function serverOf(reply: Reply) {
    const provider = { reply, asked: 0 };
    const listener = createServer((_req, res) => {
      provider.asked += 1;
      res.setHeader("content-type", "application/json");
      provider.reply(res);
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    onTestFinished(() => {
      listener.closeAllConnections();
      listener.close();
    });
    const { port } = listener.address() as AddressInfo;
    const env = { CLERK_API_URL: `http://127.0.0.1:${port}`, CLERK_SECRET_KEY: `sk_test_${port}` };
    const running = await startTestServer({ env });
    const ask = async (kid: string) => (await running.get("/api/user/data", tokenOf({}, { kid }))).status;
    return { running, provider, ask };
  }

  const failures: [string, Reply][] = [
    ["429", (res) => res.writeHead(429).end()],
    ["503", down],
    ["no JSON", (res) => res.end("<html>")],
  ];
  test.each(failures)(
    "a provider that answers %s is a fault on guarded routes, and is asked a few times a minute, until it is well",
    async (_kind, reply) => {
      const { running, provider, ask } = await serverOf(reply);
      const fault = refusal(500, "An unexpected error occurred");
      expect(await running.get("/api/user/data", tokenOf({}))).toMatchObject(fault);
      expect((await running.get("/api/course/all", tokenOf({}))).status).toBe(200);
      expect(await running.get("/api/user/data", "null")).toMatchObject(unauthorized);
      for (let n = 0; n < 20; n += 1) expect(await ask("ins_1")).toBe(500);
      expect(provider.asked).toBeLessThanOrEqual(4);
      provider.reply = withKeys("ins_1");
      goForward(31_000);
      expect(await ask("ins_1")).toBe(200);
    },
  );

  test("while the provider is silent few connections wait for it, and all is well when it answers", async () => {
    const { timeout } = AbortSignal;
    const hurried = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout.call(AbortSignal, ms / 20));
    onTestFinished(() => hurried.mockRestore());
    const { running, provider, ask } = await serverOf(() => undefined);
    const askAtOnce = (requests: number) => Promise.all(Array.from({ length: requests }, () => ask("ins_1")));
    const [open, answers] = await Promise.all([running.get("/api/course/all", tokenOf({})), askAtOnce(40)]);
    expect([open.status, answers]).toEqual([200, all(40, 500)]);
    expect(provider.asked).toBeLessThan(10);
    provider.reply = withKeys("ins_1");
    expect(await ask("ins_1")).toBe(200);
    expect(await askAtOnce(40)).toEqual(all(40, 200));
  });

  test("fetches the key set a few times at most for any number of unknown key ids, one after another or at once", async () => {
    const { provider, ask } = await serverOf(withKeys("ins_1"));
    for (let n = 0; n < 50; n += 1) expect(await ask(`made_up_${n}`)).toBe(401);
    expect(await Promise.all(Array.from({ length: 50 }, (_, n) => ask(`invented_${n}`)))).toEqual(all(50, 401));
    expect(provider.asked).toBeLessThanOrEqual(6);
    expect(await ask("ins_1")).toBe(200);
  });

  test("takes a new key up at once, fetched once for many callers", async () => {
    const { provider, ask } = await serverOf(withKeys("ins_1"));
    expect(await Promise.all(Array.from({ length: 30 }, () => ask("ins_1")))).toEqual(all(30, 200));
    expect(provider.asked).toBeLessThanOrEqual(2);
    expect(await ask("ins_9")).toBe(401);
    provider.reply = withKeys("ins_1", "ins_9");
    expect(await ask("ins_9")).toBe(200);
  });

  test("an accepted token is checked again after five minutes, and refused when its key was withdrawn", async () => {
    const { running, provider } = await serverOf(withKeys("ins_1"));
    const [token, other] = ["ins_1", "ins_2"].map((kid) => tokenOf({ exp: inAMinute() + 3_600 }, { kid }));
    const status = async (sent = token) => (await running.get("/api/user/data", sent)).status;
    expect(await status()).toBe(200);
    provider.reply = withKeys("ins_2");
    goForward(5 * 60_000 - 10_000);
    expect(await status()).toBe(200);
    goForward(10_000);
    expect([await status(), await status(other)]).toEqual([401, 200]);
  });

  test("keys that were good stay good for a day while the provider is away, and no longer", async () => {
    const { provider, ask } = await serverOf(withKeys("ins_1"));
    expect(await ask("ins_1")).toBe(200);
    provider.reply = down;
    goForward(6 * 60_000);
    for (let n = 0; n < 10; n += 1) expect(await ask("ins_1")).toBe(200);
    expect(provider.asked).toBeLessThanOrEqual(5);
    expect(await ask("ins_3")).toBe(500);
    goForward(23 * 3_600_000);
    expect(await ask("ins_1")).toBe(200);
    goForward(2 * 3_600_000);
    expect(await ask("ins_1")).toBe(500);
  });
});
