import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { NumberedEvent } from "../../models/events/event.js";
import type { Webhook } from "../../models/events/webhook.js";
import { newDelivery, type WebhookDelivery } from "../../models/events/webhook-delivery.js";
import { withEntitledOwner } from "../webhooks/receiving-owners.js";

/** An event whose educator is known, and which has no number yet. */
export type EventToNumber = Omit<NumberedEvent, "seq">;

/** Maximum number of deliveries that the events of one transaction may have. Short transactions rarely conflict. */
const maxDeliveries = 500;

type Receiver = Pick<Webhook, "_id" | "types" | "createdBy" | "role" | "courseIds" | "createdAt">;

export interface FanOut {
  /** How many of the events, from the first, the deliveries belong to: at least one. */
  readonly events: number;
  readonly deliveries: WebhookDelivery[];
}

/**
 * Plans the deliveries of events to webhooks. The transaction that numbers the events stores them, so that each webhook
 * gets each event once. A webhook gets the events that were recorded after its creation and that its owner may see.
 */
export async function planDeliveries(
  db: Db,
  events: readonly EventToNumber[],
  expiresAt: Date,
  session: ClientSession,
): Promise<FanOut> {
  const receivers = await findReceivers(db, events, session);
  const deliveries: WebhookDelivery[] = [];
  const createdAt = new Date();
  let count = 0;
  for (const event of events) {
    const { _id: eventId, type, userIds } = event;
    const own = receivers
      .filter((webhook) => receives(webhook, event))
      .map(({ _id: webhookId }) => newDelivery({ webhookId, eventId, type, userIds, createdAt, expiresAt }));
    if (count > 0 && deliveries.length + own.length > maxDeliveries) break;
    deliveries.push(...own);
    count += 1;
  }
  return { events: count, deliveries };
}

async function findReceivers(db: Db, events: readonly EventToNumber[], session: ClientSession): Promise<Receiver[]> {
  const educators = [...new Set(events.flatMap(({ educatorId }) => educatorId ?? []))];
  const types = ["*" as const, ...new Set(events.map(({ type }) => type))];
  const found = await db.Webhook.find(
    {
      types: { $in: types },
      $or: [
        { role: "admin", active: true },
        { role: "educator", active: true, createdBy: { $in: educators } },
      ],
    },
    { types: 1, createdBy: 1, role: 1, courseIds: 1, createdAt: 1 },
    { session },
  ).lean<Receiver[]>();
  return withEntitledOwner(db, found, session);
}

const receives = ({ types, role, createdBy, courseIds, createdAt }: Receiver, event: EventToNumber): boolean =>
  (types.includes("*") || types.includes(event.type)) &&
  (role === "admin" || createdBy === event.educatorId) &&
  (!courseIds || isAbout(event, courseIds)) &&
  event.at >= createdAt;

/** Whether an event is about one of the courses, or about a path of these courses alone. */
function isAbout({ courseId, courseIds: ofPath = [] }: EventToNumber, courseIds: readonly Types.ObjectId[]): boolean {
  const among = (one: Types.ObjectId) => courseIds.some((known) => known.equals(one));
  return courseId ? among(courseId) : ofPath.length > 0 && ofPath.every(among);
}
