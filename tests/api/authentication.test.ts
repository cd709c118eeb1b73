import { createHmac, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { identityOf, startTestServer, type TestServer } from "../support/server.js";

const server = await startTestServer();

const data = (authorization?: string) =>
  server.get("/api/user/data", undefined, authorization === undefined ? {} : { authorization });
const unauthorized = { status: 401, body: { success: false, message: "Unauthorized Access" } };
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const inAMinute = () => Math.floor(Date.now() / 1000) + 60;

test("a valid session token is accepted", async () => {
  const token = identityOf(server.sandbox).issueToken("user_1");
  expect(await data(`Bearer ${token}`)).toMatchObject({
    status: 200,
    body: { success: false, message: "User Not Found" },
  });
});

test("absent, empty and foreign credentials are 401", async () => {
  const token = identityOf(server.sandbox).issueToken("user_1");
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
  const identity = identityOf(server.sandbox);
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
  const token = identityOf(server.sandbox).issueToken("user_1", { claims: { exp: now - 3 } });
  expect((await data(`Bearer ${token}`)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(await data(`Bearer ${token}`)).toMatchObject(unauthorized);
});

test("a token that was accepted has expired when the clock says so, though the process stood still meanwhile", async () => {
  onTestFinished(() => void vi.useRealTimers());
  const token = identityOf(server.sandbox).issueToken("user_1", { claims: { exp: inAMinute() } });
  expect((await data(`Bearer ${token}`)).status).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 70_000 });
  expect(await data(`Bearer ${token}`)).toMatchObject(unauthorized);
});

test("forged signatures are 401: no algorithm, the public key as a secret, another key", async () => {
  const claims = encode({ sub: "user_1", iat: inAMinute() - 120, exp: inAMinute() });
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
  ["4096 bits", { modulusLength: 4096 }, "spki"],
  ["another exponent", { modulusLength: 2048, publicExponent: 3 }, "spki"],
  ["the older form of PEM", { modulusLength: 2048 }, "pkcs1"],
] as const)("a public key of %s verifies tokens", async (_kind, options, type) => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", options);
  const pem = publicKey.export({ type, format: "pem" }).toString();
  const running = await startTestServer({ env: { CLERK_JWT_KEY: pem } });
  const claims = encode({ sub: "user_1", iat: inAMinute() - 120, exp: inAMinute() });
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
  const listener = createServer((_req, res) => provider.reply(res)).listen(0, "127.0.0.1");
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

function signedBy(kid: string): string {
  const now = inAMinute() - 60;
  const claims = { sub: "user_1", iat: now, nbf: now, exp: inAMinute() };
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
  expect(await running.get("/api/user/data", signedBy("ins_2"))).toMatchObject(fault);
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
  const before = asked;
  expect(await ask(40)).toEqual(all(40, 500));
  expect(asked - before).toBe(1);
  provider.reply = (res) => res.end(JSON.stringify(keySet));
  expect(await ask(1)).toEqual([200]);
  expect(await ask(40)).toEqual(all(40, 200));
});
