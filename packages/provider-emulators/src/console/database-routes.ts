import { type NextFunction, type Request, type Response, Router } from "express";
import { z } from "zod";
import type { DatabaseTools } from "./application.js";

const Reset = z.object({ to: z.enum(["empty", "demo"]) });
const Page = z.object({ after: z.string().max(1000).optional() });
const SnapshotName = z.object({
  name: z.string().regex(/^[\w-]{1,60}$/, "a name has 1 to 60 letters, digits, hyphens and underscores"),
});

/**
 * Serves `GET /collections`, `GET /collections/:name?after=`, `POST /reset {to}`, `GET`, `POST /snapshots {name}` and
 * `POST /snapshots/:name/restore`. It expects parsed JSON.
 */
export function databaseRoutes(database: DatabaseTools): Router {
  const router = Router();
  let changing = false;
  /** Runs one change of the database at a time. */
  const alone = async (res: Response, change: () => Promise<object>): Promise<void> => {
    if (changing) {
      res.status(409).json({ error: "The database is being changed already" });
      return;
    }
    changing = true;
    try {
      res.json(await change());
    } finally {
      changing = false;
    }
  };

  router.get("/collections", async (_req, res) => {
    res.json({ collections: await database.collections(), snapshots: await database.snapshots(), changing });
  });
  router.get("/collections/:name", async (req, res) => {
    res.json(await database.documents(req.params.name, Page.parse(req.query).after));
  });
  router.post("/reset", async (req, res) => {
    const { to } = Reset.parse(req.body);
    await alone(res, async () => {
      await database.reset(to);
      return { reset: to };
    });
  });
  router.post("/snapshots", async (req, res) => {
    const { name } = SnapshotName.parse(req.body);
    await alone(res, async () => ({ snapshot: await database.save(name) }));
  });
  router.post("/snapshots/:name/restore", async (req, res) => {
    const { name } = SnapshotName.parse(req.params);
    await alone(res, async () => {
      await database.restore(name);
      return { restored: name };
    });
  });
  router.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (error instanceof z.ZodError) res.status(400).json({ error: z.prettifyError(error) });
    else next(error);
  });
  return router;
}
