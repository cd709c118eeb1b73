import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { EventType } from "../../../src/models/events/event-types.js";
import type { SignedIn, TestServer } from "../../server/test-server.js";

export interface ListedEvent {
  readonly _id: string;
  readonly type: EventType;
  readonly at: string;
  readonly data: Record<string, unknown>;
}

/** Reads the events of a server as an administrator, and checks the data of each with the schema of its type. */
export async function eventLog(server: TestServer, admin: SignedIn) {
  const types = await server.get("/api/admin/webhooks/event-types", admin.token);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const check = new Map<string, ReturnType<Ajv2020["compile"]>>(
    types.body.eventTypes.map(({ type, schema }: { type: string; schema: object }) => [type, ajv.compile(schema)]),
  );
  let after = "";
  async function next(): Promise<ListedEvent[]> {
    const events: ListedEvent[] = [];
    for (;;) {
      const { status, body } = await server.get(
        `/api/admin/events?limit=100${after && `&after=${after}`}`,
        admin.token,
      );
      expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
      if (body.events.length === 0) break;
      after = body.nextCursor;
      events.push(...body.events);
    }
    for (const { type, data } of events) {
      const valid = check.get(type);
      expect(valid?.(data), `${type} ${JSON.stringify(data)}: ${JSON.stringify(valid?.errors)}`).toBe(true);
    }
    return events;
  }
  return {
    /** The events since the last call, oldest first. */
    next,
    /** Type and data of the events since the last call. `courses`: also publications, which a test's set-up makes. */
    async told({ courses = false } = {}): Promise<[EventType, Record<string, unknown>][]> {
      const events = await next();
      return events.filter(({ type }) => courses || type !== "course.published").map(({ type, data }) => [type, data]);
    },
  };
}
