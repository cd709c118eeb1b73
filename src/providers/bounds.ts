import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";

/** Limits of a call of a provider: its duration, and the bytes of its reply. */
export interface Bounds {
  readonly deadlineMs: number;
  readonly longestReply: number;
}

/** Closes a connection after more than `longestReply` bytes. */
function boundReply<C extends Duplex | null | undefined>(connection: C, longestReply: number): C {
  let received = 0;
  connection?.on("data", (piece: Buffer) => {
    received += piece.length;
    if (received > longestReply) connection.destroy(new Error(`a reply of over ${longestReply} bytes`));
  });
  return connection;
}

/**
 * Creates an agent for one call of an SDK that has neither limit. The agent closes its connections at the deadline and
 * after too many bytes. Call `end` after the call.
 * @param secure whether the call uses `https:`.
 */
export function boundedAgent(secure: boolean, { deadlineMs, longestReply }: Bounds) {
  class BoundedHttpAgent extends HttpAgent {
    override createConnection(...args: Parameters<HttpAgent["createConnection"]>) {
      return boundReply(super.createConnection(...args), longestReply);
    }
  }
  class BoundedHttpsAgent extends HttpsAgent {
    override createConnection(...args: Parameters<HttpsAgent["createConnection"]>) {
      return boundReply(super.createConnection(...args), longestReply);
    }
  }
  const agent = secure ? new BoundedHttpsAgent() : new BoundedHttpAgent();
  const late = setTimeout(() => agent.destroy(), deadlineMs);
  return { agent, end: () => clearTimeout(late) };
}
