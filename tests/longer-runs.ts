/** Factor for the length of random and exhaustive tests, set by `CAMPAIGN=20 npx vitest run …`. */
export const timesLonger = Math.max(1, Number(process.env.CAMPAIGN ?? 1) || 1);

/** Longer runs draw a new seed and print it on failure. Usual runs repeat one seed. */
export const seeded = timesLonger > 1 ? {} : { seed: 20_261_121 };
