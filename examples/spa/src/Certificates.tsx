import {
  getBakedBadge,
  getCredential,
  listOwnCertificates,
  type OwnCertificate,
  reissueOwnCertificate,
  renewCertificate,
} from "@lyceum/client";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { goTo } from "./addresses.js";
import { State } from "./CertificateState.js";
import { saveAs } from "./Lesson.js";
import { usePages } from "./load.js";
import { FoldedForm, focusOn, More, Refusal, shownDate, Title } from "./parts.js";

/** Lists the learner's certificates. The list is loaded again when a notice has arrived, which may be about one. */
export function Certificates({ arrived }: { arrived: number }) {
  const list = usePages(
    (after, signal) => listOwnCertificates({ query: { limit: 20, ...after }, signal }),
    ({ certificates }) => certificates,
    `${arrived}`,
  );
  const change = (changed: OwnCertificate) =>
    list.setRows((row) => (row.certificateId === changed.certificateId ? changed : row));
  return (
    <div className="narrow">
      <Title>My certificates</Title>
      <Refusal error={list.error} />
      {list.reply && list.rows.length === 0 && (
        <p className="card prompt">
          You have no certificates yet. You get one when you complete a course. <a href="/my-enrollments">My courses</a>
        </p>
      )}
      <ul className="cards" aria-busy={list.isBusy}>
        {list.rows.map((certificate) => (
          <Held key={certificate.certificateId} certificate={certificate} change={change} />
        ))}
      </ul>
      <More list={list}>Older certificates</More>
    </div>
  );
}

interface HeldProps {
  certificate: OwnCertificate;
  change: (changed: OwnCertificate) => void;
}

function Held({ certificate, change }: HeldProps) {
  const { courseTitle, studentName, state, reissuedAt, expiresAt, revokedAt } = certificate;
  const row = useRef<HTMLLIElement>(null);
  const [said, setSaid] = useState("");
  const reissue = async () => {
    const { certificateId } = certificate;
    const answer = await reissueOwnCertificate({ path: { certificateId } });
    if (answer.data) {
      const { certificate } = answer.data;
      // The form leaves with the wrong name.
      flushSync(() => {
        change(certificate);
        setSaid("Your certificate has the new name. Please use its new PDF.");
      });
      focusOn(row.current);
    }
    return answer;
  };
  return (
    <li className="card prompt" ref={row}>
      <h2 dir="auto">{courseTitle}</h2>
      <p className="row">
        <State certificate={certificate} />
        <span className="soft">Completed on {shownDate(certificate.completionDate)}</span>
        {reissuedAt && <span className="soft">Issued again on {shownDate(reissuedAt)}</span>}
        {state === "revoked" && revokedAt && <span className="soft">Revoked on {shownDate(revokedAt)}</span>}
        {state !== "revoked" && expiresAt && <span className="soft">Valid until {shownDate(expiresAt)}</span>}
      </p>
      {studentName && (
        <p className="said">
          Issued to <bdi>{studentName}</bdi>
        </p>
      )}
      {state === "pending" && <p>It is issued as soon as its PDF is ready and your profile has a name.</p>}
      {state === "revoked" && <p>It no longer counts. Please ask the educator of the course.</p>}
      {(state === "valid" || state === "expired") && <TakeAway certificate={certificate} />}
      <p role="status">{said}</p>
      <div className="row actions">
        {certificate.canReissue && (
          <FoldedForm title="Correct the name" action="Issue it again" send={reissue} done={() => ""}>
            <p>
              Your profile has another name now. The certificate gets that name, and its present PDF and badge no longer
              count. You can do this three times.
            </p>
          </FoldedForm>
        )}
        {certificate.canRenew && <RenewForm certificate={certificate} />}
      </div>
    </li>
  );
}

/** Links and files of a certificate. Badge and credential need the learner's token, so that they are buttons. */
function TakeAway({ certificate }: { certificate: OwnCertificate }) {
  const { certificateId, pdfUrl, verifyUrl, linkedinUrl } = certificate;
  const [refused, setRefused] = useState<{ message: string }>();
  const save = async (load: typeof getBakedBadge | typeof getCredential, ending: string) => {
    const { data, error } = await load({ path: { certificateId }, parseAs: "blob" });
    setRefused(error);
    if (data) saveAs(data, `${certificateId}.${ending}`);
  };
  return (
    <>
      <p className="row">
        {pdfUrl && (
          <a className="button" href={pdfUrl}>
            Open the PDF
          </a>
        )}
        <a href={verifyUrl}>Verification page</a>
        {linkedinUrl && <a href={linkedinUrl}>Add to LinkedIn</a>}
        <button type="button" className="plain" onClick={() => save(getBakedBadge, "png")}>
          Download the badge (PNG)
        </button>
        <button type="button" className="plain" onClick={() => save(getCredential, "json")}>
          Download the credential (JSON)
        </button>
      </p>
      <Refusal error={refused} />
    </>
  );
}

const RenewForm = ({ certificate: { certificateId, courseId, expiresAt } }: { certificate: OwnCertificate }) => (
  <FoldedForm
    title="Renew"
    action="Begin the course again"
    send={async () => {
      const answer = await renewCertificate({ path: { certificateId } });
      if (answer.data) goTo(`/player/${courseId}`);
      return answer;
    }}
    done={() => ""}
  >
    <p>
      You take the course again, and get a further certificate at its end. Your progress goes back to nothing, and
      passed assessments no longer count. {expiresAt && `This certificate keeps its end, ${shownDate(expiresAt)}.`}
    </p>
  </FoldedForm>
);
