import { createServer, type RequestListener, type Server } from "node:http";
import type { Server as NetServer } from "node:net";
import { z } from "zod";
import { JsonFile, pathIn } from "./json-file.js";

/** Distance of the next port to try. It leaves room for the ports of one program. */
const portStep = 10;

/** A server on loopback. Its address is known before it serves requests. */
export interface LocalServer {
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string;
  serve(listener: RequestListener): void;
  /** Stops listening and closes open connections. */
  close(): Promise<void>;
}

/**
 * Opens ports on loopback and remembers them in the data folder, if there is one, so that addresses such as media links work after a
 * restart.
 */
export class LocalPorts {
  readonly #remembered: JsonFile<Record<string, number>>;
  readonly #open = new Set<LocalServer>();

  private constructor(remembered: JsonFile<Record<string, number>>) {
    this.#remembered = remembered;
  }

  static async open(folder: string | undefined): Promise<LocalPorts> {
    return new LocalPorts(await JsonFile.open(pathIn(folder, "ports.json"), z.record(z.string(), z.number()), {}));
  }

  /**
   * Listens on the first free port of: the wanted one, that of the last run, ten to fifty above the wanted one, any. 0
   * and undefined want no port.
   */
  async bind<S extends NetServer>(
    name: string,
    wanted: number | undefined,
    create: () => S,
  ): Promise<{ server: S; port: number }> {
    const above = wanted ? [1, 2, 3, 4, 5].map((step) => wanted + step * portStep) : [];
    const known = [wanted, this.#remembered.state[name], ...above];
    const candidates = known.filter((port) => port !== undefined && port > 0 && port <= 65_535);
    for (const port of [...candidates, 0]) {
      const server = create();
      const actual = await tryPort(server, port ?? 0);
      if (actual === undefined) continue;
      this.#remembered.state[name] = actual;
      await this.#remembered.save();
      return { server, port: actual };
    }
    throw new Error(`No free port on loopback for ${name}`);
  }

  /** As `bind`, for a server of HTTP. */
  async listen(name: string, wanted: number | undefined): Promise<LocalServer> {
    const { server, port } = await this.bind(name, wanted, () => createServer());
    const local: LocalServer = {
      url: `http://127.0.0.1:${port}`,
      serve: (listener) => void server.on("request", listener),
      close: async () => {
        if (this.#open.delete(local)) await closeServer(server);
      },
    };
    this.#open.add(local);
    return local;
  }

  /** Closes all open servers. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((server) => server.close()));
  }
}

/** Tries to listen on a port. It returns undefined when the port is taken. */
function tryPort(server: NetServer, port: number): Promise<number | undefined> {
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
