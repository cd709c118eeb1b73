import { generateKeyPair, randomBytes } from "node:crypto";
import { link, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { readJson } from "./json-file.js";
import { randomDigits, randomId } from "./random-id.js";

const Secrets = z.object({
  identity: z.object({
    secretKey: z.string(),
    webhookSecret: z.string(),
    privateKey: z.string(),
    publicKey: z.string(),
  }),
  payments: z.object({ keyId: z.string(), keySecret: z.string(), webhookSecret: z.string() }),
  storage: z.object({ key: z.string(), secret: z.string() }),
  ai: z.object({ key: z.string() }),
});

/** Development secrets of all emulators. The key pair is PEM (PKCS#8 and SPKI). */
export type Secrets = z.infer<typeof Secrets>;

let secretsInMemory: Promise<Secrets> | undefined;

/**
 * Generates the secrets of this data folder once, so that tokens and signatures survive a restart. Only the owner can
 * read the file. Two processes that start together share one set. Emulators without a folder share one set for each
 * process, because a key pair takes a quarter of a second.
 */
export async function loadSecrets(folder: string | undefined): Promise<Secrets> {
  if (folder === undefined) {
    secretsInMemory ??= generateSecrets();
    return secretsInMemory;
  }
  const path = join(folder, "secrets.json");
  const known = await readJson(path, Secrets);
  if (known !== undefined) return known;

  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `secrets.${randomId("", 8)}.tmp`);
  await writeFile(temporary, JSON.stringify(await generateSecrets(), null, 2), { mode: 0o600, flag: "wx" });
  try {
    await link(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return loadSecrets(folder);
}

async function generateSecrets(): Promise<Secrets> {
  const keys = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicExponent: 65537,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  return {
    identity: {
      secretKey: randomId("sk_test_", 40),
      webhookSecret: `whsec_${randomBytes(24).toString("base64")}`,
      privateKey: keys.privateKey,
      publicKey: keys.publicKey,
    },
    payments: {
      keyId: randomId("rzp_test_", 14),
      keySecret: randomId("", 24),
      webhookSecret: randomId("", 32),
    },
    storage: { key: randomDigits(15), secret: randomId("", 27) },
    ai: { key: randomId("sk-emulator-", 40) },
  };
}
