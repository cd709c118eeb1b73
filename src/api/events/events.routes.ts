import { z } from "zod";
import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { encodeCursor } from "../../http/list-reply.js";
import { orderedPage } from "../../http/pages.js";
import { type RouteGroup, route } from "../../http/route.js";
import { id, timestamp } from "../../lib/fields.js";
import { eventTypeNames } from "../../models/events/event-types.js";
import { describeEventTypes, listEvents } from "../../services/events/list-events.js";

const EventsQuery = z.object({ type: z.enum(eventTypeNames).optional(), ...orderedPage(z.tuple([z.int().min(0)])) });
const EventsReply = z.object({
  events: z.array(
    z.object({
      _id: id,
      type: z.string().meta({ enum: eventTypeNames }),
      at: timestamp,
      data: z.record(z.string(), z.unknown()).meta({ description: "its fields: see the event types" }),
    }),
  ),
  nextCursor: z.string().meta({ description: "`after` of the next page; the same place when no event is left" }),
});
const EventTypesReply = z.object({
  eventTypes: z.array(
    z.object({
      type: z.string().meta({ enum: eventTypeNames }),
      description: z.string(),
      schema: z.record(z.string(), z.unknown()).meta({ description: "JSON Schema of `data`" }),
    }),
  ),
});

/** Facts for other systems. */
export const eventsGroups = (deps: Deps): RouteGroup[] =>
  forManagers("events", ["educator", "admin"], ({ role, isAdmin, suffix }) => {
    const whose = isAdmin ? "of the platform" : "of the educator's own courses and paths";
    return [
      route("get", "/events", {
        operationId: `listEvents${suffix}`,
        summary: `The events ${whose}, oldest first`,
        description:
          "Keep `nextCursor` and send it as `after` later: a reader that does so gets every event once. An event is " +
          "listed as soon as its fact is stored.",
        access: role,
        scope: "events:read",
        query: EventsQuery,
        reply: EventsReply,
        async handle({ manager, query }) {
          const [after] = query.after ?? [0];
          const filter = {
            type: query.type,
            ...(!isAdmin && { educatorId: manager.userId }),
            ...(manager.key?.courseIds && { courseIds: manager.key.courseIds }),
          };
          const events = await listEvents(deps, filter, { after, limit: query.limit });
          return { events, nextCursor: encodeCursor([events.at(-1)?.seq ?? after]) };
        },
      }),
      route("get", "/webhooks/event-types", {
        operationId: `listEventTypes${suffix}`,
        summary: `The types of the events ${whose}`,
        access: role,
        scope: "events:read",
        reply: EventTypesReply,
        handle: async () => ({ eventTypes: describeEventTypes(role) }),
      }),
    ];
  });
