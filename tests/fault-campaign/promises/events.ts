import { eventDifferences } from "../../../ops/compare-events/event-differences.js";
import { hasUnnumberedEvents } from "../../../src/models/events/event.js";
import { type Promised, promise } from "./promise.js";

export const ofEvents: readonly Promised[] = [
  promise("no fact is without its event, no event without its fact", async ({ system: { db } }, expect) => {
    for await (const line of eventDifferences(db, { eventRetentionDays: 30 })) expect(false, () => line);
    return db.Event.countDocuments();
  }),
  promise("every event has a number and is listed", async ({ system: { db } }, expect) => {
    expect(!(await hasUnnumberedEvents(db)), () => "an event waits for its number");
    return db.Event.countDocuments({ seq: { $gt: 0 } });
  }),
];
