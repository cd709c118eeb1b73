import type { ComponentProps, ReactNode } from "react";
import type { InvalidFields } from "./invalid-fields.js";

export interface FieldProps {
  /** Of the field in the body: `signatories[0].name`. */
  path: string;
  label: string;
  invalid: InvalidFields;
}

/** A field with a label. What the server refuses of it stands below. */
export function Field({ path, label, invalid, children }: FieldProps & { children: ReactNode }) {
  return (
    <>
      <label className="field" htmlFor={path}>
        {label}
        {children}
      </label>
      {invalid[path] && (
        <p className="invalid" id={`invalid-${path}`}>
          Not accepted: {invalid[path]}
        </p>
      )}
    </>
  );
}

/** Attributes of the control of a field. */
export const controlOf = ({ path, invalid }: FieldProps) => ({
  id: path,
  "aria-invalid": path in invalid,
  "aria-describedby": path in invalid ? `invalid-${path}` : undefined,
});

type TextFieldProps = FieldProps &
  Omit<ComponentProps<"input">, "value"> & {
    value: string | null;
    /** An empty text is null. */
    onText: (text: string | null) => void;
  };

export function TextField({ path, label, invalid, value, onText, ...input }: TextFieldProps) {
  const field = { path, label, invalid };
  return (
    <Field {...field}>
      <input
        {...controlOf(field)}
        {...input}
        value={value ?? ""}
        onChange={({ target }) => onText(target.value === "" ? null : target.value)}
      />
    </Field>
  );
}

type TextAreaProps = FieldProps & ComponentProps<"textarea"> & { onText: (text: string) => void };

export function TextArea({ path, label, invalid, onText, ...area }: TextAreaProps) {
  const field = { path, label, invalid };
  return (
    <Field {...field}>
      <textarea {...controlOf(field)} {...area} onChange={({ target }) => onText(target.value)} />
    </Field>
  );
}
