import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { NumberedEvent } from "../../models/events/event.js";

/**
 * Stores what follows from events, in the transaction that numbers them, so that it happens once for each event. Nothing
 * follows yet.
 */
export async function fanOut(_db: Db, _events: readonly NumberedEvent[], _session: ClientSession): Promise<void> {
  // Deliveries to webhooks belong here.
}
