import { createServer, type Server, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { SMTPServerOptions } from "smtp-server";
import type { Faults } from "../faults.js";
import type { MailFault } from "./mail-faults.js";
import type { Mailbox } from "./mailbox.js";

/** Listens with a new server. */
export type BindSmtp = (create: () => Server) => Promise<{ server: Server; port: number }>;

/** Listens on loopback for mails. The protocol is loaded with the first connection, so that an unused server is cheap. */
export async function listenForMails(bind: BindSmtp, mailbox: Mailbox, faults: Faults<MailFault>) {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    if (faults.take(() => false, ["away"])) socket.destroy();
    else void serve(socket, mailbox, faults);
  };
  const { server, port } = await bind(() => createServer({ pauseOnConnect: true }, accept));
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves one connection. Its server has handlers of its own, because faults cut its socket. */
async function serve(socket: Socket, mailbox: Mailbox, faults: Faults<MailFault>): Promise<void> {
  const { SMTPServer } = await import("smtp-server");
  const server = new SMTPServer({
    logger: false,
    // Any user name and password will do.
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    // The text of a fault has its own code, or none.
    hideENHANCEDSTATUSCODES: true,
    disableReverseLookup: true,
    ...handlersOf(socket, mailbox, faults),
  });
  server.on("error", () => socket.destroy());
  server.connect(socket);
  socket.resume();
}

function handlersOf(
  socket: Socket,
  mailbox: Mailbox,
  faults: Faults<MailFault>,
): Pick<SMTPServerOptions, "onConnect" | "onAuth" | "onMailFrom" | "onRcptTo" | "onData"> {
  /** Takes a fault of the connection, whose recipient is not known yet. */
  const refusalOf = (kind: "refuse-connection" | "refuse-sign-in" | "refuse-sender", usual: Refusal) => {
    const fault = faults.take(() => false, [kind]);
    return fault && failure(fault, usual);
  };
  return {
    onConnect: (_session, done) => done(refusalOf("refuse-connection", { status: 554, text: "No service here" })),
    onAuth({ username }, _session, done) {
      const refused = refusalOf("refuse-sign-in", { status: 535, text: "5.7.8 Wrong user name or password" });
      if (refused) done(refused);
      else done(null, { user: username });
    },
    onMailFrom: (_address, _session, done) =>
      done(refusalOf("refuse-sender", { status: 550, text: "5.7.1 Sender not allowed" })),
    onRcptTo({ address }, _session, done) {
      const fault = faults.take((on) => on === address, ["refuse-recipient", "cut"]);
      if (fault?.kind === "cut") socket.destroy();
      else if (fault?.kind === "refuse-recipient") done(failure(fault, { status: 550, text: "No such mailbox" }));
      else done();
    },
    async onData(stream, { envelope }, done) {
      try {
        const to = envelope.rcptTo.map(({ address }) => address);
        const fault = faults.take((on) => to.includes(on), ["error", "cut-data", "slow", "lost-reply", "timeout"]);
        if (fault?.kind === "cut-data") {
          stream.once("data", () => socket.destroy());
          return;
        }
        const message = await buffer(stream);
        if (fault?.kind === "error") return done(failure(fault, { status: 451, text: "Not taken" }));
        if (fault?.kind === "slow") await pause(fault.ms);
        await mailbox.receive(message, { from: envelope.mailFrom ? envelope.mailFrom.address : "", to });
        if (fault?.kind === "lost-reply") socket.destroy();
        else if (fault?.kind !== "timeout") done(null, "Kept in the mailbox");
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

function failure(fault: MailFault, usual: Refusal): Error {
  const { status, text } = fault as Partial<Refusal>;
  return Object.assign(new Error(text ?? usual.text), { responseCode: status ?? usual.status });
}
