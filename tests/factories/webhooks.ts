import { expect } from "vitest";
import { numberEvents } from "../../src/services/events/number-events.js";
import { type NewEvent, recordEvents } from "../../src/services/events/record-event.js";
import { deliverDue } from "../../src/services/webhooks/deliver-due.js";
import type { SignedIn, TestServer } from "../server/test-server.js";

export interface MadeWebhook {
  readonly _id: string;
  readonly secret: string;
}

/** Creates a webhook through the API, for every type by default. */
export async function buildWebhook(
  server: TestServer,
  owner: SignedIn,
  fields: Record<string, unknown> & { url: string },
  role: "admin" | "educator" = "admin",
): Promise<MadeWebhook> {
  const { status, body } = await server.post(`/api/${role}/webhooks`, { types: ["*"], ...fields }, owner.token);
  expect({ status, success: body.success }).toEqual({ status: 200, success: true });
  return { ...body.webhook, secret: body.secret };
}

/** Records events and gives them their numbers, which creates their deliveries. */
export async function happen({ deps }: TestServer, ...facts: NewEvent[]): Promise<void> {
  await deps.db.transaction((session) => recordEvents(deps.db, session, facts));
  while ((await numberEvents(deps)) > 0);
}

/** A new user, as an event. */
export const userCreated = (userId: string): NewEvent => ({ type: "user.created", data: { userId } });

/** Makes the due attempts, as the job does. @returns their number. */
export const deliver = ({ deps }: TestServer): Promise<number> => deliverDue(deps, new AbortController().signal);
