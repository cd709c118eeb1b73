import { Agent, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Test } from "supertest";

const agent = new Agent({ keepAlive: true });

export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | FormData;
}

export interface Received {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Sends a request with supertest. The body is sent byte by byte as given, and the answer is read as text. */
export async function send(url: string, path: string, { method, headers, body }: Sent): Promise<Received> {
  const { type = {}, bytes } = await bytesOf(body);
  const request = new Test(url, method, path)
    .agent(agent)
    .unset("accept-encoding")
    .set({ ...type, ...headers })
    .buffer(true)
    .parse((answer, done) => {
      text(answer as unknown as IncomingMessage).then(
        (read) => done(null, read),
        (error) => done(error, undefined),
      );
    });
  // Without a serializer of its own, supertest would write a buffer of JSON as the JSON of a buffer.
  if (bytes) request.serialize((given) => given).send(bytes);
  const { status, body: read, headers: received } = await request;
  return { status, text: typeof read === "string" ? read : "", headers: new Headers(received) };
}

async function bytesOf(body: Sent["body"]): Promise<{ bytes?: Buffer; type?: Record<string, string> }> {
  if (body === undefined) return {};
  if (!(body instanceof FormData)) return { bytes: Buffer.from(body) };
  const form = new Response(body);
  return {
    bytes: Buffer.from(await form.arrayBuffer()),
    type: { "content-type": form.headers.get("content-type") ?? "" },
  };
}
