import { createHmac, createPublicKey, createSign, generateKeyPairSync } from "node:crypto";
import { type Finding, same } from "./findings.js";
import type { Target } from "./target.js";

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const keyId = "ins_lyceum_emulator";

/** A token as the provider signs it, with what an attacker would change. */
export function forge(target: Target, { header = {}, claims = {}, key = target.signingKey }: Forgery = {}): string {
  const now = Math.floor(Date.now() / 1_000);
  const frontend = Buffer.from(target.env.CLERK_PUBLISHABLE_KEY?.split("_").at(-1) ?? "", "base64").toString();
  const payload = {
    ...{ azp: target.env.FRONTEND_URL, iss: `https://${frontend.replace(/\$$/, "")}`, sub: "user_attacker" },
    ...{ exp: now + 600, iat: now - 10, nbf: now - 10, sid: "sess_1" },
    ...claims,
  };
  const unsigned = `${encode({ alg: "RS256", kid: keyId, typ: "JWT", ...header })}.${encode(payload)}`;
  return `${unsigned}.${createSign("RSA-SHA256").update(unsigned).sign(key, "base64url")}`;
}

interface Forgery {
  header?: object;
  claims?: object;
  key?: string;
}

export async function forgedTokens(target: Target): Promise<Finding[]> {
  const now = Math.floor(Date.now() / 1_000);
  const publicKey = createPublicKey(target.signingKey).export({ type: "spki", format: "pem" });
  const other = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const [header, payload] = forge(target).split(".");
  const confused = `${encode({ alg: "HS256", kid: keyId, typ: "JWT" })}.${payload}`;
  const tokens: [string, string][] = [
    ["made for another page (azp)", forge(target, { claims: { azp: "https://evil.example" } })],
    ["made for a page of the same name with another port", forge(target, { claims: { azp: "http://localhost:5174" } })],
    ["with several pages in azp", forge(target, { claims: { azp: ["http://localhost:5173"] } })],
    ["of another application (iss)", forge(target, { claims: { iss: "https://other.clerk.accounts.dev" } })],
    ["without iss", forge(target, { claims: { iss: undefined } })],
    ["made from a template (category)", forge(target, { header: { cat: "cl_B7d4PD222AAA" } })],
    ["of a machine", forge(target, { claims: { sub: "mch_1" } })],
    ["of an OAuth application", forge(target, { header: { typ: "at+jwt" } })],
    ["expired", forge(target, { claims: { exp: now - 60 } })],
    ["not valid yet", forge(target, { claims: { nbf: now + 60 } })],
    ["without exp", forge(target, { claims: { exp: undefined } })],
    ["without a subject", forge(target, { claims: { sub: undefined } })],
    ["with a list as subject", forge(target, { claims: { sub: ["user_attacker"] } })],
    ["signed by another key", forge(target, { key: other.privateKey })],
    ["with its own key in the header", forge(target, { header: { jwk: { kty: "RSA" } }, key: other.privateKey })],
    ["unsigned (alg none)", `${encode({ alg: "none", kid: keyId, typ: "JWT" })}.${payload}.`],
    ["unsigned, with a signature", `${encode({ alg: "none", kid: keyId, typ: "JWT" })}.${payload}.AA`],
    [
      "signed with the public key as a secret",
      `${confused}.${createHmac("sha256", publicKey).update(confused).digest("base64url")}`,
    ],
    ["with a changed payload", `${header}.${encode({ sub: "user_other" })}.${forge(target).split(".")[2]}`],
    ["__proto__ as key id", forge(target, { header: { kid: "__proto__" } })],
    ["a key id of 10,000 characters", forge(target, { header: { kid: "k".repeat(10_000) } })],
  ];
  const findings: Finding[] = [];
  for (const [name, token] of tokens) {
    const { status, body } = await target.call("GET", "/api/user/data", { token });
    findings.push(same(`token ${name}`, [status, body.message], [401, "Unauthorized Access"]));
  }
  const good = await target.call("GET", "/api/user/data", { token: forge(target) });
  findings.push(same("token as it must be", [good.status, good.body.message], [200, "User Not Found"]));
  const admin = forge(target, { claims: { metadata: { role: ["admin"] } } });
  findings.push(same("role as a list", (await target.call("GET", "/api/admin/stats", { token: admin })).status, 403));
  return findings;
}
