/** One row of a table: what is compared, and its figures. */
export type Row = Record<string, string | number>;

/** A plot of what was measured. */
export interface Chart {
  /** Name of its file, without folder and ending. */
  readonly file: string;
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly { readonly name: string; readonly points: readonly (readonly [number, number])[] }[];
  /** A value of `y` that should not be passed. */
  readonly limit?: number;
}

export interface Axis {
  readonly name: string;
  readonly log?: boolean;
}

/** A table of results, and what a reader must know to understand it. */
export interface Section {
  readonly title: string;
  readonly note?: string;
  readonly rows: readonly Row[];
  readonly charts?: readonly Chart[];
}

/** How a part is to be run. */
export interface Context {
  /** A run that shows that everything works; its figures are rough. */
  readonly quick: boolean;
  /** Measurements of each figure, in turns. */
  readonly rounds: number;
  /** Of load, for parts that watch what grows with time. */
  readonly minutes: number;
  /** Folder of another built checkout to measure beside this one. */
  readonly beside: string | undefined;
  progress(line: string): void;
}

/** One part of the bench, which starts and ends all it needs. */
export interface Part {
  readonly about: string;
  run(context: Context): Promise<readonly Section[]>;
}
