/** One user of the application in a state worth looking at. */
export interface Persona {
  /** Id of the user at the identity provider. */
  readonly id: string;
  readonly name: string;
  /** What state the user is in: `half-way learner`. */
  readonly state: string;
  /** What there is to see as this user, in one sentence. */
  readonly about: string;
}

export interface CollectionSummary {
  readonly name: string;
  readonly documents: number;
}

export interface Snapshot {
  readonly name: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly savedAt: string;
}

/** The application's database, as the console shows and changes it. */
export interface DatabaseTools {
  collections(): Promise<readonly CollectionSummary[]>;
  /** Documents as JSON, ordered by id. @param after the `next` of the page before. */
  documents(collection: string, after?: string): Promise<{ documents: readonly unknown[]; next?: string }>;
  /** Empties the database; `demo` loads the demo data afterwards. */
  reset(to: "empty" | "demo"): Promise<void>;
  snapshots(): Promise<readonly Snapshot[]>;
  /** Writes the whole database to a file of this name. */
  save(name: string): Promise<Snapshot>;
  /** Replaces the whole database by what the file holds. */
  restore(name: string): Promise<void>;
}

/** What the application offers to the console. */
export interface Application {
  readonly url: string;
  /** Its API reference. */
  readonly reference?: string;
  readonly personas?: readonly Persona[];
  readonly database?: DatabaseTools;
  /** Whether its API has coupons, grants and invoices below `/api/admin`. */
  readonly sales?: boolean;
}
