import {
  addResource,
  type CertificateTemplate,
  type CourseResource,
  getTemplate,
  listResources,
  previewTemplate,
  removeTemplate,
  setTemplate,
} from "@lyceum/client";
import { type RefObject, useEffect, useRef, useState } from "react";
import { TextField } from "./Fields.js";
import { type InvalidFields, invalidFields } from "./invalid-fields.js";
import { type Answer, useAnswer } from "./load.js";
import { FoldedForm, Pending, Refusal, Title } from "./parts.js";
import { PictureField, Signatories } from "./TemplateFields.js";

/** Milliseconds without a change until the preview is drawn. */
const pauseMs = 500;
/** Where the choice of an own colour begins. */
const firstColor = "#0f766e";

interface Props {
  courseId: string;
  courseTitle: string;
}

/** Edits what the certificates of a course look like, beside a preview of them. */
export function TemplateEditor({ courseId, courseTitle }: Props) {
  const path = { id: courseId };
  const stored = useAnswer(() => getTemplate({ path }), courseId);
  const files = useAnswer(() => listResources({ path }), courseId);
  if (!stored.data || !files.data) return <Pending error={stored.error ?? files.error} />;
  const pictures = files.data.resources.filter(({ contentType }) => /^image\/(png|jpeg)$/.test(contentType));
  const addPicture = async (fields: FormData) => {
    const answer = await addResource({ path, body: { file: fields.get("file") as File } });
    if (answer.data) files.again();
    return answer;
  };
  return (
    <>
      <p className="soft">
        <a href={`/educator/students-enrolled/${courseId}`}>{courseTitle}</a>
      </p>
      <Title>Certificate template</Title>
      <p>
        Certificates that are issued from now on look like this.{" "}
        <a href={`/educator/certificates/${courseId}`}>Present certificates</a> keep their look until you issue them
        again.
      </p>
      <FoldedForm
        title="Add a picture to the course"
        action="Add"
        send={addPicture}
        done={({ resource }) => `${resource.name} can be chosen now.`}
      >
        <label className="field">
          PNG or JPEG, up to 1 MiB
          <input name="file" type="file" accept="image/png,image/jpeg" required />
        </label>
      </FoldedForm>
      <Editor courseId={courseId} stored={stored.data.template} pictures={pictures} />
    </>
  );
}

interface EditorProps {
  courseId: string;
  stored: CertificateTemplate;
  pictures: CourseResource[];
}

