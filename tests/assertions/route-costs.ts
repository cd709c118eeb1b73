import type { mongo } from "mongoose";
import { expect } from "vitest";
import { everyRoute } from "../http/examples/every-route.js";
import { buildScene } from "../http/examples/scene.js";
import type { TestServer } from "../server/emulated-server.js";
import { identityOf, paymentsOf } from "../server/emulators.js";
import { commandsDuring, type Effort, effortOf } from "./commands.js";

/** The database cost and the reply length of one request. */
export interface RouteCost extends Effort {
  readonly bytes: number;
  /** Every command that the server sent during the request. */
  readonly sent: readonly mongo.BSON.Document[];
}

/** Sends one request to every route, with `size` other rows of everything. */
export async function measureRoutes(server: TestServer, size: number): Promise<Record<string, RouteCost>> {
  const scene = await buildScene(server, size);
  const costs: Record<string, RouteCost> = {};
  for (const [route, example] of Object.entries(everyRoute)) {
    const { path, ...sent } = await example(scene);
    const method = route.split(" ", 1)[0] ?? "";
    let bytes = 0;
    // Suppress webhooks, because each would be a request of its own.
    const reports = [paymentsOf(server).tricks, identityOf(server.emulators).tricks];
    for (const tricks of reports) tricks.suppress = true;
    const commands = await commandsDuring(server, async () => {
      const { status, body } = await server.call(method, path, sent);
      const isSuccess = status === 200 || status === 302;
      expect({ route, status, body, isSuccess }).toMatchObject({ route, isSuccess: true });
      bytes = JSON.stringify(body).length;
    });
    for (const tricks of reports) tricks.suppress = false;
    costs[route] = { ...(await effortOf(server, commands)), bytes, sent: commands };
  }
  return costs;
}
