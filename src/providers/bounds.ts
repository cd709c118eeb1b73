import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";

/** What a call of a provider may cost at most: its whole time, and how much of a reply is read, in bytes. */
export interface Bounds {
  readonly deadlineMs: number;
  readonly longestReply: number;
}

/**
 * An agent for one call of an SDK that bounds neither: its connections end when the call has lasted too long or when
 * more has come than is read. Call `end` when the call is over.
 * @param secure whether it is for `https:`.
 */
export function boundedAgent(secure: boolean, { deadlineMs, longestReply }: Bounds) {
  const agent = secure ? new HttpsAgent() : new HttpAgent();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...given: Parameters<typeof connect>) => {
    const connection = connect(...given);
    let received = 0;
    connection?.on("data", (piece: Buffer) => {
      received += piece.length;
      if (received > longestReply) connection.destroy(new Error(`a reply of over ${longestReply} bytes`));
    });
    return connection;
  };
  const late = setTimeout(() => agent.destroy(), deadlineMs);
  return { agent, end: () => clearTimeout(late) };
}

/** The same response, whose body fails when it is longer than is read. */
export function boundedResponse(response: Response, longestReply: number): Response {
  if (!response.body) return response;
  let received = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      received += piece.length;
      if (received > longestReply) controller.error(new Error(`a reply of over ${longestReply} bytes`));
      else controller.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
}
