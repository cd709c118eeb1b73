import { createPublicKey } from "node:crypto";
import type { Config } from "../../config.js";
import type { Issuer } from "../../deps.js";
import { type CredentialKeys, keysInFolder } from "./credential-keys.js";

/** The DID of an address: `did:web:host%3Aport:path`. */
export function didOf(backendUrl: string): string {
  const { host, pathname } = new URL(backendUrl);
  const path = pathname.split("/").filter((part) => part !== "");
  return ["did:web", host.replace(":", "%3A"), ...path].join(":");
}

/**
 * Creates the issuer; undefined when no key is configured in production. Elsewhere a key in the data folder signs. Keys and
 * libraries are loaded on the first use.
 */
export function createIssuer({
  credentialKeys,
  production,
  dataDir,
  backendUrl,
}: Pick<Config, "credentialKeys" | "production" | "dataDir" | "backendUrl">): Issuer | undefined {
  if (production && !credentialKeys) return undefined;
  const did = didOf(backendUrl);
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    did,
    describe: async () => (await loaded()).document,
    sign: async (document) => (await loaded()).sign(document),
  };

  async function load() {
    const keys = credentialKeys ?? (await keysInFolder(dataDir));
    return prepareIssuer(did, keys);
  }
}

/** Makes the DID document, and the function that signs. */
async function prepareIssuer(did: string, { signing, published }: CredentialKeys) {
  const { createSigner, multibaseOf } = await import("./create-signer.js");
  const idOf = (multibase: string) => `${did}#${multibase}`;
  const methods = await Promise.all(
    published.map(async (key) => {
      const publicKeyMultibase = await multibaseOf(key);
      return { id: idOf(publicKeyMultibase), type: "Multikey", controller: did, publicKeyMultibase };
    }),
  );
  const document = {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
  };
  const keyId = idOf(await multibaseOf(createPublicKey(signing)));
  return { document, sign: await createSigner({ key: signing, keyId }) };
}
