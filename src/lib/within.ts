/**
 * Waits for work, but no longer than some milliseconds. It is for requests that are sent most: p-timeout makes an error with
 * its stack at each call, which takes 2 % of their CPU.
 * @param late gives the result then, or throws. The work goes on.
 */
export async function within<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof isLate>((done) => {
    timer = setTimeout(done, ms, isLate);
  });
  try {
    const result = await Promise.race([work, timeout]);
    return result === isLate ? late() : (result as T);
  } finally {
    clearTimeout(timer);
  }
}

const isLate = Symbol("late");
