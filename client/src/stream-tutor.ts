import { errorOf, LyceumError } from "./errors.js";
import { askTutor, type Options } from "./generated/sdk.gen.js";
import type { AskTutorData, AskTutorResponse } from "./generated/types.gen.js";
import { readEvents } from "./read-events.js";

/** A part of the tutor's answer: text as the model writes it, and at the end the whole reply. */
export type TutorEvent =
  | { readonly type: "delta"; readonly text: string }
  | { readonly type: "done"; readonly reply: AskTutorResponse };

/**
 * Asks the tutor, and yields the answer while it is written. The question is sent once, and never repeated. Leaving the
 * loop, or aborting `options.signal`, ends the answer, and the server stores nothing.
 * @throws LyceumError when the server refuses the question, or cannot finish the answer.
 */
export async function* streamTutor(options: Options<AskTutorData, false>): AsyncGenerator<TutorEvent, void> {
  const headers = { ...options.headers, Accept: "text/event-stream" };
  const result = await askTutor({ ...options, headers, parseAs: "stream", throwOnError: false });
  if (!result.data) throw errorOf(result);
  for await (const { event, data } of readEvents(result.data as unknown as ReadableStream<BufferSource>)) {
    if (event === "delta") yield { type: "delta", text: data.text };
    if (event === "error") throw new LyceumError(data.message);
    if (event === "done") {
      yield { type: "done", reply: data };
      return;
    }
  }
  throw new LyceumError("The connection ended before the answer was complete");
}
