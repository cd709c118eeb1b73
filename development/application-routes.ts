import type { ClerkEmulator } from "@lyceum/provider-emulators";
import { type NextFunction, type Request, type Response, Router } from "express";

/** Types of replies that the console shows. A browser runs none of them as a page of the console's origin. */
const shown = /^application\/(json|pdf)\b/;

/** Documents with which anyone verifies credentials. */
const publicDocuments = ["/public/.well-known/did.json", "/public/api/certificate/status/:list"];

/**
 * `/public/…` reads a public document of the application. `/as/:userId/api/…` calls the application's API with a new token of that user. Rights and limits are those of the
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
    const request = fetch(new URL(req.url, address), {
      method: req.method,
      headers: {
        authorization: `Bearer ${clerk.issueToken(String(userId))}`,
        ...(hasBody ? { "content-type": "application/json" } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(req.body) } : {}),
    });
    await send(res, request);
  });
  router.get(publicDocuments, (req: Request, res: Response) =>
    send(res, fetch(new URL(req.path.slice("/public".length), address))),
  );
  return router;
}

async function send(res: Response, request: Promise<globalThis.Response>): Promise<void> {
  const reply = await request.catch(() => undefined);
  if (!reply) {
    res.status(502).json({ error: "The application does not answer" });
    return;
  }
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
