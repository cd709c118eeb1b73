import { readFile } from "node:fs/promises";
import { apiDiff } from "api-smart-diff";

/** The API of the last release, without texts. `npm run release:version` writes it. */
export const releasedFile = "ops/release/released-openapi.json";

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly "x-stability"?: string }>>>>;
  readonly components?: unknown;
}

export interface Change {
  readonly kind: "compatible" | "breaking (beta)" | "BREAKING";
  readonly operation: string;
  readonly what: string;
}

/** Texts for readers. Clients do not depend on them. */
const forReaders = new Set(["description", "summary", "example", "examples", "title", "tags"]);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Drops the texts. A schema takes the place of each reference when `targetOf` finds it. */
function plain(value: unknown, targetOf?: (ref: string) => unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, targetOf));
  if (!isObject(value)) return value;
  const { $ref, ...own } = value;
  // The keys of `properties` are names of fields, not keywords.
  const fields = Object.entries(own).filter(([key]) => isMap || !forReaders.has(key));
  const kept = Object.fromEntries(fields.map(([key, item]) => [key, plain(item, targetOf, key === "properties")]));
  if (typeof $ref !== "string") return $ref === undefined ? kept : { $ref: plain($ref, targetOf), ...kept };
  return targetOf ? { ...(plain(targetOf($ref), targetOf) as object), ...kept } : { $ref, ...kept };
}

/** The parts of a description on which clients depend. */
export const withoutTexts = ({ paths, components }: Description): Description =>
  plain({ paths, components }) as Description;

/** Puts each schema in the place of its references, because the comparison does not follow all of them. */
function withoutReferences(document: Description): Pick<Description, "paths"> {
  const targetOf = ($ref: string) =>
    $ref
      .slice(2)
      .split("/")
      .reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), document);
  return { paths: plain(document.paths, targetOf) as Description["paths"] };
}

export const readDescription = async (file: string): Promise<Description> => JSON.parse(await readFile(file, "utf8"));

/** Compares two descriptions. A change of a beta operation may break clients. */
export function openapiChanges(base: Description, head: Description): Change[] {
  const [before, after] = [base, head].map((one) => ({ openapi: "3.1.0", ...withoutReferences(one) }));
  return apiDiff(before, after).map(({ type, action, path: [, path = "", method = "", ...inner] }) => {
    // Functions of generated clients have the names of operations. Clients bear new values of a reply.
    const isNewValue = action === "add" && inner[0] === "responses" && inner.at(-2) === "enum";
    const isBreaking = inner[0] === "operationId" || (type === "breaking" && !isNewValue);
    const isBeta = base.paths[path]?.[method]?.["x-stability"] === "beta";
    return {
      kind: !isBreaking ? "compatible" : isBeta ? "breaking (beta)" : "BREAKING",
      operation: `${String(method).toUpperCase()} ${path}`,
      what: `${action} ${inner.join(" › ") || "operation"}`,
    };
  });
}
