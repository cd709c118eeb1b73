import fc from "fast-check";

/** The services behind a proxy. Each server has its own proxies. */
export const places = ["database", "redis", "payments", "identity", "storage", "ai"] as const;
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
  /** Makes the database fail commands, mostly inside transactions. */
  | { readonly kind: "failing commands"; readonly failure: CommandFailure; readonly times: number }
  /** Kills the database's process. */
  | { readonly kind: "kill database" };

export type CommandFailure =
  | "write conflict"
  | "conflict at commit"
  | "commit unknown, done"
  | "commit cut"
  | "not primary"
  | "insert cut";

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

const troubles: { readonly [K in Trouble["kind"]]: { weight: number; arbitrary: fc.Arbitrary<Trouble> } } = {
  kill: { weight: 3, arbitrary: fc.record({ kind: fc.constant("kill" as const), server }) },
  stop: { weight: 3, arbitrary: fc.record({ kind: fc.constant("stop" as const), server }) },
  restart: { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const), server }) },
  clock: {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("clock" as const),
      server,
      shiftMs: fc.integer({ min: -60, max: 60 }).map((seconds) => seconds * 1_000),
    }),
  },
  cut: { weight: 8, arbitrary: fc.record({ kind: fc.constant("cut" as const), server, place }) },
  refuse: { weight: 3, arbitrary: fc.record({ kind: fc.constant("refuse" as const), server, place }) },
  delay: {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("delay" as const),
      server,
      place,
      delayMs: fc.integer({ min: 20, max: 1_500 }),
    }),
  },
  "black hole": { weight: 4, arbitrary: fc.record({ kind: fc.constant("black hole" as const), server, place }) },
  "half answers": {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("half answers" as const),
      server,
      place,
      bytes: fc.integer({ min: 1, max: 200 }),
    }),
  },
  webhooks: {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("webhooks" as const),
      provider: fc.constantFrom("payments" as const, "payments" as const, "identity" as const),
      trick: fc.constantFrom("lost" as const, "copies" as const, "late" as const, "reordered" as const),
    }),
  },
  provider: {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("provider" as const),
      provider: fc.constantFrom("payments" as const, "payments" as const, "identity" as const, "storage" as const),
      fault: fc.constantFrom(
        ...(["error", "garbled", "hang", "lost-reply", "timeout"] as const satisfies readonly string[]),
      ),
    }),
  },
  "failing commands": {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant("failing commands" as const),
      failure: fc.constantFrom<CommandFailure>(
        ...(["write conflict", "conflict at commit", "commit unknown, done"] as const),
        ...(["commit cut", "not primary", "insert cut"] as const),
      ),
      times: fc.integer({ min: 1, max: 12 }),
    }),
  },
  "kill database": { weight: 1, arbitrary: fc.record({ kind: fc.constant("kill database" as const) }) },
};

/** Generates the faults of a seed in order. Equal seeds give equal schedules. */
export function scheduleOf({ seed, ms, everyMs, longestMs }: ScheduleOptions): Fault[] {
  const trouble = fc.oneof(...Object.values(troubles));
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
