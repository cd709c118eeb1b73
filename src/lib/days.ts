export const dayMs = 24 * 60 * 60_000;

/** The UTC day of a moment, such as `2026-11-21`. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** The UTC hour of a moment, such as `2026-11-27T19`. */
export const utcHour = (at: Date): string => at.toISOString().slice(0, 13);

/** Lists the last UTC days, oldest first, today last. */
export const lastDays = (count: number, now = new Date()): string[] =>
  Array.from({ length: count }, (_, index) => utcDay(new Date(now.getTime() - (count - 1 - index) * dayMs)));
