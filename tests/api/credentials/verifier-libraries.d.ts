declare module "jsonld" {
  const jsonld: { toRDF(document: object, options: object): Promise<unknown> };
  export default jsonld;
}
declare module "rdf-canonize" {
  export function canonize(dataset: unknown, options: object): Promise<string>;
}
declare module "@digitalcredentials/data-integrity" {
  export class DataIntegrityProof {
    constructor(options: { cryptosuite: object });
  }
}
declare module "@digitalcredentials/eddsa-rdfc-2022-cryptosuite" {
  export const cryptosuite: object;
}
declare module "@digitalcredentials/vc" {
  type Log = { readonly id: string; readonly valid: boolean }[];
  export function verifyCredential(
    options: object,
  ): Promise<{ verified: boolean; log?: Log; error?: { readonly log?: Log } }>;
}
declare module "@digitalcredentials/vc-bitstring-status-list" {
  export function checkStatus(options: object): Promise<object>;
}
