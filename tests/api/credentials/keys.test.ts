import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { contexts } from "@digitalbazaar/credentials-context";
import { pino } from "pino";
import { expect, test } from "vitest";
import { parseConfig, secretsOf } from "../../../src/config.js";
import { createLog } from "../../../src/process.js";
import { createSigner, multibaseOf } from "../../../src/services/credentials/create-signer.js";
import { didOf } from "../../../src/services/credentials/issuer.js";
import { refusal } from "../../assertions/refusal.js";
import { startTestServer } from "../../server/test-server.js";
import { fetchFrom, holder } from "./holder.js";
import { byHand, byLibrary } from "./verifiers.js";

const makeKey = () => generateKeyPairSync("ed25519");
const privatePem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
const publicPem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();

const [old, present] = [makeKey(), makeKey()];
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Of the appendix of W3C's Data Integrity EdDSA Cryptosuites 1.0. */
const vector = {
  seed: "c96ef9ea10c5e414c471723aff9de72c35fa5b70fae97e8832ecac7d2e2b8ed6",
  publicKey: "z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2",
  proofValue: "z2YwC8z3ap7yx1nZYCg4L3j3ApHsF8kgPdSb5xoS1VR7vPG3F561B52hYnQF9iseabecm3ijx4K1FBTQsCZahKZme",
  credential: {
    "@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"],
    id: "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
    type: ["VerifiableCredential", "AlumniCredential"],
    name: "Alumni Credential",
    description: "A minimum viable example of an Alumni Credential.",
    issuer: "https://vc.example/issuers/5678",
    validFrom: "2023-01-01T00:00:00Z",
    credentialSubject: { id: "did:example:abcdefgh", alumniOf: "The School of Examples" },
  },
};

test("the official vector of eddsa-rdfc-2022 is signed as W3C says, and verified", async () => {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from(vector.seed, "hex")]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  expect(await multibaseOf(createPublicKey(key))).toBe(vector.publicKey);
  const keyId = `did:key:${vector.publicKey}#${vector.publicKey}`;
  const examples = { "@context": { "@vocab": "https://www.w3.org/ns/credentials/examples#" } };
  const known = new Map([...contexts, ["https://www.w3.org/ns/credentials/examples/v2", examples]] as const);
  const sign = await createSigner({ key, keyId }, known);
  const signed = await sign(vector.credential, new Date("2023-02-24T23:36:38Z"));
  expect(signed.proof[0]).toMatchObject({ proofValue: vector.proofValue, verificationMethod: keyId });
  const method = { id: keyId, type: "Multikey", controller: "did:key", publicKeyMultibase: vector.publicKey };
  const fetchJson = async () => ({ verificationMethod: [method], assertionMethod: [keyId] });
  expect(await byHand(signed, fetchJson)).toBe("good");
  await expect((await createSigner({ key, keyId }, contexts))(vector.credential)).rejects.toThrow();
});

test.each([
  ["https://learn.example.org", "did:web:learn.example.org"],
  ["https://example.org:8443", "did:web:example.org%3A8443"],
  ["https://example.org/a/lyceum", "did:web:example.org:a:lyceum"],
])("the DID of %s is %s", (address, did) => expect(didOf(address)).toBe(did));

test.each([
  ["a public key alone", publicPem(old.publicKey)],
  ["a key that is not Ed25519", privatePem(old.privateKey) + privatePem(rsa.privateKey)],
  ["what is no PEM", "my-own-words"],
  ["a damaged key", privatePem(old.privateKey).replace(/MC4/, "MC5")],
  ["text beside a key", `${privatePem(old.privateKey)}key of 2026`],
])("the start stops for %s, without naming it", (_what, CREDENTIAL_KEYS) => {
  expect(() => parseConfig({ CREDENTIAL_KEYS })).toThrow(/CREDENTIAL_KEYS is malformed: must be PEM blocks of Ed25519/);
  expect(() => parseConfig({ CREDENTIAL_KEYS })).not.toThrow(CREDENTIAL_KEYS);
});

test("after a change of keys, old credentials stay valid while the old key is published", async () => {
  const before = await startTestServer({
    env: { CREDENTIAL_KEYS: privatePem(old.privateKey).replaceAll("\n", "\\n") },
  });
  const { body } = await (await holder(before)).credential();
  const keys = privatePem(present.privateKey) + publicPem(old.publicKey);
  const [rotated, lost] = [
    await before.another({ CREDENTIAL_KEYS: keys + publicPem(present.publicKey) }),
    await before.another({ CREDENTIAL_KEYS: privatePem(present.privateKey) }),
  ];
  const multibases = await Promise.all([present, old].map(({ publicKey }) => multibaseOf(publicKey)));
  const did = "did:web:localhost%3A3000";
  const ids = multibases.map((multibase) => `${did}#${multibase}`);
  const { body: document } = await rotated.get("/did.json");
  expect(document).toEqual({
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
    id: did,
    verificationMethod: multibases.map((publicKeyMultibase, i) => ({
      ...{ id: ids[i], type: "Multikey", controller: did, publicKeyMultibase },
    })),
    assertionMethod: ids,
  });
  expect((await (await holder(rotated)).credential()).body.proof[0].verificationMethod).toBe(ids[0]);
  for (const verify of [byHand, byLibrary]) {
    expect(await verify(body, fetchFrom(rotated))).toBe("good");
    expect(await verify(body, fetchFrom(lost))).toBe("forged");
  }
});

test("outside production one key is made in DATA_DIR, which only its owner reads, and every instance uses it", async () => {
  const server = await startTestServer({ own: "has a data folder" });
  const other = await server.another();
  const documents = await Promise.all([server, other].map((each) => each.get("/.well-known/did.json")));
  const [body, again] = documents.map((answer) => answer.body);
  expect(again).toEqual(body);
  const file = join(server.deps.config.dataDir, "credential-key.pem");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  // The same key, when the folder moves to a configuration.
  const configured = await server.another({ CREDENTIAL_KEYS: await readFile(file, "utf8") });
  expect((await configured.get("/did.json")).body).toEqual(body);
});

test("a key is hidden in logs, as text and as a part of the configuration", async () => {
  const { deps } = await startTestServer({ env: { CREDENTIAL_KEYS: privatePem(old.privateKey) } });
  const lines: string[] = [];
  const log = createLog("info", secretsOf(deps.config), { write: (line) => void lines.push(line) });
  const [, secret = ""] = privatePem(old.privateKey).split("\n");
  log.info({ keys: deps.config.credentialKeys, text: secret }, secret);
  const { d = "" } = old.privateKey.export({ format: "jwk" });
  expect(lines.join("")).toContain("[secret]");
  for (const shown of [secret, d]) expect(lines.join("")).not.toContain(shown);
});

test("without keys in production there are no credentials, and the start says so once", async () => {
  const lines: { eventId?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const production = {
    NODE_ENV: "production",
    BACKEND_URL: "https://api.example",
    FRONTEND_URL: "http://localhost:5173",
  };
  const made = await startTestServer({ log });
  const { certificateId, courseId, learner } = await holder(made);
  const server = await made.another(production);
  expect(lines.filter(({ eventId }) => eventId === "credentials_off")).toHaveLength(1);
  const own = `/api/user/certificates/${certificateId}`;
  const open = ["/.well-known/did.json", "/did.json", "/api/certificate/status/1", `/api/course/${courseId}/badge.png`];
  for (const path of [...open, `${own}/credential`, `${own}/badge.png`]) {
    expect(await server.get(path, learner.token)).toMatchObject(refusal(404, "Credentials are not set up"));
  }
});
