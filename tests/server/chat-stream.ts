import type { TestServer } from "./test-server.js";

export interface StreamEvent {
  readonly event: string;
  readonly data: any;
  readonly id?: string;
}

/** Requests an event stream from the tutor. `events` yields the events; leaving the loop ends the connection. */
export async function openChatStream(server: TestServer, token: string, body: unknown) {
  const controller = new AbortController();
  const response = await fetch(`${server.url}/api/user/ai-chat`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "text/event-stream",
    },
    body: JSON.stringify(body),
    signal: controller.signal,
  });
  return { response, events: eventsOf(response, controller), leave: () => controller.abort() };
}

/** The events of a response. Comments are left out. */
export async function* eventsOf(response: Response, controller: AbortController): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let buffered = "";
  try {
    for await (const chunk of response.body ?? []) {
      buffered += decoder.decode(chunk, { stream: true });
      for (let end = buffered.indexOf("\n\n"); end >= 0; end = buffered.indexOf("\n\n")) {
        const block = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        const [, id, event, data = ""] = /^(?:id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (event !== undefined) yield { event, data: JSON.parse(data), ...(id !== undefined && { id }) };
      }
    }
  } finally {
    controller.abort();
  }
}

/** Reads all events of one turn. */
export async function streamTurn(server: TestServer, token: string, body: unknown) {
  const { response, events } = await openChatStream(server, token, body);
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return { response, events: all, text: all.map(({ event, data }) => (event === "delta" ? data.text : "")).join("") };
}