function Editor({ courseId, stored, pictures }: EditorProps) {
  const path = { id: courseId };
  const [draft, setDraft] = useState(stored);
  const [said, setSaid] = useState("");
  const [refused, setRefused] = useState<{ message: string }>();
  const form = useRef<HTMLFormElement>(null);
  const preview = usePreview(courseId, draft, form);
  const { invalid } = preview;
  const change = (changed: Partial<CertificateTemplate>) => {
    setSaid("");
    setRefused(undefined);
    setDraft((draft) => ({ ...draft, ...changed }));
  };
  const finish = (answer: Answer<{ template: CertificateTemplate }>, text: string) => {
    setRefused(answer.error);
    if (!answer.data) return;
    setDraft(answer.data.template);
    setSaid(text);
  };
  const reset = async () => {
    const { error } = await removeTemplate({ path });
    finish(error ? { error } : await getTemplate({ path }), "The template is the usual one again.");
  };
  return (
    <div className="editor">
      <form
        className="card prompt"
        ref={form}
        onSubmit={async (event) => {
          event.preventDefault();
          finish(await setTemplate({ path, body: draft }), "Saved.");
        }}
      >
        <TextField
          {...{ invalid, path: "heading", label: "Heading", maxLength: 60 }}
          placeholder="Certificate of completion"
          value={draft.heading}
          onText={(heading) => change({ heading })}
        />
        <TextField
          {...{ invalid, path: "statement", label: "Statement", maxLength: 160 }}
          placeholder="has successfully completed the course"
          value={draft.statement}
          onText={(statement) => change({ statement })}
        />
        <TextField
          {...{ invalid, path: "recognition", label: "Line of recognition", maxLength: 200 }}
          placeholder={draft.recognition === "" ? "no line" : "the usual words"}
          value={draft.recognition}
          onText={(recognition) => change({ recognition })}
        />
        <label className="check field">
          <input
            type="checkbox"
            checked={draft.recognition === ""}
            onChange={({ target }) => change({ recognition: target.checked ? "" : null })}
          />
          Without a line of recognition
        </label>
        <label className="check field">
          <input
            type="checkbox"
            checked={draft.color !== null}
            onChange={({ target }) => change({ color: target.checked ? firstColor : null })}
          />
          A colour of its own
        </label>
        {draft.color !== null && (
          <TextField
            {...{ invalid, path: "color", label: "Colour", type: "color" }}
            value={draft.color}
            onText={(color) => change({ color })}
          />
        )}
        <PictureField
          {...{ invalid, pictures, path: "logo", label: "Logo" }}
          value={draft.logo}
          onPicture={(logo) => change({ logo })}
        />
        <TextField
          {...{ invalid, path: "validMonths", label: "Valid for so many months (empty: without an end)" }}
          type="number"
          value={draft.validMonths === null ? null : String(draft.validMonths)}
          onText={(months) => change({ validMonths: months === null ? null : Number(months) })}
        />
        <Signatories
          {...{ invalid, pictures, signatories: draft.signatories }}
          onChange={(signatories) => change({ signatories })}
        />
        <Refusal error={refused ?? preview.error} />
        <p className="row">
          <button type="submit">Save</button>
          <button type="button" className="quiet" onClick={reset}>
            Use the usual template
          </button>
        </p>
        <p role="status">{said}</p>
      </form>
      <section aria-label="Preview">
        {preview.address && (
          <iframe title="Preview of the certificate" src={`${preview.address}#toolbar=0&navpanes=0&view=Fit`} />
        )}
        <p className="row">
          <span role="status" className="soft">
            {previewStates[preview.state]}
          </span>
          {preview.address && (
            <a href={preview.address} target="_blank" rel="noreferrer">
              Open the preview
            </a>
          )}
        </p>
      </section>
    </div>
  );
}

const previewStates = {
  drawing: "The preview is being drawn.",
  current: "The preview shows what you have entered.",
  incomplete: "The preview waits until the fields are filled.",
  refused: "The preview waits until the entries are mended.",
};

interface Preview {
  state: keyof typeof previewStates;
  invalid: InvalidFields;
  error?: { message: string } | undefined;
  /** Where the browser keeps the last PDF. */
  address?: string;
}

/** Draws a template after each pause in the changes. A later change aborts the request before. */
function usePreview(courseId: string, draft: CertificateTemplate, form: RefObject<HTMLFormElement | null>): Preview {
  const [preview, setPreview] = useState<Preview>({ state: "drawing", invalid: {} });
  const { address } = preview;
  useEffect(() => () => URL.revokeObjectURL(address ?? ""), [address]);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const show = (changed: Omit<Preview, "address" | "invalid"> & Partial<Preview>) => {
      setPreview(({ address }) => ({ ...(address && { address }), invalid: {}, ...changed }));
    };
    const draw = async () => {
      if (!form.current?.matches(":valid")) return show({ state: "incomplete" });
      try {
        const { data, error, response } = await previewTemplate({ path: { id: courseId }, body: draft, signal });
        if (signal.aborted) return;
        if (data) return show({ state: "current", address: URL.createObjectURL(data) });
        const invalid = invalidFields(response);
        // Errors of a field stand beside it.
        show({ state: "refused", invalid, ...(Object.keys(invalid).length === 0 && { error }) });
      } catch (error) {
        if (!signal.aborted) show({ state: "refused", error: error as Error });
      }
    };
    setPreview((preview) => ({ ...preview, state: "drawing" }));
    const timer = setTimeout(draw, pauseMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [courseId, JSON.stringify(draft)]);
  return preview;
}
