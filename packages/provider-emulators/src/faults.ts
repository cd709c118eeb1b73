import { type ZodType, z } from "zod";

/** The scope of a fault. */
const FaultScope = z.object({
  /** The operation that fails (for AI: a text in the prompt). Without it the next call of any kind fails. */
  on: z.string().optional(),
  /** Number of calls that fail. Without it calls fail until the fault is cleared. */
  times: z.number().int().positive().optional(),
});
export type FaultScope = z.infer<typeof FaultScope>;

/** Faults of an emulator that answers requests. */
const TransportFault = z.discriminatedUnion("kind", [
  /** Does nothing and answers this status (500 by default) in the provider's error shape. */
  z.object({ kind: z.literal("error"), status: z.number().int().min(400).max(599).optional() }),
  /** Serves the call after a delay. */
  z.object({ kind: z.literal("slow"), ms: z.number().int().positive() }),
  /** Does nothing and cuts the connection. */
  z.object({ kind: z.literal("cut") }),
  /** Does nothing and answers an empty success: `{}`. */
  z.object({ kind: z.literal("garbled") }),
  /** Does nothing and never replies. */
  z.object({ kind: z.literal("hang") }),
  /** Does the work and cuts the connection before the reply. */
  z.object({ kind: z.literal("lost-reply") }),
  /** Does the work and never replies. */
  z.object({ kind: z.literal("timeout") }),
]);
export type TransportFault = z.infer<typeof TransportFault>;

/** Keeps scripted faults in the order of their addition. */
export class Faults<Fault extends { kind: string }> {
  #active: (Fault & FaultScope)[] = [];
  readonly schema: ZodType<Fault & FaultScope>;

  constructor(schema: ZodType<Fault>) {
    this.schema = schema.and(FaultScope);
  }

  /** Adds a fault. @returns a function that removes it. */
  add(fault: Fault & FaultScope): () => void {
    const added = { ...fault };
    this.#active.push(added);
    return () => {
      this.#active = this.#active.filter((other) => other !== added);
    };
  }

  clear(): void {
    this.#active = [];
  }

  list(): readonly (Fault & FaultScope)[] {
    return this.#active;
  }

  /** Returns the fault for this call and counts it as used. @param kinds leaves other kinds alone; all by default. */
  take(matches: (on: string) => boolean, kinds?: readonly Fault["kind"][]): Fault | undefined {
    const isFor = ({ on, kind }: Fault & FaultScope): boolean =>
      (on === undefined || matches(on)) && (kinds?.includes(kind) ?? true);
    const fault = this.#active.find(isFor);
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times === 0) this.#active = this.#active.filter((other) => other !== fault);
    }
    return fault;
  }
}

export function transportFaults(): Faults<TransportFault> {
  return new Faults(TransportFault);
}
