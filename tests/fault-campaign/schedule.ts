import fc from "fast-check";

/** The services behind a proxy. Each server has its own proxies. */
export const places = ["database", "redis", "payments", "identity", "storage", "ai", "mail"] as const;
export type Place = (typeof places)[number];

/** Index of the server. */
type Server = 0 | 1;

/** A fault without its time. `kind` is its name in the printed schedule and in the table. */
export type Trouble =
  /** Kills the process and starts it again at the end. */
  | { readonly kind: "kill"; readonly server: Server }
  /** Pauses the process with SIGSTOP and continues it with SIGCONT at the end. */
  | { readonly kind: "stop"; readonly server: Server }
  /** Stops the process with SIGTERM and starts it again. */
  | { readonly kind: "restart"; readonly server: Server }
  /** Shifts the server's clock. */
  | { readonly kind: "clock"; readonly server: Server; readonly shiftMs: number }
  /** Closes every open connection and accepts new ones. */
  | { readonly kind: "cut"; readonly server: Server; readonly place: Place }
  | { readonly kind: "refuse"; readonly server: Server; readonly place: Place }
  | { readonly kind: "delay"; readonly server: Server; readonly place: Place; readonly delayMs: number }
  /** Forwards nothing in either direction until the end. */
  | { readonly kind: "black hole"; readonly server: Server; readonly place: Place }
  /** Cuts a reply after this many bytes. */
  | { readonly kind: "half answers"; readonly server: Server; readonly place: Place; readonly bytes: number }
  /** Loses, duplicates, delays or reorders webhooks. */
  | {
      readonly kind: "webhooks";
      readonly provider: "payments" | "identity";
      readonly trick: "lost" | "copies" | "late" | "reordered";
    }
  /** Makes the provider fail. With the last two faults it still does the work. */
  | {
      readonly kind: "provider";
      readonly provider: "payments" | "identity" | "storage";
      readonly fault: "error" | "garbled" | "hang" | "lost-reply" | "timeout";
    }
  /** Makes the mail server fail. With the last two faults it still keeps the mail. */
  | { readonly kind: "mail server"; readonly fault: MailFault }
  /** Makes the database fail commands, mostly inside transactions. */
  | { readonly kind: "failing commands"; readonly failure: CommandFailure; readonly times: number }
  /** Kills the database's process. */
  | { readonly kind: "kill database" };

const mailFaults = ["away", "refuse-recipient", "error", "cut", "lost-reply", "timeout"] as const;
export type MailFault = (typeof mailFaults)[number];

const commandFailures = [
  ...(["write conflict", "conflict at commit", "commit unknown, done"] as const),
  ...(["commit cut", "not primary", "insert cut"] as const),
] as const;
export type CommandFailure = (typeof commandFailures)[number];

/** A fault with its start and its duration. */
export type Fault = Trouble & { readonly atMs: number; readonly forMs: number };

export interface ScheduleOptions {
  readonly seed: number;
  /** Period in which faults start. */
  readonly ms: number;
  /** Usual pause between two faults. */
  readonly everyMs: number;
  /** Longest duration of a fault. */
  readonly longestMs: number;
}

const server = fc.constantFrom<Server>(0, 1);
/** The database is the most frequent place, because every request uses it. */
const place = fc.constantFrom<Place>("database", "database", "database", "payments", "payments", ...places);

type Drawn<T> = { readonly [F in Exclude<keyof T, "kind">]: fc.Arbitrary<T[F]> };

/** The weight of each kind and what is drawn for it. */
const troubles: { readonly [K in Trouble["kind"]]: readonly [number, Drawn<Extract<Trouble, { kind: K }>>] } = {
  kill: [3, { server }],
  stop: [3, { server }],
  restart: [1, { server }],
  clock: [2, { server, shiftMs: fc.integer({ min: -60, max: 60 }).map((seconds) => seconds * 1_000) }],
  cut: [8, { server, place }],
  refuse: [3, { server, place }],
  delay: [5, { server, place, delayMs: fc.integer({ min: 20, max: 1_500 }) }],
  "black hole": [4, { server, place }],
  "half answers": [4, { server, place, bytes: fc.integer({ min: 1, max: 200 }) }],
  webhooks: [
    6,
    {
      provider: fc.constantFrom("payments", "payments", "identity"),
      trick: fc.constantFrom("lost", "copies", "late", "reordered"),
    },
  ],
  provider: [
    5,
    {
      provider: fc.constantFrom("payments", "payments", "identity", "storage"),
      fault: fc.constantFrom("error", "garbled", "hang", "lost-reply", "timeout"),
    },
  ],
  "mail server": [3, { fault: fc.constantFrom(...mailFaults) }],
  "failing commands": [9, { failure: fc.constantFrom(...commandFailures), times: fc.integer({ min: 1, max: 12 }) }],
  "kill database": [1, {}],
};
const trouble = fc.oneof(
  ...Object.entries(troubles).map(([kind, [weight, fields]]) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...fields }) as fc.Arbitrary<Trouble>,
  })),
);

/** Generates the faults of a seed in order. Equal seeds give equal schedules. */
export function scheduleOf({ seed, ms, everyMs, longestMs }: ScheduleOptions): Fault[] {
  const drawn = fc.noBias(
    fc.record({
      trouble,
      pauseMs: fc.integer({ min: Math.ceil(everyMs / 2), max: Math.ceil(everyMs * 1.5) }),
      forMs: fc.integer({ min: 200, max: longestMs }),
    }),
  );
  const faults: Fault[] = [];
  let atMs = 0;
  for (const one of fc.sample(drawn, { seed, numRuns: Math.ceil((2 * ms) / everyMs) + 1 })) {
    atMs += one.pauseMs;
    if (atMs >= ms) break;
    faults.push({ ...one.trouble, atMs, forMs: one.forMs });
  }
  return faults;
}

/** Formats one line of the printed schedule. */
export function describe(fault: Fault): string {
  const { atMs, forMs, kind, ...more } = fault;
  const said = Object.entries(more).map(([name, value]) => `${name} ${value}`);
  return `${(atMs / 1_000).toFixed(2).padStart(7)} s  ${kind.padEnd(16)} ${said.join(", ")} for ${forMs} ms`;
}
