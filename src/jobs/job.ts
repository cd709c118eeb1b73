import type { PipelineStage } from "mongoose";
import type { Logger } from "pino";
import type { ModelName } from "../models/index.js";

/** Background work that any instance may do, one instance at a time. */
export interface Job {
  readonly name: string;
  /** Level of the line about a run that did something; `info` by default. */
  readonly doneLevel?: "debug";
  /** The collections whose rows are its work. `db.jobWakeups` wakes the job by their names. */
  readonly models: readonly ModelName[];
  /** When the earliest work is due; undefined without work. */
  poll(): Promise<Date | undefined>;
  backlog(): Promise<Backlog>;
  /**
   * Does what is due. It stops early when `signal` aborts, because the lease was lost or the server stops.
   * @returns what was done, in a few words; undefined when nothing was.
   */
  run(signal: AbortSignal): Promise<string | undefined>;
}

export interface Backlog {
  /** Number of due rows, `maxCounted` of each kind at most. */
  readonly count: number;
  /** When the oldest row became due, before any failed attempt; undefined without one. */
  readonly since: Date | undefined;
}

/** What the work of one run shares. */
export interface Run {
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Counts what the run did, for the line about the run: `3 sent`. */
  count(what: string, by?: number): void;
  /** Has the job polled again after the run, because a row is due at another date. */
  pollAgain(): void;
}

/** One kind of a job's work. */
export interface Work extends Pick<Job, "poll" | "backlog"> {
  readonly model: ModelName;
  /** Finds the first row that is due now, as a part of one command for several kinds: its `model`, and its date as `at`. */
  dueNow?(): { coll: string; pipeline: Exclude<PipelineStage, PipelineStage.Merge | PipelineStage.Out>[] };
  /**
   * Begins a run. @returns a function that takes one turn, so that the kinds of a job take turns. A turn tells whether
   * it found something to do.
   */
  begin(run: Run): () => Promise<boolean>;
}

/** Counting stops here so that a scrape stays cheap. */
export const maxCounted = 1_000;
