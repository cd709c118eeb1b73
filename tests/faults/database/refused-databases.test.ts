import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { replyMessage, requestsIn } from "@lyceum/embedded-mongo/wire";
import { serialize } from "bson";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../../src/config.js";
import { startServer } from "../../../src/server.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();

const start = (uri: string) =>
  startServer(parseConfig({ ...server.emulators.env, MONGODB_URI: uri, PORT: "0" }), pino({ level: "silent" }));

/** Answers every command as a MongoDB server does that is no member of a replica set. */
async function startStandalone(): Promise<string> {
  const hello = {
    ok: 1,
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxWireVersion: 21,
    minWireVersion: 0,
  };
  const limits = { maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 };
  const standalone = createServer(async (socket) => {
    socket.on("error", () => undefined);
    for await (const request of requestsIn(socket)) {
      socket.write(replyMessage(request, Buffer.from(serialize({ ...hello, ...limits }))));
    }
  });
  standalone.listen(0, "127.0.0.1");
  await once(standalone, "listening");
  onTestFinished(() => void standalone.close());
  return `mongodb://127.0.0.1:${(standalone.address() as AddressInfo).port}/lyceum`;
}

test("a standalone is refused in one line that says how to make it a replica set", async () => {
  await expect(start(await startStandalone())).rejects.toThrow(
    /^MONGODB_URI names a standalone MongoDB, .*`mongod --replSet rs0`.*`rs\.initiate\(\)`[^\n]*$/,
  );
});
