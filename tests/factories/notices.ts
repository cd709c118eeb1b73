import { runJob } from "../server/run-job.js";
import type { SignedIn, TestServer } from "../server/test-server.js";

/** Makes the notices of everything that has happened. @returns what was made; undefined when there was nothing. */
export async function makeDueNotices({ deps }: Pick<TestServer, "deps">): Promise<string | undefined> {
  const ofEvents = await runJob({ deps }, "number-events");
  return (await runJob({ deps }, "make-notices")) ?? ofEvents;
}

/** Reads a user's notifications. */
export async function notificationsOf(server: TestServer, { token }: SignedIn, query = "") {
  const { body } = await server.get(`/api/user/notifications${query}`, token);
  return body;
}
