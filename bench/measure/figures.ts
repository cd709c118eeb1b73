/** The middle of several measurements: machines are shared and noisy. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** The value below which so many percent of the values are; 0 when there are none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

/** Three significant digits, and no fraction of large numbers. */
export const rounded = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));

/** The least and the most of several measurements. */
export const spread = (values: readonly number[]): string =>
  `${rounded(percentile(values, 0))}–${rounded(percentile(values, 100))}`;

/**
 * Takes the measurements in turns, so that what else the machine does meets all of them alike.
 * @returns all figures of each.
 */
export async function inTurns<Name extends string, Figure = number>(
  rounds: number,
  measures: Record<Name, (round: number) => Promise<Figure>>,
): Promise<Record<Name, Figure[]>> {
  const names = Object.keys(measures) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figure[]])) as Record<Name, Figure[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) figures[name].push(await measures[name](round));
  }
  return figures;
}

/** Slope of the straight line through points, by least squares, and its standard error. */
export function slopeOf(points: readonly (readonly [number, number])[]): { slope: number; error: number } {
  const sum = (value: (point: readonly [number, number]) => number) =>
    points.reduce((total, point) => total + value(point), 0);
  const [x, y] = [sum((point) => point[0]) / points.length, sum((point) => point[1]) / points.length];
  const spreadOfX = sum((point) => (point[0] - x) ** 2);
  const slope = sum((point) => (point[0] - x) * (point[1] - y)) / spreadOfX;
  const offLine = sum((point) => (point[1] - y - slope * (point[0] - x)) ** 2);
  return { slope, error: Math.sqrt(offLine / (points.length - 2) / spreadOfX) };
}
