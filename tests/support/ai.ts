import type { Emulators } from "@lyceum/provider-emulators";
import type { TestServer } from "./server.js";

/** The AI stand-in, which every test server has. */
export function aiOf({ sandbox }: Pick<TestServer, "sandbox">): NonNullable<Emulators["ai"]> {
  if (!sandbox.ai) throw new Error("the AI is not played by the sandbox");
  return sandbox.ai;
}

/** What the AI stand-in was asked since it last forgot, whose prompts hold `text`. */
export const callsAbout = (server: Pick<TestServer, "sandbox">, text: string) =>
  aiOf(server)
    .calls()
    .filter(({ prompt }) => prompt.includes(text));

/** What became of each call since it last forgot, in order. */
export const stateOf = (server: Pick<TestServer, "sandbox">) =>
  aiOf(server)
    .calls()
    .map(({ state }) => state);

/** Most of these calls that were under way at the same moment. */
export function mostAtOnce(calls: ReturnType<typeof callsAbout>): number {
  const during = (at: number) =>
    calls.filter((call) => call.at <= at && (call.endedAt ?? Number.POSITIVE_INFINITY) > at).length;
  return Math.max(0, ...calls.map(({ at }) => during(at)));
}

export interface StreamEvent {
  readonly event: string;
  readonly data: any;
}

/** Asks the tutor for an event stream. `events` yields them as they come; leaving the loop ends the connection. */
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

async function* eventsOf(response: Response, controller: AbortController): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let buffered = "";
  try {
    for await (const chunk of response.body ?? []) {
      buffered += decoder.decode(chunk, { stream: true });
      for (let end = buffered.indexOf("\n\n"); end >= 0; end = buffered.indexOf("\n\n")) {
        const block = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        yield { event, data: JSON.parse(data) };
      }
    }
  } finally {
    controller.abort();
  }
}

/** All events of one streamed turn. */
export async function streamTurn(server: TestServer, token: string, body: unknown) {
  const { response, events } = await openChatStream(server, token, body);
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return { response, events: all, text: all.map(({ event, data }) => (event === "delta" ? data.text : "")).join("") };
}
