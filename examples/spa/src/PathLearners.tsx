import { createPathEnrollment, endPathEnrollment, listPathEnrollments, type PathEnrollment } from "@lyceum/client";
import { useState } from "react";
import { usePages } from "./load.js";
import { FoldedForm, focusOn, More, Refusal, shownDate } from "./parts.js";

/** Lists who has a path. Its educator gives it to somebody, and ends what was given. */
export function PathLearners({ pathId }: { pathId: string }) {
  const [refused, setRefused] = useState<{ message: string }>();
  const list = usePages(
    (after, signal) => listPathEnrollments({ path: { pathId }, query: { limit: 20, ...after }, signal }),
    ({ enrollments }) => enrollments,
    pathId,
  );
  const give = async (fields: FormData) => {
    const expiresAt = String(fields.get("expiresAt"));
    const body = { email: String(fields.get("email")), reason: String(fields.get("reason")) };
    const answer = await createPathEnrollment({
      path: { pathId },
      body: { ...body, ...(expiresAt && { expiresAt }) },
    });
    if (answer.data) await list.again();
    return answer;
  };
  const end = async (enrollmentId: string, section: Element | null) => {
    const { error } = await endPathEnrollment({ path: { pathId, enrollmentId } });
    setRefused(error);
    if (error) return;
    // The button leaves with its row.
    focusOn(section);
    await list.again();
  };
  return (
    <section aria-labelledby="learners">
      <h2 id="learners">Learners</h2>
      <FoldedForm
        title="Give the path to somebody"
        action="Give it"
        send={give}
        done={({ enrollment }) =>
          enrollment.state === "active" ? "They have the path now." : "They get the path when they sign up."
        }
      >
        <label className="field">
          E-mail address
          <input name="email" type="email" required />
        </label>
        <label className="field">
          Reason, for you and administrators
          <input name="reason" maxLength={200} required />
        </label>
        <label className="field">
          Last day (empty: for good)
          <input name="expiresAt" type="date" />
        </label>
      </FoldedForm>
      <Refusal error={refused ?? list.error} />
      {list.reply && list.rows.length === 0 && <p role="status">Nobody has the path yet.</p>}
      <ul className="card lines" aria-busy={list.isBusy}>
        {list.rows.map((row) => (
          <li key={row._id} className="line row">
            <span className="said">{row.email ?? row.userId}</span>
            <span className="soft">
              {row.state === "waiting" ? "Waits for the sign-up" : kinds[row.kind]}
              {row.expiresAt && ` · until ${shownDate(row.expiresAt)}`}
            </span>
            {row.kind === "grant" && (
              <button
                type="button"
                className="quiet small"
                onClick={({ currentTarget }) => end(row._id, currentTarget.closest("section"))}
              >
                End<span className="unseen"> the access of {row.email ?? row.userId}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <More list={list}>Earlier learners</More>
    </section>
  );
}

const kinds: Record<PathEnrollment["kind"], string> = { purchase: "Bought", free: "Free", grant: "Given" };
