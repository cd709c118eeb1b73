import { createKey } from "../../factories/api-keys.js";
import { type Examples, newAdmin, type Scene } from "./scene.js";

const asOwner = async (scene: Scene, role: "educator" | "admin") => {
  const owner = role === "admin" ? await newAdmin(scene) : await scene.server.signedIn("educator");
  const { apiKey } = await createKey(scene.server, owner, role);
  return { token: owner.token, base: `/api/${role}/api-keys`, path: `/api/${role}/api-keys/${apiKey._id}` };
};

const body = { name: "Warehouse", scopes: ["courses:read"] };

const managing = (["educator", "admin"] as const).flatMap((role) => {
  const base = `/api/${role}/api-keys`;
  return Object.entries({
    [`POST ${base}`]: async (scene) => ({ path: base, body, token: (await asOwner(scene, role)).token }),
    [`GET ${base}`]: async (scene) => ({ path: `${base}?limit=1`, token: (await asOwner(scene, role)).token }),
    [`PATCH ${base}/{id}`]: async (scene) => ({ ...(await asOwner(scene, role)), body: { name: "CRM" } }),
    [`POST ${base}/{id}/rotate`]: async (scene) => {
      const { path, token } = await asOwner(scene, role);
      return { path: `${path}/rotate`, body: { overlapHours: 1 }, token };
    },
    [`DELETE ${base}/{id}`]: (scene) => asOwner(scene, role),
  } satisfies Examples);
});

export const keys: Examples = {
  ...Object.fromEntries(managing),
  "GET /api/key": async (scene) => {
    const { server } = scene;
    const { apiKey, secret } = await createKey(server, await newAdmin(scene), "admin");
    // The use of a key is recorded once a minute.
    await server.deps.db.ApiKey.updateOne({ _id: apiKey._id }, { lastUsedAt: new Date() });
    return { path: "/api/key", token: secret };
  },
};
