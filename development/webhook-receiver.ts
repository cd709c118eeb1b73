import { setTimeout as pause } from "node:timers/promises";
import { type Request, type Response, Router } from "express";
import { Webhook as Verifier } from "svix";

/** How the receiver answers: a status, or the status 200 after a while. */
const answers = ["200", "500", "410", "slow"] as const;
type Answer = (typeof answers)[number];

/** Delay of a slow answer. The server does not wait so long. */
const slowMs = 12_000;

const maxKept = 50;

interface Received {
  readonly id: string;
  readonly at: Date;
  /** Whether a known secret has signed the message. */
  readonly isSigned: boolean;
  readonly answer: Answer;
  readonly body: unknown;
}

/**
 * Receives the messages of webhooks, for the console. `POST /messages` is the address of a webhook, `GET /` lists the
 * newest messages, and `POST /` sets the answer or adds the secret of a webhook. It expects parsed JSON.
 */
export function webhookReceiver(): Router {
  const secrets = new Set<string>();
  const messages: Received[] = [];
  let answer: Answer = "200";
  const router = Router();
  router.get("/", (req, res) => {
    res.json({ url: `http://${req.get("host")}${req.baseUrl}/messages`, answers, answer, messages });
  });
  router.post("/", (req, res) => {
    const { answer: wanted, secret } = req.body as { answer?: Answer; secret?: string };
    if (secret !== undefined) secrets.add(secret);
    if (wanted !== undefined && answers.includes(wanted)) answer = wanted;
    res.json({ answer });
  });
  router.post("/messages", async (req: Request, res: Response) => {
    const current = answer;
    const isSigned = [...secrets].some((secret) => isSignedBy(secret, req));
    messages.unshift({ id: req.get("webhook-id") ?? "", at: new Date(), isSigned, answer: current, body: req.body });
    messages.splice(maxKept);
    if (current === "slow") await pause(slowMs, undefined, { ref: false });
    res.sendStatus(current === "slow" ? 200 : Number(current));
  });
  return router;
}

function isSignedBy(secret: string, req: Request): boolean {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const headers = Object.fromEntries(names.map((name) => [name, req.get(name) ?? ""]));
  try {
    // The server writes its bodies by JSON.stringify, so this is the text that was signed.
    new Verifier(secret).verify(JSON.stringify(req.body), headers);
    return true;
  } catch {
    return false;
  }
}
