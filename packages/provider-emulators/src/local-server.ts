import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { JsonFile } from "./json-file.js";

/** A server on loopback. Its address is known before it has anything to serve. */
export interface LocalServer {
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string;
  serve(listener: RequestListener): void;
  /** Stops listening and drops the connections that are still open. */
  close(): Promise<void>;
}

/**
 * Opens ports on loopback and remembers them in the data folder, so that addresses handed out in one run (media links,
 * checkout pages) still hold in the next.
 */
export class LocalPorts {
  readonly #remembered: JsonFile<Record<string, number>>;
  readonly #open = new Set<LocalServer>();

  private constructor(remembered: JsonFile<Record<string, number>>) {
    this.#remembered = remembered;
  }

  static async open(folder: string): Promise<LocalPorts> {
    return new LocalPorts(await JsonFile.open(join(folder, "ports.json"), z.record(z.string(), z.number()), {}));
  }

  /** Listens on the wanted port, else on the one of the last run, else on any free one. 0 and undefined want none. */
  async listen(name: string, wanted: number | undefined): Promise<LocalServer> {
    const candidates = [wanted, this.#remembered.state[name]].filter((port) => port !== undefined && port > 0);
    for (const port of [...candidates, 0]) {
      const server = createServer();
      const actual = await tryPort(server, port ?? 0);
      if (actual === undefined) continue;
      this.#remembered.state[name] = actual;
      await this.#remembered.save();
      const local: LocalServer = {
        url: `http://127.0.0.1:${actual}`,
        serve: (listener) => void server.on("request", listener),
        close: async () => {
          if (this.#open.delete(local)) await closeServer(server);
        },
      };
      this.#open.add(local);
      return local;
    }
    throw new Error(`No free port on loopback for ${name}`);
  }

  /** Closes whatever is still open. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((server) => server.close()));
  }
}

/** The port now listened on, or undefined when it is taken. */
function tryPort(server: Server, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : undefined);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
