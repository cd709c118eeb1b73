import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";

/** What a call of a provider may cost at most: its whole time, and how much of a reply is read, in bytes. */
export interface Bounds {
  readonly deadlineMs: number;
  readonly longestReply: number;
}

/** Ends a connection when more has come than `longestReply` bytes. */
function boundReply<C extends Duplex | null | undefined>(connection: C, longestReply: number): C {
  let received = 0;
  connection?.on("data", (piece: Buffer) => {
    received += piece.length;
    if (received > longestReply) connection.destroy(new Error(`a reply of over ${longestReply} bytes`));
  });
  return connection;
}

/**
 * An agent for one call of an SDK that bounds neither: its connections end when the call has lasted too long or when
 * more has come than is read. Call `end` when the call is over.
 * @param secure whether it is for `https:`.
 */
export function boundedAgent(secure: boolean, { deadlineMs, longestReply }: Bounds) {
  class BoundedHttpAgent extends HttpAgent {
    override createConnection(...given: Parameters<HttpAgent["createConnection"]>) {
      return boundReply(super.createConnection(...given), longestReply);
    }
  }
  class BoundedHttpsAgent extends HttpsAgent {
    override createConnection(...given: Parameters<HttpsAgent["createConnection"]>) {
      return boundReply(super.createConnection(...given), longestReply);
    }
  }
  const agent = secure ? new BoundedHttpsAgent() : new BoundedHttpAgent();
  const late = setTimeout(() => agent.destroy(), deadlineMs);
  return { agent, end: () => clearTimeout(late) };
}

/** Copies a response; the body of the copy fails when it is longer than `longestReply`. */
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
