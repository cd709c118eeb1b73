import { hasUnnumberedEvents } from "../../../src/models/events/event.js";
import { eventDifferences } from "../../../src/services/recount/event-differences.js";
import { Findings, type Promised } from "./promise.js";

const facts: Promised = {
  name: "no fact is without its event, no event without its fact",
  async check({ system: { db } }) {
    const findings = new Findings();
    for await (const line of eventDifferences(db, { eventRetentionDays: 30 })) findings.expect(false, () => line);
    return { count: findings.count + (await db.Event.countDocuments()), broken: findings.broken };
  },
};

const numbers: Promised = {
  name: "every event has a number and is listed",
  async check({ system: { db } }) {
    const findings = new Findings();
    findings.expect(!(await hasUnnumberedEvents(db)), () => "an event waits for its number");
    return { count: await db.Event.countDocuments({ seq: { $gt: 0 } }), broken: findings.broken };
  },
};

export const ofEvents: readonly Promised[] = [facts, numbers];
