import type { Types } from "mongoose";
import { z } from "zod";
import type { Deps } from "../../deps.js";
import { findEvents, type ListedEvent } from "../../models/events/event.js";
import { type EventType, eventTypeNames, eventTypes } from "../../models/events/event-types.js";
import { onlyAmong } from "../../models/users/api-key.js";
import { numberEvents } from "./number-events.js";

export interface EventFilter {
  readonly type?: EventType | undefined;
  /** Only events of this educator's courses and paths. */
  readonly educatorId?: string | undefined;
  /** Only events of these courses, and of paths of these courses alone. */
  readonly courseIds?: readonly Types.ObjectId[] | undefined;
}

/**
 * Lists the events behind a number, oldest first. Up to 500 events that were committed before the call and have no
 * number get one now, so that a reader does not wait for the job unless many events wait too.
 */
export async function listEvents(
  deps: Pick<Deps, "db" | "config">,
  { type, educatorId, courseIds }: EventFilter,
  { after, limit }: { after: number; limit: number },
): Promise<ListedEvent[]> {
  await numberEvents(deps);
  const filter = {
    ...(educatorId !== undefined && { educatorId }),
    ...(courseIds && { $or: [{ courseId: { $in: [...courseIds] } }, { courseIds: onlyAmong(courseIds) }] }),
    ...(type && { type }),
  };
  return findEvents(deps.db, filter, { after, limit });
}

/** Describes the types of events that a role lists, with the JSON Schema of their data. */
export function describeEventTypes(role: "educator" | "admin") {
  return eventTypeNames
    .map((type) => ({ type, ...eventTypes[type] }))
    .filter(({ audience }) => role === "admin" || audience === "educator")
    .map(({ type, description, data }) => ({ type, description, schema: z.toJSONSchema(data, { io: "output" }) }));
}
