import type { CertificateTemplate, CourseResource } from "@lyceum/client";
import { controlOf, Field, type FieldProps, TextField } from "./Fields.js";
import type { InvalidFields } from "./invalid-fields.js";
import { focusOn } from "./parts.js";

const maxSignatories = 3;

type PictureFieldProps = FieldProps & {
  pictures: CourseResource[];
  value: string | null;
  onPicture: (resourceId: string | null) => void;
};

/** Chooses a picture among the files of the course. */
export function PictureField({ pictures, value, onPicture, ...field }: PictureFieldProps) {
  return (
    <Field {...field}>
      <select {...controlOf(field)} value={value ?? ""} onChange={({ target }) => onPicture(target.value || null)}>
        <option value="">none</option>
        {pictures.map(({ resourceId, name }) => (
          <option key={resourceId} value={resourceId}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface SignatoriesProps {
  signatories: CertificateTemplate["signatories"];
  invalid: InvalidFields;
  pictures: CourseResource[];
  onChange: (signatories: CertificateTemplate["signatories"]) => void;
}

/** Edits who signs. Without anybody, the platform does. */
export function Signatories({ signatories, invalid, pictures, onChange }: SignatoriesProps) {
  const isFull = signatories.length === maxSignatories;
  const add = () => onChange([...signatories, { name: "", title: null, signature: null }]);
  return (
    <>
      {signatories.map((signatory, index) => {
        const change = (changed: Partial<typeof signatory>) =>
          onChange(signatories.map((other, at) => (at === index ? { ...other, ...changed } : other)));
        const path = `signatories[${index}]`;
        return (
          <fieldset key={index}>
            <legend>Signatory {index + 1}</legend>
            <TextField
              {...{ invalid, path: `${path}.name`, label: "Name", maxLength: 80, required: true }}
              value={signatory.name}
              onText={(name) => change({ name: name ?? "" })}
            />
            <TextField
              {...{ invalid, path: `${path}.title`, label: "Title", maxLength: 120 }}
              value={signatory.title}
              onText={(title) => change({ title })}
            />
            <PictureField
              {...{ invalid, pictures, path: `${path}.signature`, label: "Picture of the signature" }}
              value={signatory.signature}
              onPicture={(signature) => change({ signature })}
            />
            <button
              type="button"
              className="plain"
              onClick={({ currentTarget }) => {
                focusOn(currentTarget.closest("form"));
                onChange(signatories.filter((_, at) => at !== index));
              }}
            >
              Remove signatory {index + 1}
            </button>
          </fieldset>
        );
      })}
      <p>
        <button type="button" className="quiet" aria-disabled={isFull} onClick={isFull ? undefined : add}>
          Add a signatory
        </button>
      </p>
    </>
  );
}
