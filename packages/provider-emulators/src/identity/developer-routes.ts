import { type Response, Router } from "express";
import { type ZodType, z } from "zod";
import type { IdentityEmulator } from "./identity-emulator.js";

const Fields = {
  firstName: z.string().nullable().optional(),
  lastName: z.string().nullable().optional(),
  email: z.string().nullable().optional(),
  imageUrl: z.string().optional(),
  role: z.string().optional(),
};
const NewUser = z.object({ id: z.string().min(1).optional(), webhook: z.boolean().optional(), ...Fields });
const UserChange = z.object(Fields);
const TokenRequest = z.object({
  userId: z.string().min(1),
  role: z.string().nullable().optional(),
  expiresInSeconds: z.number().int().optional(),
});

/**
 * What developers call with curl. `POST /dev/users` creates or updates a user, `GET /dev/users` lists them,
 * `PATCH` and `DELETE /dev/users/:id`; `POST /dev/tokens {userId, role?, expiresInSeconds?}` answers `{token}`.
 */
export function identityDeveloperRoutes(identity: IdentityEmulator): Router {
  const router = Router();

  router.get("/dev/users", (_req, res) => {
    res.json({ users: identity.users() });
  });
  router.post("/dev/users", async (req, res) => {
    const body = read(NewUser, req.body, res);
    if (body) res.json({ user: await identity.createUser(body) });
  });
  router.patch("/dev/users/:id", async (req, res) => {
    const body = read(UserChange, req.body, res);
    if (!body) return;
    if (identity.user(req.params.id)) res.json({ user: await identity.updateUser(req.params.id, body) });
    else res.status(404).json({ error: `No user ${req.params.id}` });
  });
  router.delete("/dev/users/:id", async (req, res) => {
    if (!identity.user(req.params.id)) {
      res.status(404).json({ error: `No user ${req.params.id}` });
      return;
    }
    await identity.deleteUser(req.params.id);
    res.json({ deleted: true });
  });
  router.post("/dev/tokens", (req, res) => {
    const body = read(TokenRequest, req.body, res);
    if (!body) return;
    const { userId, role, expiresInSeconds } = body;
    const token = identity.issueToken(userId, {
      ...(role === undefined ? {} : { role }),
      ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
    });
    res.json({ token });
  });
  return router;
}

/** The parsed body, or undefined after a 400 was sent. */
function read<Body>(schema: ZodType<Body>, body: unknown, res: Response): Body | undefined {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  res.status(400).json({ error: z.prettifyError(parsed.error) });
  return undefined;
}
