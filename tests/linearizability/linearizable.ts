/** One call as its client saw it. */
export interface Call<Input, Output> {
  readonly input: Input;
  readonly output: Output;
  /** By one clock: when it was sent, and when its answer had come. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Makes a call and notes when. */
export async function record<Input, Output>(input: Input, call: () => Promise<Output>): Promise<Call<Input, Output>> {
  const sentAt = performance.now();
  const output = await call();
  return { input, output, sentAt, answeredAt: performance.now() };
}

export interface Model<State, Input, Output> {
  readonly initial: State;
  /** @returns the state after it; undefined when it cannot have answered this in this state. */
  step(state: State, input: Input, output: Output): State | undefined;
  /** Equal for equal states. */
  key(state: State): string;
}

/**
 * Whether calls that overlapped can have happened one after another, each between its sending and its answer, so that
 * the model gives the answers that were seen (Wing and Gong's search, remembering what was tried, as Lowe does).
 */
export function isLinearizable<State, Input, Output>(
  calls: readonly Call<Input, Output>[],
  model: Model<State, Input, Output>,
): boolean {
  const tried = new Set<string>();
  const search = (state: State, left: readonly number[]): boolean => {
    if (left.length === 0) return true;
    const place = `${left.join()}|${model.key(state)}`;
    if (tried.has(place)) return false;
    tried.add(place);
    const firstAnswer = Math.min(...left.map((index) => calls[index]?.answeredAt ?? 0));
    return left.some((index) => {
      const call = calls[index];
      // What was sent after another's answer cannot have happened before that.
      if (!call || call.sentAt > firstAnswer) return false;
      const next = model.step(state, call.input, call.output);
      return (
        next !== undefined &&
        search(
          next,
          left.filter((other) => other !== index),
        )
      );
    });
  };
  return search(
    model.initial,
    calls.map((_, index) => index),
  );
}
