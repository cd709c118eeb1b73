import { numberEvents } from "../../src/services/events/number-events.js";
import { makeNotices } from "../../src/services/notices/make-notices.js";
import type { SignedIn, TestServer } from "../server/test-server.js";

/** Makes the notices of everything that has happened. */
export async function makeDueNotices({ deps }: Pick<TestServer, "deps">): Promise<number> {
  while ((await numberEvents(deps)) > 0);
  return makeNotices(deps, new AbortController().signal);
}

/** Reads a user's notifications. */
export async function notificationsOf(server: TestServer, { token }: SignedIn, query = "") {
  const { body } = await server.get(`/api/user/notifications${query}`, token);
  return body;
}
