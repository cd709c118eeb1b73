import type { ClerkEmulator } from "@lyceum/provider-emulators";
import { type NextFunction, type Request, type Response, Router } from "express";

/** Types of replies that the console shows. A browser runs none of them as a page of the console's origin. */
const shown = /^application\/(json|pdf)\b/;

/**
 * `/as/:userId/api/…` calls the application's API with a new token of that user. Rights and limits are those of the
 * user. It expects parsed JSON.
 * @param address of the application.
 */
export function applicationRoutes(clerk: ClerkEmulator, address: string): Router {
  const router = Router();
  router.use("/as/:userId", async (req: Request, res: Response, next: NextFunction) => {
    if (!req.url.startsWith("/api/")) return next();
    const { userId = "" } = req.params;
    if (!clerk.user(String(userId))) {
      res.status(404).json({ error: `No user ${userId}` });
      return;
    }
    const hasBody = req.method !== "GET" && req.body !== undefined;
    const reply = await fetch(new URL(req.url, address), {
      method: req.method,
      headers: {
        authorization: `Bearer ${clerk.issueToken(String(userId))}`,
        ...(hasBody ? { "content-type": "application/json" } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(req.body) } : {}),
    }).catch(() => undefined);
    if (!reply) {
      res.status(502).json({ error: "The application does not answer" });
      return;
    }
    await send(res, reply);
  });
  return router;
}

async function send(res: Response, reply: globalThis.Response): Promise<void> {
  const type = reply.headers.get("content-type") ?? "";
  if (!shown.test(type)) {
    res.status(502).json({ error: "The application answered with something else than JSON or a PDF" });
    return;
  }
  if (type.startsWith("application/json")) {
    const answer = (await reply.json()) as { message?: unknown };
    res.status(reply.status).json(reply.ok ? answer : { error: String(answer.message ?? "Refused") });
    return;
  }
  const name = reply.headers.get("content-disposition");
  // The console's Content-Security-Policy would block the browser's PDF viewer.
  res.removeHeader("Content-Security-Policy");
  res.status(reply.status).set({ "Content-Type": type, ...(name ? { "Content-Disposition": name } : {}) });
  res.end(Buffer.from(await reply.arrayBuffer()));
}
