import { createHmac, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { identityOf } from "../server/emulators.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

const server = await startTestServer();

const data = (authorization?: string) =>
  server.get("/api/user/data", undefined, authorization === undefined ? {} : { authorization });
const unauthorized = { status: 401, body: { success: false, message: "Unauthorized Access" } };
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
/** What the emulator's publishable key names. */
const issuer = "https://identity.lyceum.local";
const inAMinute = () => Math.floor(Date.now() / 1000) + 60;

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

test("absent, empty and foreign credentials are 401", async () => {
  const token = identityOf(server.emulators).issueToken("user_1");
  for (const header of [
    undefined,
    "",
    "Bearer",
    "Bearer null",
    "Bearer undefined",
    `Basic ${token}`,
    token,
    `Bearer ${token}x`,
  ]) {
    expect(await data(header), String(header)).toMatchObject(unauthorized);
  }
  expect(await server.get(`/api/user/data?token=${token}`, undefined, { cookie: `__session=${token}` })).toMatchObject(
    unauthorized,
  );
});

test("expired and not-yet-valid tokens are 401 beyond five seconds of skew", async () => {
  const identity = identityOf(server.emulators);
  const now = Math.floor(Date.now() / 1000);
  expect(await data(`Bearer ${identity.issueToken("user_1", { claims: { exp: now - 7 } })}`)).toMatchObject(
    unauthorized,
  );
  expect(await data(`Bearer ${identity.issueToken("user_1", { claims: { nbf: now + 60 } })}`)).toMatchObject(
    unauthorized,
  );
  expect((await data(`Bearer ${identity.issueToken("user_1", { claims: { nbf: now + 2 } })}`)).status).toBe(200);
});

test("a token that was accepted is refused once it has expired", async () => {
  const now = Math.floor(Date.now() / 1000);
  const token = identityOf(server.emulators).issueToken("user_1", { claims: { exp: now - 3 } });
  expect((await data(`Bearer ${token}`)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(await data(`Bearer ${token}`)).toMatchObject(unauthorized);
});

test("a token that was accepted has expired when the clock says so, though the process stood still meanwhile", async () => {
  onTestFinished(() => void vi.useRealTimers());
  const token = identityOf(server.emulators).issueToken("user_1", { claims: { exp: inAMinute() } });
  expect((await data(`Bearer ${token}`)).status).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 70_000 });
  expect(await data(`Bearer ${token}`)).toMatchObject(unauthorized);
});

test("forged signatures are 401: no algorithm, the public key as a secret, another key", async () => {
  const claims = encode({ iss: issuer, sub: "user_1", iat: inAMinute() - 120, exp: inAMinute() });
  const pem = server.deps.config.identity.jwtKey ?? "";
  expect(createPublicKey(pem).asymmetricKeyType).toBe("rsa");
  const none = `${encode({ alg: "none", typ: "JWT" })}.${claims}.`;
  const symmetric = `${encode({ alg: "HS256", typ: "JWT" })}.${claims}`;
  const hmac = createHmac("sha256", pem).update(symmetric).digest("base64url");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = `${encode({ alg: "RS256", typ: "JWT", kid: "ins_1" })}.${claims}`;
  const foreign = sign("sha256", Buffer.from(other), privateKey).toString("base64url");
  for (const token of [none, `${symmetric}.${hmac}`, `${other}.${foreign}`, `${other}.`]) {
    expect(await data(`Bearer ${token}`)).toMatchObject(unauthorized);
  }
});

test.each([
  ["2048 bits", { modulusLength: 2048 }, "spki"],
  ["the older form of PEM", { modulusLength: 2048 }, "pkcs1"],
] as const)("a public key of %s verifies tokens", async (_kind, options, type) => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", options);
  const pem = publicKey.export({ type, format: "pem" }).toString();
  const running = await startTestServer({ env: { CLERK_JWT_KEY: pem } });
  const claims = encode({ iss: issuer, sub: "user_1", iat: inAMinute() - 120, exp: inAMinute() });
  const tokenOf = (header: object) => {
    const unsigned = `${encode({ typ: "JWT", kid: "ins_1", ...header })}.${claims}`;
    const hash = "alg" in header && header.alg === "RS512" ? "sha512" : "sha256";
    return `${unsigned}.${sign(hash, Buffer.from(unsigned), privateKey).toString("base64url")}`;
  };
  expect((await running.get("/api/user/data", tokenOf({ alg: "RS256" }))).status).toBe(200);
  const machines = { alg: "RS256", cat: "cl_B7d4PD333AAA" };
  for (const header of [{ alg: "RS512" }, machines]) {
    expect(await running.get("/api/user/data", tokenOf(header))).toMatchObject(unauthorized);
  }
});

