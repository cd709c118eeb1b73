import { expect, test } from "vitest";
import { applicant, apply, decide } from "../factories/applications.js";
import { deliverIdentity, userData } from "../factories/identity-events.js";
import { startTestServer, type TestServer } from "../server/test-server.js";
import { isLinearizable, type Model, oneByOne } from "./linearizable.js";

const server = await startTestServer();
const other = await server.another();

type Request =
  | { readonly do: "approve" | "reject" | "look" }
  /** A role that the identity provider reports, with its time. */
  | { readonly do: "tell"; readonly role: "student" | "educator"; readonly at: number };

interface Roles {
  readonly decision: "none" | "approve" | "reject";
  readonly isEducator: boolean;
  /** Time of the provider's newest report. */
  readonly at: number;
}

/**
 * Models a role. The first decision on an application wins. An approval grants the role at once. A report of the
 * provider counts when it is newer than its last report. `look` requests an educator's page.
 */
const roles: Model<Roles, Request, number> = {
  initial: { decision: "none", isEducator: false, at: 0 },
  step(state, request, status) {
    if (request.do === "look") return (status === 200) === state.isEducator ? state : undefined;
    if (request.do === "tell") {
      if (status !== 200) return undefined;
      return request.at > state.at ? { ...state, at: request.at, isEducator: request.role === "educator" } : state;
    }
    if (state.decision === request.do) return status === 200 ? state : undefined;
    if (state.decision !== "none") return status === 409 ? state : undefined;
    if (status !== 200) return undefined;
    return { ...state, decision: request.do, isEducator: state.isEducator || request.do === "approve" };
  },
  key: ({ decision, isEducator, at }) => `${decision} ${isEducator} ${at}`,
};

test("decisions, words of the identity provider and looks at one applicant's role, on two instances at once", async () => {
  const admins = [await server.signedIn("admin"), await server.signedIn("admin")] as const;
  for (let round = 0; round < 6; round += 1) {
    const user = await applicant(server);
    const applicationId = await apply(server, user);
    // Later than the time that an approval writes at the provider.
    const from = Date.now() + 3_600_000;
    const ask = async (request: Request, at: TestServer): Promise<number> => {
      if (request.do === "look") return (await at.get("/api/educator/dashboard", user.token)).status;
      if (request.do === "tell") {
        const told = { updated_at: from + request.at, public_metadata: { role: request.role } };
        return deliverIdentity(at, userData(user.id, "asha@example.com", told), "user.updated");
      }
      return (await decide(at, admins[at === other ? 1 : 0], applicationId, request.do, {})).status;
    };
    const inTurn = (requests: readonly Request[], turn: number) =>
      oneByOne(requests, turn % 2 ? [other, server] : [server, other], ask);
    const look = { do: "look" } as const;
    // The server ignores the report `student` until the provider has stored an approval. In rounds with two approvals
    // the provider therefore reports only `educator`. In other rounds it reports after the decisions.
    const isApprovedTwice = round % 2 === 1;
    const former = isApprovedTwice ? "educator" : "student";
    const tell = (role: "student" | "educator", at: number) => ({ do: "tell", role, at }) as const;
    const decisions = () =>
      Promise.all([
        inTurn([{ do: "approve" }, look, { do: "approve" }], round),
        inTurn([{ do: isApprovedTwice ? "approve" : "reject" }, look], round + 1),
      ]);
    const words = () =>
      Promise.all([
        inTurn([look, look, look, look], round),
        inTurn([tell("educator", 1), look, tell(former, 3)], round),
        inTurn([tell(former, 2), tell("educator", 4)], round + 1),
      ]);
    const history = isApprovedTwice ? await Promise.all([decisions(), words()]) : [await decisions(), await words()];
    const calls = [...history.flat(2), ...(await inTurn([look], round))];
    expect(isLinearizable(calls, roles), JSON.stringify(calls)).toBe(true);
  }
});
