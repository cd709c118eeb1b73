import { expect, test } from "vitest";
import { busyLearner, expectCounted, rowsWith } from "../../privacy/busy-learner.js";
import { finishErasure } from "../../privacy/learner-everywhere.js";
import { dieAfter, requestBy } from "../../server/dying-instance.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });

test("a server that dies anywhere in an erasure leaves a wish that the job fulfils", async () => {
  const died: boolean[] = [];
  for (const writes of [1, 5, 12, 24]) {
    const { learner, course } = await busyLearner(server);
    const request = requestBy(learner, "DELETE", "/api/user/data", { confirm: learner.id });
    const result = await dieAfter(server, writes, request);
    died.push(result.died);
    // What the transaction before the death did not note was not promised either.
    const noted = await server.deps.db.Erasure.exists({ _id: learner.id });
    if (!noted && result.died) expect(await result.answer).toBe(500);
    await server.deps.db.Lease.deleteMany({});
    await finishErasure(server, learner.id);
    const left = await rowsWith(server, learner.id);
    if (noted) expect(left).toEqual({ accounts: 1, auditentries: 2, events: 2 });
    await expectCounted(server, course._id);
  }
  expect(died.filter(Boolean).length).toBeGreaterThan(2);
}, 120_000);
