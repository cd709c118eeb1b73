declare module "bidi-js" {
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: "ltr" | "rtl"): { readonly levels: Uint8Array };
    /** @returns null for a character that is not mirrored. */
    getMirroredCharacter(character: string): string | null;
  }
  export default function createBidi(): Bidi;
}
