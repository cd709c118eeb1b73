import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** Keys of an issuer. Objects of `node:crypto` show no secret when they are printed or written as JSON. */
export interface CredentialKeys {
  readonly signing: KeyObject;
  /** The public keys, each once, in their order. */
  readonly published: readonly KeyObject[];
}

const block = /^-----BEGIN (PRIVATE|PUBLIC) KEY-----[\s\w+/=]+-----END \1 KEY-----\s*$/;

/** Reads PEM blocks of Ed25519 keys. `\n` may stand for the end of a line. */
export const credentialKeys = z.string().transform((text, context): CredentialKeys => {
  const blocks = text
    .replaceAll("\\n", "\n")
    .trim()
    .split(/(?=-----BEGIN )/);
  const keys = blocks.map(keyIn).filter((key) => key?.asymmetricKeyType === "ed25519");
  const signing = keys.find((key) => key?.type === "private");
  if (signing && keys.length === blocks.length) return { signing, published: publicKeys(keys) };
  context.addIssue("must be PEM blocks of Ed25519 keys (PKCS#8 private keys or public keys), with a private one");
  return z.NEVER;
});

function keyIn(pem: string): KeyObject | undefined {
  const [, kind] = block.exec(pem) ?? [];
  if (!kind) return undefined;
  try {
    return kind === "PRIVATE" ? createPrivateKey(pem) : createPublicKey(pem);
  } catch {
    return undefined;
  }
}

/** @param keys may hold a key twice: once private, once public. */
function publicKeys(keys: readonly (KeyObject | undefined)[]): KeyObject[] {
  const known = keys
    .filter((key) => key !== undefined)
    .map((key): [string, KeyObject] => {
      const open = key.type === "private" ? createPublicKey(key) : key;
      return [open.export({ type: "spki", format: "pem" }).toString(), open];
    });
  return [...new Map(known).values()];
}

/** Returns the key in the data folder, which the first call creates. Of two processes, the first one's key stays. */
export async function keysInFolder(folder: string): Promise<CredentialKeys> {
  const file = join(folder, "credential-key.pem");
  const readKeys = async () => credentialKeys.parse(await readFile(file, "utf8"));
  const known = await readKeys().catch(ignoreMissing);
  if (known) return known;
  await mkdir(folder, { recursive: true });
  const complete = join(folder, `credential-key-${randomUUID()}`);
  const { privateKey } = generateKeyPairSync("ed25519");
  await writeFile(complete, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  await link(complete, file).catch(ignoreExisting);
  await rm(complete);
  return readKeys();
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
