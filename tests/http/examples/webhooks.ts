import { buildWebhook, happen } from "../../factories/webhooks.js";
import { after, type Examples, examplesOf, newAdmin, type Scene } from "./scene.js";

/** Nothing listens here. */
const url = "http://127.0.0.1:9/lyceum";

function routes(role: "educator" | "admin"): Examples {
  const owner = (scene: Scene) => (role === "admin" ? newAdmin(scene) : scene.server.signedIn("educator"));
  const made = async (scene: Scene) => {
    const own = await owner(scene);
    const { _id } = await buildWebhook(scene.server, own, { url, description: "Our CRM" }, role);
    return { id: _id, token: own.token };
  };
  /** A new webhook with a delivery of an event. */
  const withDelivery = async (scene: Scene) => {
    const { server, educator, courseId } = scene;
    const own = role === "admin" ? await newAdmin(scene) : educator;
    const { _id: webhookId } = await buildWebhook(server, own, { url }, role);
    await happen(server, { type: "course.changed", data: { courseId, version: 2 } });
    const { _id } = await server.deps.db.WebhookDelivery.findOne({ webhookId }).orFail().lean();
    await server.deps.db.Webhook.updateOne({ _id: webhookId }, { active: false });
    return { id: webhookId, deliveryId: String(_id), token: own.token };
  };
  const body = { url: "https://crm.example/lyceum", types: ["purchase.completed"], description: "Our CRM" };
  return examplesOf({
    [`POST /api/${role}/webhooks`]: after(owner, () => body),
    [`GET /api/${role}/webhooks`]: after(made),
    [`PATCH /api/${role}/webhooks/{id}`]: after(made, () => ({ active: false })),
    [`DELETE /api/${role}/webhooks/{id}`]: after(made),
    [`POST /api/${role}/webhooks/{id}/rotate-secret`]: after(made, () => ({})),
    [`POST /api/${role}/webhooks/{id}/ping`]: after(made, () => ({})),
    [`GET /api/${role}/webhooks/{id}/deliveries`]: after(withDelivery),
    [`POST /api/${role}/webhooks/{id}/deliveries/{deliveryId}/resend`]: after(withDelivery, () => ({})),
  });
}

export const webhooks: Examples = { ...routes("educator"), ...routes("admin") };
