import type { TestServer } from "../server/test-server.js";

/** One call as seen by its client. */
export interface Call<Input, Output> {
  readonly input: Input;
  readonly output: Output;
  /** Times of sending and of the reply, by one clock. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Makes calls one after another on two instances in turn, and records their times. */
export async function oneByOne<Input, Output>(
  inputs: readonly Input[],
  on: readonly [TestServer, TestServer],
  call: (input: Input, at: TestServer) => Promise<Output>,
): Promise<Call<Input, Output>[]> {
  const calls: Call<Input, Output>[] = [];
  for (const [turn, input] of inputs.entries()) {
    const sentAt = performance.now();
    const output = await call(input, turn % 2 === 0 ? on[0] : on[1]);
    calls.push({ input, output, sentAt, answeredAt: performance.now() });
  }
  return calls;
}

export interface Model<State, Input, Output> {
  readonly initial: State;
  /** @returns the next state, or undefined when this reply is impossible in this state. */
  step(state: State, input: Input, output: Output): State | undefined;
  /** Returns equal texts for equal states. */
  key(state: State): string;
}

/**
 * Returns true when some sequence of the overlapping calls explains all replies. Each call takes effect between its
 * sending and its reply. It is Wing and Gong's search with Lowe's cache of visited states.
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
      // A call that started after another's reply cannot precede it.
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
