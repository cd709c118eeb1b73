import { createKey } from "../../factories/api-keys.js";
import { after, type Examples, examplesOf, newAdmin, type Scene } from "./scene.js";

function managing(role: "educator" | "admin"): Examples {
  const made = async (scene: Scene) => {
    const { server } = scene;
    const owner = role === "admin" ? await newAdmin(scene) : await server.signedIn("educator");
    return { token: owner.token, id: (await createKey(server, owner, role)).apiKey._id };
  };
  return examplesOf({
    [`POST /api/${role}/api-keys`]: after(made, () => ({ name: "Warehouse", scopes: ["courses:read"] })),
    [`GET /api/${role}/api-keys`]: after(made, undefined, "?limit=1"),
    [`PATCH /api/${role}/api-keys/{id}`]: after(made, () => ({ name: "CRM" })),
    [`POST /api/${role}/api-keys/{id}/rotate`]: after(made, () => ({ overlapHours: 1 })),
    [`DELETE /api/${role}/api-keys/{id}`]: after(made),
  });
}

export const keys: Examples = {
  ...managing("educator"),
  ...managing("admin"),
  ...examplesOf({
    "GET /api/key": after(async (scene) => {
      const { server } = scene;
      const { apiKey, secret } = await createKey(server, await newAdmin(scene), "admin");
      // The use of a key is recorded once a minute.
      await server.deps.db.ApiKey.updateOne({ _id: apiKey._id }, { lastUsedAt: new Date() });
      return { token: secret };
    }),
  }),
};
