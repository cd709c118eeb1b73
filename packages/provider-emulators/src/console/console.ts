import express from "express";
import { developerAccess, loopbackOnly } from "../developer-access.js";
import { errorReply } from "../error-reply.js";
import type { LocalServer } from "../local-server.js";
import { type Overview, overviewPage, tokenPage } from "./overview.js";

/** Serves a page that shows what the emulators hold. */
export function startConsole(server: LocalServer, overview: Overview): void {
  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(server.url));
  app.use(developerAccess(server.url, "/"));
  app.get("/", (_req, res) => {
    res.send(overviewPage(overview));
  });
  app.post("/tokens/:userId", (req, res) => {
    const user = overview.identity?.user(req.params.userId);
    if (!overview.identity || !user) {
      res.status(404).type("text/plain").send("No user has this id");
      return;
    }
    const token = overview.identity.issueToken(user.id);
    if (req.accepts(["html", "text"]) === "text") res.type("text/plain").send(token);
    else res.send(tokenPage(user, token));
  });
  app.post("/deliveries/:from/:id", async (req, res) => {
    const sender = req.params.from === "identity" ? overview.identity : overview.payments;
    if (!sender?.deliveries().some(({ id }) => id === req.params.id)) {
      res.status(404).type("text/plain").send("No such delivery");
      return;
    }
    await sender.redeliver(req.params.id);
    res.redirect(303, "/");
  });
  app.use(errorReply);
  server.serve(app);
}
