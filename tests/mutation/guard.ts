/** What a guard is: the ways in which the server keeps its promises. */
export const kinds = [
  "unique index",
  "conditional update",
  "transaction",
  "signature",
  "identity",
  "access",
  "limit",
  "field set",
  "repetition",
  "money",
  "bad row",
  "operation",
] as const;
export type Kind = (typeof kinds)[number];

/** One guard of the server, and how it is taken away. */
export interface Guard {
  /** Unique; never reused for another guard. */
  readonly id: string;
  readonly kind: Kind;
  /** What it guarantees. */
  readonly about: string;
  /** Below `src/`. */
  readonly file: string;
  /** Text of the file that occurs once. */
  readonly find: string;
  /** What takes its place: the code without the guard. It compiles. */
  readonly replace: string;
  /** Test files below `tests/`, of which one fails without the guard. The fastest that are known. */
  readonly tests: readonly string[];
  /** Only tests whose name holds this. */
  readonly only?: string;
}
