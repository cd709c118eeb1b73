import type { PipelineStage } from "mongoose";
import type { Logger } from "pino";
import type { ModelName } from "../models/index.js";

/** Background work that any instance may do, one instance at a time. */
export interface Job {
  readonly name: string;
  /** Level of the line about a run that did something; `info` by default. */
  readonly doneLevel?: "debug";
  /** Its kinds of work. `db.jobWakeups` wakes the job by the names of their models. */
  readonly kinds: readonly Pick<Work, "model" | "first" | "isDueWhenStored">[];
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

/** Part of one command that reads the first dates of many kinds of work. */
export interface FirstDate {
  /** Name of the collection. */
  readonly coll: string;
  /** Finds one document at most, with the date as `at`. */
  readonly pipeline: Exclude<PipelineStage, PipelineStage.Merge | PipelineStage.Out>[];
  /** The row is due this much later than its date. */
  readonly afterMs?: number;
  /** When work without a row is due; never by default. */
  readonly ifNone?: Date;
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
export interface Work extends Pick<Job, "backlog"> {
  readonly model: ModelName;
  /** Rows are due when they are stored, so that a finished run leaves none for a later date. */
  readonly isDueWhenStored?: boolean;
  /** How to find the date of the row that is due first. */
  first(): FirstDate;
  /**
   * Begins a run. @returns a function that takes one turn, so that the kinds of a job take turns. A turn tells whether
   * it found something to do.
   */
  begin(run: Run): () => Promise<boolean>;
}

/** Counting stops here so that a scrape stays cheap. */
export const maxCounted = 1_000;
