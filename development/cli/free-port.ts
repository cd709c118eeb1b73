import { once } from "node:events";
import { createServer } from "node:net";

const portStep = 10;
const maxSteps = 20;

/** Finds the wanted port or the next free port in steps of ten. For 0 the system chooses. */
export async function findFreePort(wanted: number): Promise<number> {
  const candidates = Array.from({ length: maxSteps }, (_, i) => wanted + i * portStep).filter((port) => port <= 65_535);
  for (const port of [...candidates, 0]) {
    const free = await tryPort(wanted === 0 ? 0 : port);
    if (free !== undefined) return free;
  }
  throw new Error(`no port is free near ${wanted}`);
}

/** @returns undefined when the port is taken. */
async function tryPort(port: number): Promise<number | undefined> {
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