describe("a token that was made for something else", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const tokenOf = (claims: object, header: object = {}) => {
    const all = { iss: issuer, sub: "user_1", iat: inAMinute() - 120, exp: inAMinute(), ...claims };
    const unsigned = `${encode({ alg: "RS256", typ: "JWT", kid: "ins_1", ...header })}.${encode(all)}`;
    return `${unsigned}.${sign("sha256", Buffer.from(unsigned), privateKey).toString("base64url")}`;
  };
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
    for (const azp of [
      "https://evil.example",
      "https://learn.example.evil.example",
      "",
      null,
      ["https://learn.example"],
    ]) {
      expect({ azp, statuses: await statuses(running, tokenOf({ azp })) }).toEqual({ azp, statuses: [401, 200] });
    }
    const ofEmulator = await startTestServer({ env: { FRONTEND_URL: "https://learn.example/app/" } });
    expect(await statuses(ofEmulator, identityOf(ofEmulator.emulators).issueToken("user_1"))).toEqual([200, 200]);
  });

  test("is refused when another application of the provider issued it", async () => {
    const named = `pk_live_${Buffer.from("clerk.learn.example$").toString("base64")}`;
    const running = await start({ CLERK_PUBLISHABLE_KEY: named });
    expect(await statuses(running, tokenOf({ iss: "https://clerk.learn.example" }))).toEqual([200, 200]);
    for (const iss of [issuer, "https://clerk.learn.example/", "http://clerk.learn.example", "", undefined, null]) {
      expect({ iss, statuses: await statuses(running, tokenOf({ iss })) }).toEqual({ iss, statuses: [401, 200] });
    }
    const ofEmulator = await startTestServer({ env: { CLERK_PUBLISHABLE_KEY: named } });
    expect(await statuses(ofEmulator, identityOf(ofEmulator.emulators).issueToken("user_1"))).toEqual([200, 200]);
  });

  test("is refused when it is no session token", async () => {
    const running = await start();
    for (const header of [{}, { cat: "cl_B7d4PD111AAA" }]) {
      expect(await statuses(running, tokenOf({}, header))).toEqual([200, 200]);
    }
    const template = { cat: "cl_B7d4PD222AAA" };
    const others = [template, { cat: "cl_B7d4PD333AAA" }, { cat: "" }, { cat: null }, { typ: "at+jwt" }];
    for (const header of others) {
      expect({ header, statuses: await statuses(running, tokenOf({}, header)) }).toEqual({
        header,
        statuses: [401, 200],
      });
    }
    expect(await statuses(running, tokenOf({ sub: "mch_1" }))).toEqual([401, 200]);
  });
});

test("a very long or repeated authorization header is not a fault", async () => {
  const long = await data(`Bearer ${"a".repeat(12_000)}`);
  expect(long).toMatchObject(unauthorized);
});

test("an invalid token is anonymous on public routes", async () => {
  expect((await server.get("/api/course/all", "null")).status).toBe(200);
});

type Reply = (res: ServerResponse) => void;

/** A server that fetches its key set from an identity provider that answers as told. */
async function withKeySet(reply: Reply): Promise<{ running: TestServer; provider: { reply: Reply } }> {
  const provider = { reply };
  const listener = createServer((_req, res) => {
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
  return { running: await startTestServer({ env }), provider };
}

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keySet = { keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: "ins_1", use: "sig", alg: "RS256" }] };

function signedBy(kid: string, expiresInSeconds = 60): string {
  const now = inAMinute() - 60;
  const claims = { iss: issuer, sub: "user_1", iat: now, nbf: now, exp: now + expiresInSeconds };
  const unsigned = `${encode({ alg: "RS256", typ: "JWT", kid })}.${encode(claims)}`;
  return `${unsigned}.${sign("sha256", Buffer.from(unsigned), keys.privateKey).toString("base64url")}`;
}

const fault = { status: 500, body: { success: false, message: "An unexpected error occurred" } };

test("keys that cannot be had are a fault on guarded routes and no hindrance on public ones", async () => {
  const outages: Reply[] = [
    (res) => res.writeHead(503, { "content-type": "text/html" }).end("<h1>down</h1>"),
    (res) => res.writeHead(500).end('{"errors":[]}'),
    () => undefined,
  ];
  const asked = outages.map(async (reply) => {
    const { running } = await withKeySet(reply);
    const paths = ["/api/user/data", "/api/course/all"];
    const answers = await Promise.all(paths.map((path) => running.get(path, signedBy("ins_1"))));
    expect(await running.get("/api/user/data", "null")).toMatchObject(unauthorized);
    return answers;
  });
  for (const [guarded, open] of await Promise.all(asked)) {
    expect(guarded).toMatchObject(fault);
    expect(open?.status).toBe(200);
  }
});

test("fetched keys outlast an outage; unknown keys are 401 while the provider answers", async () => {
  const { running, provider } = await withKeySet((res) => res.end(JSON.stringify(keySet)));
  expect((await running.get("/api/user/data", signedBy("ins_1"))).status).toBe(200);
  expect(await running.get("/api/user/data", signedBy("ins_2"))).toMatchObject(unauthorized);
  const nullHeader = `${Buffer.from("null").toString("base64url")}.${encode({})}.eHh4`;
  expect(await running.get("/api/user/data", nullHeader)).toMatchObject(unauthorized);
  provider.reply = (res) => res.writeHead(503).end("down");
  expect((await running.get("/api/user/data", signedBy("ins_1"))).status).toBe(200);
  expect(await running.get("/api/user/data", signedBy("ins_3"))).toMatchObject(fault);
});

