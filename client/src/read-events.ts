/** An event of a stream. A comment has neither name nor data. */
interface ServerSentEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows what its server sends
  readonly data: any;
}

/** Reads Server-Sent Events with JSON data. Leaving the loop closes the connection. */
export async function* readEvents(body: ReadableStream<BufferSource>): AsyncGenerator<ServerSentEvent, void> {
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

function parseEvent(block: string): ServerSentEvent {
  const fields = new Map(block.split("\n").map((line) => [line.split(":", 1)[0], line.replace(/^\w+: ?/, "")]));
  return { event: fields.get("event"), id: fields.get("id"), data: JSON.parse(fields.get("data") ?? "null") };
}
