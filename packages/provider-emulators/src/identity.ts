import express, { Router } from "express";
import { Webhook } from "svix";
import { deliveryRoutes } from "./deliveries/delivery-routes.js";
import { WebhookSender } from "./deliveries/webhook-sender.js";
import { developerAccess, loopbackOnly } from "./developer-access.js";
import { errorReply } from "./error-reply.js";
import { faultRoutes } from "./fault-routes.js";
import { transportFaults } from "./faults.js";
import { backendApi } from "./identity/backend-api.js";
import type { ClerkEmulator } from "./identity/clerk-emulator.js";
import { identityDeveloperRoutes } from "./identity/developer-routes.js";
import { tokenIssuer } from "./identity/tokens.js";
import { userObject } from "./identity/user-object.js";
import { roleOf, type User, Users } from "./identity/users.js";
import { pathIn } from "./json-file.js";
import type { LocalServer } from "./local-server.js";
import { randomId } from "./random-id.js";
import { webFiles } from "./web-files.js";

/** Host in the publishable key and in `iss`. It needs a dot and is never called. */
export const identityHost = "identity.lyceum.local";

export interface IdentityOptions {
  server: LocalServer;
  /** Folder of the emulator's state, or undefined to keep it in memory. */
  folder: string | undefined;
  keys: { privateKey: string; publicKey: string };
  /** Host of the frontend API in the publishable key. It is the `iss` of the tokens. */
  host: string;
  secretKey: string;
  webhookSecret: string;
  /** Origin of the browser application. */
  frontend: string;
  /** Pauses between attempts of a webhook. */
  retryPausesMs: readonly number[];
  /** Path of the application's webhook route. */
  webhookPath: string;
}

export async function startIdentity(options: IdentityOptions): Promise<ClerkEmulator> {
  const accounts = await Users.open(pathIn(options.folder, "identity.json"));
  const issuer = tokenIssuer(options.keys, `https://${options.host}`, options.frontend);
  const faults = transportFaults();
  const signer = new Webhook(options.webhookSecret);
  const sign = (id: string, at: Date, body: string | Uint8Array): Record<string, string> => ({
    "svix-id": id,
    "svix-timestamp": String(Math.floor(at.getTime() / 1000)),
    "svix-signature": signer.sign(id, at, Buffer.from(body)),
  });
  const sender = await WebhookSender.open({
    path: pathIn(options.folder, "identity-webhooks.json"),
    route: options.webhookPath,
    retryPausesMs: options.retryPausesMs,
    sign: (delivery, at) => sign(delivery.id, at, delivery.body),
  });

  const announceUser = (type: "user.created" | "user.updated" | "user.deleted", user: User): Promise<void> => {
    const data = type === "user.deleted" ? { id: user.id, object: "user", deleted: true } : userObject(user);
    const event = { data, object: "event", type, timestamp: Date.now(), instance_id: "ins_lyceum_emulator" };
    return sender.send({ id: randomId("msg_", 27), type, body: JSON.stringify(event) });
  };
  const known = (id: string): User => {
    const user = accounts.find(id);
    if (!user) throw new Error(`The Clerk emulator has no user ${id}`);
    return user;
  };

  /** Origins whose pages may sign in: the browser application and the application itself. */
  const pages = new Set([options.frontend]);
  let console: string | undefined;
  const emulator: ClerkEmulator = {
    url: options.server.url,
    faults,
    tricks: sender.tricks,
    async createUser({ id, webhook = true, ...fields }) {
      const existing = id === undefined ? undefined : accounts.find(id);
      if (existing) await accounts.update(existing, fields);
      const user = existing ?? (await accounts.create(id, fields));
      if (webhook) await announceUser(existing ? "user.updated" : "user.created", user);
      return structuredClone(user);
    },
    async updateUser(id, fields) {
      const user = known(id);
      await accounts.update(user, fields);
      await announceUser("user.updated", user);
      return structuredClone(user);
    },
    async deleteUser(id) {
      const user = known(id);
      await accounts.remove(user);
      await announceUser("user.deleted", user);
    },
    user: (id) => structuredClone(accounts.find(id)),
    users: () => structuredClone(accounts.list()),
    issueToken(userId, tokenOptions = {}) {
      const role = tokenOptions.role === undefined ? roleOf(accounts.find(userId)) : tokenOptions.role;
      return issuer.issue(userId, role, tokenOptions);
    },
    signWebhook: (body, { id = randomId("msg_", 27), timestamp = new Date() } = {}) => sign(id, timestamp, body),
    deliveries: () => sender.deliveries(),
    redeliver: (id) => sender.redeliver(id),
    duplicate: (id, how) => sender.duplicate(id, how),
    retryNow: () => sender.retryNow(),
    settled: () => sender.settled(),
    pointAt(application) {
      pages.add(new URL(application).origin).add(new URL(application).origin.replace("localhost", "127.0.0.1"));
      sender.pointAt(application);
    },
    showConsole(url) {
      console = url;
    },
    async close() {
      await options.server.close();
      await sender.close();
    },
  };

  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(options.frontend));
  app.use("/browser", browserScripts());
  app.get("/dev/console", (_req, res) => {
    if (console) res.redirect(console);
    else res.status(404).json({ error: "There is no console" });
  });
  app.use(express.json());
  app.use(developerAccess(pages), faultRoutes(faults), deliveryRoutes(emulator), identityDeveloperRoutes(emulator));
  app.use(
    backendApi({
      users: accounts,
      issuer,
      faults,
      secretKey: options.secretKey,
      announce: announceUser,
    }),
  );
  app.use(errorReply);
  options.server.serve(app);
  return emulator;
}

/** Serves scripts to pages of the browser application, which have another origin. */
function browserScripts(): Router {
  const router = Router();
  router.use((_req, res, next) => {
    res.set({ "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" });
    next();
  });
  return router.use(webFiles("identity"));
}
