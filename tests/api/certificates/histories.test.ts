import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded, timesLonger } from "../../longer-runs.js";
import { startTestServer } from "../../server/test-server.js";
import { certificateRoom } from "./certified.js";

const server = await startTestServer({ own: "takes long, and runs jobs over all certificates" });
const { db } = server.deps;

const steps = ["complete", "reset", "renew", "rename", "reissue", "staffReissue", "revoke", "nearEnd", "end"] as const;
type Step = (typeof steps)[number];

/** What a certificate should be. `left`: days until its end. */
interface Expected {
  name: string;
  edition: number;
  own: number;
  left: number;
  isRevoked: boolean;
  isRenewed: boolean;
}

/** A small model of one learner's certificates of one course, the oldest first. */
class Model {
  readonly certificates: Expected[] = [];
  isCompleted = false;
  name = "Name 0";
  names = 0;

  /** Does a step to the newest certificate. @returns the status that the server should answer. */
  do(step: Step): number {
    const newest = this.certificates.at(-1);
    const needs = !newest && !["complete", "reset", "rename"].includes(step) ? 404 : undefined;
    if (needs) return needs;
    if (step === "rename") this.name = `Name ${++this.names}`;
    if (step === "reset") this.isCompleted = false;
    if (step === "complete" && !this.isCompleted) {
      this.isCompleted = true;
      const isRunning = newest && !newest.isRevoked && newest.left > 90;
      const fresh = { edition: 1, own: 0, left: 1_000, isRevoked: false, isRenewed: false };
      if (!isRunning) this.certificates.push({ name: this.name, ...fresh });
    }
    if (!newest) return 200;
    switch (step) {
      case "nearEnd":
        newest.left = 50;
        return 200;
      case "end":
        newest.left = -1;
        return 200;
      case "renew":
        if (newest.isRevoked || newest.left > 90) return 409;
        if (!newest.isRenewed) this.isCompleted = false;
        newest.isRenewed = true;
        return 200;
      case "revoke":
        if (newest.isRevoked) return 409;
        newest.isRevoked = true;
        return 200;
      case "reissue":
        if (newest.isRevoked || newest.name === this.name || newest.own === 3) return 409;
        newest.own += 1;
        return this.reissue(newest);
      case "staffReissue":
        return newest.name === this.name && !newest.isRevoked ? 409 : this.reissue(newest);
      default:
        return 200;
    }
  }

  private reissue(certificate: Expected): number {
    certificate.name = this.name;
    certificate.edition += 1;
    certificate.isRevoked = false;
    return 200;
  }
}

test("any history of completions, resets, renewals, reissues, revocations and ends is as in a small model", async () => {
  const room = await certificateRoom(server);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 12 }), async (history) => {
      const learner = await room.learner("Name 0");
      const model = new Model();
      const newestId = async () =>
        (await db.Certificate.findOne({ userId: learner.id }).sort({ ordinal: -1 }).lean())?.certificateId ?? "none";
      const act = async (step: Step): Promise<number> => {
        const id = await newestId();
        const reason = "because";
        switch (step) {
          case "complete":
            await room.complete(learner);
            return 200;
          case "reset":
            return (await room.post(`learners/${learner.id}/reset`, { reason })).status;
          case "rename":
            await room.rename(learner, model.name);
            return 200;
          case "reissue":
          case "renew":
            return (await room.own(learner, id, step)).status;
          case "staffReissue":
            return (await room.post(`certificates/${id}/reissue`, { reason })).status;
          case "revoke":
            return (await room.post(`certificates/${id}/revoke`, { reason })).status;
          case "nearEnd":
          case "end":
            if (id !== "none") await room.endIn(id, step === "end" ? -1 : 50);
            return id === "none" ? 404 : 200;
        }
      };
      for (const step of history) {
        const wanted = model.do(step);
        expect(await act(step), `${step} in ${history}`).toBe(wanted);
        const listed = await room.list(learner);
        const shown = listed.reverse().map(({ studentName, edition, state, canReissue, canRenew, pdfUrl }) => ({
          ...{ name: studentName, edition, state, canReissue, canRenew, hasPdf: pdfUrl !== null },
        }));
        const expected = model.certificates.map((one, i) => ({
          ...{ name: one.name, edition: one.edition, hasPdf: !one.isRevoked },
          state: one.isRevoked ? "revoked" : one.left < 0 ? "expired" : "valid",
          canReissue: !one.isRevoked && one.name !== model.name && one.own < 3,
          canRenew: !one.isRevoked && one.left <= 90 && !one.isRenewed && i === model.certificates.length - 1,
        }));
        expect(shown, `after ${step} in ${history}`).toEqual(expected);
      }
    }),
    { ...seeded, numRuns: 6 * timesLonger },
  );
});
