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

/** Slope of the straight line through points, by least squares. */
export function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const along = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  return along / points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
}
