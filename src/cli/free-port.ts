import { once } from "node:events";
import { createServer } from "node:net";

const step = 10;
const steps = 20;

/** The wanted port, or where it is taken the next free one in steps of ten; 0: any free one. */
export async function freePort(wanted: number): Promise<number> {
  const candidates = Array.from({ length: steps }, (_, i) => wanted + i * step).filter((port) => port <= 65_535);
  for (const port of [...candidates, 0]) {
    const free = await listenable(wanted === 0 ? 0 : port);
    if (free !== undefined) return free;
  }
  throw new Error(`no port is free near ${wanted}`);
}

/** The port, chosen by the system for 0; undefined when it is taken. */
async function listenable(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port), "listening");
    const address = server.address();
    return typeof address === "object" && address ? address.port : undefined;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
