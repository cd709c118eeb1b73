import {
  type ListCertificatesData,
  listCertificates,
  type ManagedCertificate,
  reissueCertificate,
  revokeCertificate,
} from "@lyceum/client";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { State, states } from "./CertificateState.js";
import { usePages } from "./load.js";
import { FoldedForm, focusOn, More, Refusal, shownDate, Title } from "./parts.js";

type Query = Pick<NonNullable<ListCertificatesData["query"]>, "state" | "q">;

interface Props {
  courseId: string;
  courseTitle: string;
}

/** Lists the certificates of a course. Its educator corrects, renews the look of, and revokes them. */
export function CourseCertificates({ courseId, courseTitle }: Props) {
  const [query, setQuery] = useState<Query>({});
  const list = usePages(
    (after, signal) => listCertificates({ path: { id: courseId }, query: { limit: 20, ...query, ...after }, signal }),
    ({ certificates }) => certificates,
    JSON.stringify(query),
  );
  const change = (changed: ManagedCertificate) =>
    list.setRows((row) => (row.certificateId === changed.certificateId ? changed : row));
  return (
    <div className="narrow">
      <p className="soft">
        <a href={`/educator/students-enrolled/${courseId}`}>{courseTitle}</a>
      </p>
      <Title>Certificates</Title>
      <p>
        <a href={`/educator/certificate-template/${courseId}`}>Certificate template</a>
      </p>
      <form
        className="row spread"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const [state, q] = [String(fields.get("state")), String(fields.get("q"))];
          setQuery({ ...(state && { state: state as NonNullable<Query["state"]> }), ...(q && { q }) });
        }}
      >
        <label>
          Show{" "}
          <select name="state">
            <option value="">all certificates</option>
            {Object.entries(states).map(([value, text]) => (
              <option key={value} value={value}>
                {text.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
        <label>
          Name or e-mail address <input name="q" type="search" maxLength={100} />
        </label>
        <button type="submit" className="quiet">
          Find
        </button>
      </form>
      <Refusal error={list.error} />
      {list.reply && list.rows.length === 0 && <p role="status">No certificates here.</p>}
      <ul className="cards" aria-busy={list.isBusy}>
        {list.rows.map((certificate) => (
          <Issued key={certificate.certificateId} courseId={courseId} certificate={certificate} change={change} />
        ))}
      </ul>
      <More list={list}>Older certificates</More>
    </div>
  );
}

interface IssuedProps {
  courseId: string;
  certificate: ManagedCertificate;
  change: (changed: ManagedCertificate) => void;
}

function Issued({ courseId, certificate, change }: IssuedProps) {
  const { certificateId, studentName, state, edition, completionDate, expiresAt, revokedAt, reason } = certificate;
  const path = { id: courseId, certificateId };
  const row = useRef<HTMLLIElement>(null);
  const [said, setSaid] = useState("");
  /** Shows the changed certificate. Its forms are other ones now, so that the row takes the focus. */
  const show = (changed: ManagedCertificate | undefined, text: string) => {
    if (!changed) return;
    flushSync(() => {
      change(changed);
      setSaid(text);
    });
    focusOn(row.current);
  };
  const reissue = async (fields: FormData) => {
    const name = String(fields.get("studentName"));
    const body = { reason: String(fields.get("reason")), ...(name && { studentName: name }) };
    const answer = await reissueCertificate({ path, body });
    show(answer.data?.certificate, "Issued again.");
    return answer;
  };
  const revoke = async (fields: FormData) => {
    const answer = await revokeCertificate({ path, body: { reason: String(fields.get("reason")) } });
    show(answer.data?.certificate, "Revoked. The PDF is removed within a minute.");
    return answer;
  };
  return (
    <li className="card prompt" ref={row}>
      <h2 dir="auto">{studentName ?? "No name yet"}</h2>
      <p className="row">
        <State certificate={certificate} />
        <span className="soft">Completed on {shownDate(completionDate)}</span>
        {edition > 1 && <span className="soft">Edition {edition}</span>}
        {expiresAt && <span className="soft">Ends on {shownDate(expiresAt)}</span>}
        {revokedAt && <span className="soft">Revoked on {shownDate(revokedAt)}</span>}
      </p>
      {reason && (
        <p className="said">
          Reason: <bdi>{reason}</bdi>
        </p>
      )}
      <p role="status">{said}</p>
      {state !== "pending" && (
        <div className="row actions" key={`${edition} ${revokedAt}`}>
          <FoldedForm
            title={revokedAt ? "Make it valid again" : "Issue again"}
            action="Issue again"
            send={reissue}
            done={() => ""}
          >
            <label className="field">
              Name (empty: the name of the learner's profile)
              <input name="studentName" maxLength={200} />
            </label>
            <ReasonField />
          </FoldedForm>
          {!revokedAt && (
            <FoldedForm title="Revoke" action="Revoke the certificate" send={revoke} done={() => ""}>
              <p>It no longer counts, and its PDF is removed. The learner is told, but not why.</p>
              <ReasonField />
            </FoldedForm>
          )}
        </div>
      )}
    </li>
  );
}

const ReasonField = () => (
  <label className="field">
    Reason, for you and administrators
    <input name="reason" maxLength={200} required />
  </label>
);
