import { createPublicKey, createSign, randomUUID } from "node:crypto";

export interface TokenOptions {
  /** Value of the `metadata.role` claim. Null leaves the claim out. It defaults to the role in the user's metadata. */
  role?: string | null;
  /** Lifetime in seconds, by default one hour. A negative number makes an expired token. */
  expiresInSeconds?: number;
  /** Claims to add, or to remove when undefined. */
  claims?: Record<string, unknown>;
}

export interface TokenIssuer {
  /** Issues an RS256 session token for `Authorization: Bearer`. */
  issue(userId: string, role: string | null, options: TokenOptions): string;
  /** Returns the key set of `GET /v1/jwks`. */
  readonly keySet: { keys: Record<string, unknown>[] };
}

const keyId = "ins_lyceum_emulator";

/**
 * Creates the token issuer. @param issuer value of `iss`. `party` is the `azp`: the browser origin that requested the
 * token.
 */
export function tokenIssuer(
  keys: { privateKey: string; publicKey: string },
  issuer: string,
  party: string,
): TokenIssuer {
  const jwk = createPublicKey(keys.publicKey).export({ format: "jwk" });
  return {
    keySet: { keys: [{ ...jwk, use: "sig", kid: keyId, alg: "RS256" }] },
    issue(userId, role, { expiresInSeconds = 3600, claims = {} }) {
      const now = Math.floor(Date.now() / 1000);
      const issuedAt = Math.min(now, now + expiresInSeconds - 60);
      const payload = {
        azp: party,
        exp: now + expiresInSeconds,
        iat: issuedAt,
        iss: issuer,
        nbf: issuedAt - 10,
        sid: `sess_${randomUUID().replaceAll("-", "")}`,
        sub: userId,
        ...(role === null ? {} : { metadata: { role } }),
        ...claims,
      };
      const unsigned = `${encode({ alg: "RS256", kid: keyId, typ: "JWT" })}.${encode(payload)}`;
      const signature = createSign("RSA-SHA256").update(unsigned).sign(keys.privateKey, "base64url");
      return `${unsigned}.${signature}`;
    },
  };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
