import { readFile } from "node:fs/promises";
import { apiDiff } from "api-smart-diff";

/*
 * `npm run diff:openapi -- <base.json>` compares openapi.json with an earlier version. It fails when a change to a stable
 * operation can break a client; a beta operation may change.
 */

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly "x-stability"?: string }>>>>;
}

/** Texts for readers. Clients do not depend on them. */
const forReaders = new Set(["description", "summary", "example", "examples", "title", "tags"]);

/** Puts each schema in the place of its references, because the comparison does not follow all of them. */
function withoutReferences(document: unknown): Description {
  const resolve = (value: unknown, isMap = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolve(item));
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...own } = value as Record<string, unknown>;
    // The keys of `properties` are names of fields, not keywords.
    const fields = Object.entries(own).filter(([key]) => isMap || !forReaders.has(key));
    const resolved = Object.fromEntries(fields.map(([key, item]) => [key, resolve(item, key === "properties")]));
    return typeof $ref === "string" ? { ...(resolve(targetOf($ref)) as object), ...resolved } : resolved;
  };
  const targetOf = ($ref: string) =>
    $ref
      .slice(2)
      .split("/")
      .reduce((inner, key) => (inner as Record<string, unknown>)[key], document);
  return { paths: resolve((document as Description).paths) } as Description;
}

const read = async (file: string): Promise<Description> => withoutReferences(JSON.parse(await readFile(file, "utf8")));

const [baseFile, headFile = "openapi.json"] = process.argv.slice(2);
if (!baseFile) throw new Error("Usage: npm run diff:openapi -- <base.json> [<head.json>]");
const [base, head] = [await read(baseFile), await read(headFile)];

const changes = apiDiff({ openapi: "3.1.0", ...base }, { openapi: "3.1.0", ...head }).map(
  ({ type, action, path: [, path = "", method = "", ...inner] }) => ({
    ...{ path: String(path), method: String(method) },
    // Functions of generated clients have the names of operations.
    isBreaking: type === "breaking" || inner[0] === "operationId",
    what: `${action} ${inner.join(" › ") || "operation"}`,
  }),
);

let broken = 0;
for (const { path, method, isBreaking, what } of changes) {
  const isBeta = base.paths[path]?.[method]?.["x-stability"] === "beta";
  if (isBreaking && !isBeta) broken += 1;
  const kind = !isBreaking ? "compatible" : isBeta ? "breaking (beta)" : "BREAKING";
  process.stdout.write(`${kind}: ${method.toUpperCase()} ${path}: ${what}\n`);
}
process.stdout.write(`${broken} breaking changes of stable operations\n`);
process.exitCode = broken > 0 ? 1 : 0;
