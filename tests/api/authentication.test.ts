import { createHmac, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { identityOf, startTestServer, type TestServer } from "../support/server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

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

test("a very long or repeated authorization header is not a fault", async () => {
  const long = await data(`Bearer ${"a".repeat(12_000)}`);
  expect(long).toMatchObject(unauthorized);
});

test("an invalid token is anonymous on public routes", async () => {
  expect((await server.get("/api/course/all", "null")).status).toBe(200);
});
