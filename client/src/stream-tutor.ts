import { errorOf, LyceumError } from "./errors.js";
import { askTutor, type Options } from "./generated/sdk.gen.js";
import type { AskTutorData, AskTutorResponse } from "./generated/types.gen.js";

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

/** Reads Server-Sent Events with JSON data. Leaving the loop closes the connection. */
async function* readEvents(body: ReadableStream<BufferSource>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string) {
  const fields = new Map(block.split("\n").map((line) => [line.split(":", 1)[0], line.replace(/^\w+: ?/, "")]));
  return { event: fields.get("event"), data: JSON.parse(fields.get("data") ?? "null") };
}