test("while the provider of the keys is silent few connections wait for it, and all is well when it answers", async () => {
  let asked = 0;
  const { running, provider } = await withKeySet(() => void asked++);
  const ask = async (requests: number) => {
    const answers = Array.from({ length: requests }, () => running.get("/api/user/data", signedBy("ins_1")));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const all = (requests: number, status: number) => Array.from({ length: requests }, () => status);
  expect(await ask(40)).toEqual(all(40, 500));
  expect(asked).toBeLessThan(10);
  provider.reply = (res) => res.end(JSON.stringify(keySet));
  expect(await ask(1)).toEqual([200]);
  expect(await ask(40)).toEqual(all(40, 200));
});

describe("the key set", () => {
  /** A server whose provider counts how often it is asked. */
  async function counted(reply: Reply = (res) => res.end(JSON.stringify(keySet))) {
    const fetches = { count: 0 };
    const counting = (next: Reply) => (res: ServerResponse) => {
      fetches.count += 1;
      next(res);
    };
    const { running, provider } = await withKeySet(counting(reply));
    const ask = async (kid: string) => (await running.get("/api/user/data", signedBy(kid))).status;
    const answer = (next: Reply) => {
      provider.reply = counting(next);
    };
    return { ask, fetches, answer };
  }
  const goForward = (ms: number) => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  };
  const down: Reply = (res) => res.writeHead(503).end();

  test("is fetched a few times at most for any number of unknown key ids, one after another or at once", async () => {
    const { ask, fetches } = await counted();
    for (let n = 0; n < 50; n += 1) expect(await ask(`made_up_${n}`)).toBe(401);
    expect(await Promise.all(Array.from({ length: 50 }, (_, n) => ask(`invented_${n}`)))).toEqual(Array(50).fill(401));
    expect(fetches.count).toBeLessThanOrEqual(6);
    expect(await ask("ins_1")).toBe(200);
  });

  test("is shared by many callers at once", async () => {
    const { ask, fetches } = await counted();
    expect(await Promise.all(Array.from({ length: 30 }, () => ask("ins_1")))).toEqual(Array(30).fill(200));
    expect(fetches.count).toBeLessThanOrEqual(2);
  });

  test("takes a new key up at once", async () => {
    const { ask, answer } = await counted();
    expect([await ask("ins_1"), await ask("ins_9")]).toEqual([200, 401]);
    const [key] = keySet.keys;
    answer((res) => res.end(JSON.stringify({ keys: [key, { ...key, kid: "ins_9" }] })));
    expect(await ask("ins_9")).toBe(200);
  });

  test("a key that the provider has withdrawn is refused after five minutes", async () => {
    const { ask, answer } = await counted();
    expect(await ask("ins_1")).toBe(200);
    const [key] = keySet.keys;
    answer((res) => res.end(JSON.stringify({ keys: [{ ...key, kid: "ins_2" }] })));
    goForward(5 * 60_000);
    expect([await ask("ins_1"), await ask("ins_2")]).toEqual([401, 200]);
  });

  test("an accepted token is checked again after five minutes, and refused when its key was withdrawn", async () => {
    const { running, provider } = await withKeySet((res) => res.end(JSON.stringify(keySet)));
    const token = signedBy("ins_1", 3_600);
    const status = async () => (await running.get("/api/user/data", token)).status;
    expect(await status()).toBe(200);
    const [key] = keySet.keys;
    provider.reply = (res) => res.end(JSON.stringify({ keys: [{ ...key, kid: "ins_2" }] }));
    goForward(5 * 60_000 - 10_000);
    expect(await status()).toBe(200);
    goForward(10_000);
    expect(await status()).toBe(401);
  });

  const failures: [string, Reply][] = [
    ["429", (res) => res.writeHead(429).end()],
    ["503", down],
    ["no JSON", (res) => res.end("<html>")],
  ];
  test.each(failures)(
    "a provider that answers %s is asked a few times a minute, until it is well",
    async (_kind, reply) => {
      const { ask, fetches, answer } = await counted(reply);
      for (let n = 0; n < 20; n += 1) expect(await ask("ins_1")).toBe(500);
      expect(fetches.count).toBeLessThanOrEqual(4);
      answer((res) => res.end(JSON.stringify(keySet)));
      goForward(31_000);
      expect(await ask("ins_1")).toBe(200);
    },
  );

  test("keys that were good stay good for a day while the provider is away, and no longer", async () => {
    const { ask, fetches, answer } = await counted();
    expect(await ask("ins_1")).toBe(200);
    answer(down);
    goForward(6 * 60_000);
    for (let n = 0; n < 10; n += 1) expect(await ask("ins_1")).toBe(200);
    expect(fetches.count).toBeLessThanOrEqual(5);
    goForward(23 * 3_600_000);
    expect(await ask("ins_1")).toBe(200);
    goForward(2 * 3_600_000);
    expect(await ask("ins_1")).toBe(500);
  });
});
