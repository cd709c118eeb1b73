import type { z } from "zod";

/** The header that explains a refused body or query. */
export const invalidHeader = "X-Invalid";

const maxIssues = 8;
const maxSegment = 40;
const maxLength = 500;

/**
 * Explains which fields of a refused body or query broke which rule, for example `body.linkedinUrl: not a URL`. The text
 * has names and rules, but no values. Names of unknown fields are cleaned, because a header cannot hold all characters.
 */
export function explainInvalid(where: "body" | "query", error: z.ZodError, value: unknown): string {
  const fields = withJsonFields(value);
  const parts = error.issues
    .slice(0, maxIssues)
    .map((issue) => `${pathOf(where, issue.path)}: ${ruleOf(issue, valueAt(fields, issue.path))}`);
  const more = error.issues.length - maxIssues;
  return headerText([...new Set(parts), ...(more > 0 ? [`${more} more`] : [])].join("; "));
}

/** Limits the length, and replaces characters that a header cannot hold. */
export const headerText = (text: string): string => {
  const plain = text.replace(/[^ -~]/g, "?");
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 3)}...` : plain;
};

function pathOf(where: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`;
    return `${text}.${String(segment)
      .replace(/[^\w$-]/g, "?")
      .slice(0, maxSegment)}`;
  }, where);
}

/** Reads the fields of a form that are JSON text, because paths lead into them. */
const withJsonFields = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, jsonOf(field)]))
    : value;

function jsonOf(field: unknown): unknown {
  if (typeof field !== "string") return field;
  try {
    return JSON.parse(field);
  } catch {
    return field;
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
}

function ruleOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value")) return "required";
  switch (issue.code) {
    case "invalid_type":
      return `not ${article(issue.expected)}`;
    case "invalid_value":
      return `not one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `under ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      return `over ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_format":
      return issue.format === "regex" ? ownMessage(issue) : `not ${article(issue.format)}`;
    case "invalid_union":
      return "options" in issue ? `not one of ${issue.options.map(String).join(", ")}` : ownMessage(issue);
    case "unrecognized_keys":
      return "unknown field";
    default:
      return ownMessage(issue);
  }
}

/** The message of the schema. Messages of the library are left out, because they might repeat a value. */
const ownMessage = ({ message }: z.core.$ZodIssue): string =>
  message === "" || message.startsWith("Invalid ") ? "not accepted" : message.slice(0, 80);

const unitOf = (origin: string): string =>
  origin === "string" ? " characters" : origin === "array" || origin === "set" ? " items" : "";

const article = (noun: string): string => `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
