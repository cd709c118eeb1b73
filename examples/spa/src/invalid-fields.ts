/** What the server refuses of each field of a body: `{ "signatories[0].name": "over 80 characters" }`. */
export type InvalidFields = Readonly<Record<string, string>>;

/** Reads the header that says which fields of a refused body broke which rule. */
export function invalidFields(response: Response | undefined): InvalidFields {
  const parts = (response?.headers.get("X-Invalid") ?? "").split(/; (?=body\.)/);
  const fields = parts.map((part) => /^body\.(\S+): (.+)$/.exec(part)).filter((found) => found !== null);
  return Object.fromEntries(fields.map(([, name = "", rule = ""]) => [name, rule]));
}
