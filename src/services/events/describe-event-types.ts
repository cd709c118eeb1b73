import { z } from "zod";
import { eventTypeNames, eventTypes } from "../../models/events/event-types.js";

/** Describes the types of events that a role lists, with the JSON Schema of their data. */
export function describeEventTypes(role: "educator" | "admin") {
  return eventTypeNames
    .map((type) => ({ type, ...eventTypes[type] }))
    .filter(({ audience }) => role === "admin" || audience === "educator")
    .map(({ type, description, data }) => ({ type, description, schema: z.toJSONSchema(data, { io: "output" }) }));
}
