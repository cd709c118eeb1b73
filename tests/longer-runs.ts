/** How much longer than usual random and exhaustive tests run: `CAMPAIGN=20 npx vitest run …`; 1 unless set. */
export const timesLonger = Math.max(1, Number(process.env.CAMPAIGN ?? 1) || 1);

/** Random tests repeat themselves unless they run longer, which draws a seed and prints it when it fails. */
export const seeded = timesLonger > 1 ? {} : { seed: 20_261_121 };
