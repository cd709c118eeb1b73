import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import express from "express";
import { afterEach, expect, test } from "vitest";
import { type Cell, sendCsv } from "../../src/http/replies/csv.js";

/** 500 rows of about a kilobyte each. */
const batch: Cell[][] = Array.from({ length: 500 }, (_, n) => [n, "x".repeat(1_000)]);

interface Source {
  made: number;
  ended: boolean;
}

const servers: { close(): void; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server whose one route sends `batches` batches of the table, and what became of them. */
async function serve(batches: number, failAt = Number.POSITIVE_INFINITY): Promise<{ port: number; source: Source }> {
  const source: Source = { made: 0, ended: false };
  async function* rows() {
    try {
      while (source.made < batches) {
        if (source.made === failAt) throw new Error("the database went away");
        source.made += 1;
        yield batch;
      }
    } finally {
      source.ended = true;
    }
  }
  const app = express();
  app.get("/", async (_req, res, next) => {
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    await sendCsv(res, gone.signal, {
      name: "table",
      columns: ["n", "text"],
      batches: rows(),
      cells: (row) => row,
    }).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else next(error);
    });
  });
  app.use((_error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    res.status(500).end();
  });
  const server = app.listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, source };
}

test("five thousand rows arrive whole", async () => {
  const { port, source } = await serve(10);
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(text.split("\r\n")).toHaveLength(5_000 + 2);
  expect(source).toEqual({ made: 10, ended: true });
});

test("a reader that stops reading stops the source, and going away ends it", async () => {
  const { port, source } = await serve(10_000);
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(socket, "data");
  socket.pause();
  // What fits into the buffers of both sides, and no more.
  let made = -1;
  while (made !== source.made) {
    made = source.made;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(made).toBeLessThan(100);
  expect(source.ended).toBe(false);
  socket.destroy();
  await expect.poll(() => source.ended).toBe(true);
  expect(source.made).toBeLessThanOrEqual(made + 1);
});

test("a fault before the first row is an answer, a later one cuts the connection", async () => {
  const early = await serve(5, 0);
  expect((await fetch(`http://127.0.0.1:${early.port}/`)).status).toBe(500);
  const late = await serve(5, 3);
  await expect(fetch(`http://127.0.0.1:${late.port}/`).then((response) => response.text())).rejects.toThrow();
  expect(late.source.ended).toBe(true);
});
