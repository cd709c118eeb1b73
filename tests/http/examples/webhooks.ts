import { buildWebhook, happen, type MadeWebhook } from "../../factories/webhooks.js";
import type { SignedIn } from "../../server/test-server.js";
import { type Examples, newAdmin, type Scene, type Sent } from "./scene.js";

type Role = "educator" | "admin";

/** Nothing listens here. */
const url = "http://127.0.0.1:9/lyceum";

const ownerOf = (scene: Scene, role: Role): Promise<SignedIn> =>
  role === "admin" ? newAdmin(scene) : scene.server.signedIn("educator");

/** A request about a new webhook. */
function ofWebhook(role: Role, rest = "", body?: unknown) {
  return async (scene: Scene): Promise<Sent> => {
    const owner = await ownerOf(scene, role);
    const { _id } = await buildWebhook(scene.server, owner, { url, description: "Our CRM" }, role);
    return { path: `/api/${role}/webhooks/${_id}${rest}`, body, token: owner.token };
  };
}

/** A new webhook with a delivery of an event. */
async function withDelivery(scene: Scene, role: Role) {
  const { server, educator, courseId } = scene;
  const owner = role === "admin" ? await newAdmin(scene) : educator;
  const webhook: MadeWebhook = await buildWebhook(server, owner, { url }, role);
  await happen(server, { type: "course.changed", data: { courseId, version: 2 } });
  const { _id } = await server.deps.db.WebhookDelivery.findOne({ webhookId: webhook._id }).orFail().lean();
  await server.deps.db.Webhook.updateOne({ _id: webhook._id }, { active: false });
  return { path: `/api/${role}/webhooks/${webhook._id}/deliveries`, deliveryId: String(_id), token: owner.token };
}

const routes = (role: Role): Examples => ({
  [`POST /api/${role}/webhooks`]: async (scene) => {
    const { token } = await ownerOf(scene, role);
    const body = { url: "https://crm.example/lyceum", types: ["purchase.completed"], description: "Our CRM" };
    return { path: `/api/${role}/webhooks`, body, token };
  },
  [`GET /api/${role}/webhooks`]: async (scene) => {
    const { token } = await ofWebhook(role)(scene);
    return { path: `/api/${role}/webhooks`, ...(token && { token }) };
  },
  [`PATCH /api/${role}/webhooks/{id}`]: ofWebhook(role, "", { active: false }),
  [`DELETE /api/${role}/webhooks/{id}`]: ofWebhook(role),
  [`POST /api/${role}/webhooks/{id}/rotate-secret`]: ofWebhook(role, "/rotate-secret", {}),
  [`POST /api/${role}/webhooks/{id}/ping`]: ofWebhook(role, "/ping", {}),
  [`GET /api/${role}/webhooks/{id}/deliveries`]: async (scene) => {
    const { path, token } = await withDelivery(scene, role);
    return { path, token };
  },
  [`POST /api/${role}/webhooks/{id}/deliveries/{deliveryId}/resend`]: async (scene) => {
    const { path, deliveryId, token } = await withDelivery(scene, role);
    return { path: `${path}/${deliveryId}/resend`, body: {}, token };
  },
});

export const webhooks: Examples = { ...routes("educator"), ...routes("admin") };
