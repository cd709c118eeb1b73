import express, { Router } from "express";
import { developerAccess, loopbackOnly } from "./developer-access.js";
import { errorReply } from "./error-reply.js";
import { faultRoutes } from "./fault-routes.js";
import type { LocalServer } from "./local-server.js";
import { mailFaults } from "./mail/mail-faults.js";
import { Mailbox } from "./mail/mailbox.js";
import type { SmtpEmulator } from "./mail/smtp-emulator.js";
import { type BindSmtp, listenForMails } from "./mail/smtp-server.js";

export interface MailOptions {
  server: LocalServer;
  bindSmtp: BindSmtp;
  frontend: string;
}

export async function startMail({ server, bindSmtp, frontend }: MailOptions): Promise<SmtpEmulator> {
  const faults = mailFaults();
  const mailbox = new Mailbox();
  const smtp = await listenForMails(bindSmtp, mailbox, faults);
  const emulator: SmtpEmulator = {
    url: server.url,
    smtpUrl: smtp.smtpUrl,
    faults,
    mails: (address) => mailbox.list().filter(({ to }) => address === undefined || to.includes(address)),
    forgetMails: () => mailbox.clear(),
    async close() {
      await Promise.all([server.close(), smtp.close()]);
    },
  };
  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(frontend));
  app.use("/dev", express.json());
  app.use(developerAccess(frontend), faultRoutes(faults), mailDeveloperRoutes(emulator));
  app.use(errorReply);
  server.serve(app);
  return emulator;
}

/** A mail may style itself and has embedded pictures, but runs no script and loads nothing. */
const mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/**
 * `GET /dev/mails` lists the newest mails, without `raw` and `html`; `?to=` selects an address. `GET /dev/mails/:id` and
 * `/dev/mails/:id/html` show one mail, and `DELETE /dev/mails` clears the list.
 */
export function mailDeveloperRoutes(mail: SmtpEmulator): Router {
  const router = Router();
  router.get("/dev/mails", (req, res) => {
    const { to } = req.query;
    const mails = mail.mails(typeof to === "string" ? to : undefined);
    res.json({ mails: mails.map(({ raw: _raw, html: _html, ...shown }) => shown) });
  });
  router.get("/dev/mails/:id", (req, res) => {
    const found = mail.mails().find(({ id }) => id === req.params.id);
    if (found) res.json(found);
    else res.status(404).json({ error: "There is no such mail" });
  });
  router.get("/dev/mails/:id/html", (req, res) => {
    const found = mail.mails().find(({ id }) => id === req.params.id);
    res.set("Content-Security-Policy", mailPolicy).type("html");
    // Links open beside the console.
    if (found) res.send(`<base target="_blank">${found.html}`);
    else res.status(404).send("There is no such mail");
  });
  router.delete("/dev/mails", (_req, res) => {
    mail.forgetMails();
    res.json({ mails: [] });
  });
  return router;
}
