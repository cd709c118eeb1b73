import type { ProviderRow } from "../options.js";

/** A demo user whom the console offers for sign-in. */
export interface Persona {
  /** Id of the user at the identity provider. */
  readonly id: string;
  readonly name: string;
  /** State of the user, for example `halfway learner`. */
  readonly state: string;
  /** One sentence about the data of this user. */
  readonly about: string;
}

export interface CollectionSummary {
  readonly name: string;
  readonly documents: number;
}

export interface Snapshot {
  readonly name: string;
  readonly bytes: number;
  /** Time in ISO 8601. */
  readonly savedAt: string;
}

/** The database functions that the console offers. */
export interface DatabaseTools {
  collections(): Promise<readonly CollectionSummary[]>;
  /** Lists documents as JSON, ordered by id. @param after the `next` of the page before. */
  documents(collection: string, after?: string): Promise<{ documents: readonly unknown[]; next?: string }>;
  /** Empties the database. `demo` loads the demo data afterwards. */
  reset(to: "empty" | "demo"): Promise<void>;
  snapshots(): Promise<readonly Snapshot[]>;
  /** Saves the whole database to a file of this name. */
  save(name: string): Promise<Snapshot>;
  /** Replaces the whole database by the content of a file. */
  restore(name: string): Promise<void>;
}

/** The application's part of the console. */
export interface Application {
  readonly url: string;
  /** Address of the API reference. */
  readonly reference?: string;
  readonly personas?: readonly Persona[];
  readonly database?: DatabaseTools;
  /** Rows for further services, such as the database, above those of the providers. */
  readonly services?: readonly ProviderRow[];
  /** Files of further panels: JavaScript modules whose default export is a panel, as in `web/console/panels`. */
  readonly panels?: readonly string[];
  /** Express middleware that serves the panels' requests below `/application`, for example a router. */
  routes?(req: object, res: object, next: (error?: unknown) => void): unknown;
}

/** The running console. */
export interface Console {
  readonly url: string;
  /** Shows the application's address, personas, database and panels. */
  show(application: Application): void;
  /** Records one line of the application's log. */
  record(line: string): void;
}
