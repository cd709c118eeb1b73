/** What the provider tells of a payer, in the entities of its messages. None of it is needed to apply a message. */
const payerFields = [
  ...["email", "contact", "card", "card_id", "vpa", "upi", "bank_account", "customer_id", "customer_details"],
  ...["billing_address", "shipping_address"],
];

/**
 * A message without what it tells of the payer. One that tells nothing of it, or cannot be read, keeps its exact bytes.
 * @param body the raw bytes of a message.
 */
export function withoutPayerData(body: Buffer): Buffer {
  try {
    const message: unknown = JSON.parse(body.toString("utf8"));
    const payload = isObject(message) && isObject(message.payload) ? message.payload : {};
    let removed = 0;
    for (const part of Object.values(payload)) {
      const entity = isObject(part) && isObject(part.entity) ? part.entity : {};
      for (const field of payerFields) {
        if (!Object.hasOwn(entity, field)) continue;
        delete entity[field];
        removed += 1;
      }
    }
    return removed > 0 ? Buffer.from(JSON.stringify(message)) : body;
  } catch {
    return body;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
