import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body. */
  readonly text: string;
  readonly body: { type: string; timestamp: string; data: any };
}

export interface WebhookEndpoint {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedMessage[];
  /** Number of connections so far. */
  connections(): number;
}

type AnswerWith = number | ((res: ServerResponse, message: ReceivedMessage) => void);

/** Starts an endpoint on this machine that answers with a status, or as `answer` says. It ends with the test. */
export async function startEndpoint(answer: AnswerWith = 204, host = "127.0.0.1"): Promise<WebhookEndpoint> {
  const received: ReceivedMessage[] = [];
  let connections = 0;
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const message = { path: req.url ?? "", headers: req.headers, text, body: text ? JSON.parse(text) : undefined };
    received.push(message);
    if (typeof answer === "number") res.writeHead(answer).end();
    else answer(res, message);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await once(server.listen(0, host), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, port, received, connections: () => connections };
}
