import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { JsonSchema } from "./random-value.js";

type Document = { paths: Record<string, Record<string, JsonSchema>>; components: { schemas: Record<string, any> } };

/** Forbids unnamed fields in every object, unless the schema allows them. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== "object" || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
  return closed.properties && closed.additionalProperties === undefined
    ? { ...closed, additionalProperties: false }
    : closed;
}

/** Creates a checker of replies against the document. It returns the error, or undefined for a valid reply. */
export function replyChecker(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  formats.default(ajv);
  ajv.addSchema({ $id: "api", components: close(document.components) as object });
  const compiled = new Map<string, ValidateFunction>();
  return (method: string, path: string, status: number, body: unknown): string | undefined => {
    const key = `${method} ${path} ${status}`;
    const operation = document.paths[path]?.[method];
    const content = operation?.responses?.[status]?.content?.["application/json"];
    if (!operation?.responses?.[status]) return "a status that is not documented";
    if (!content) return undefined;
    let validate = compiled.get(key);
    if (!validate) {
      const text = JSON.stringify(close(content.schema)).replaceAll('"#/components/', '"api#/components/');
      validate = ajv.compile(JSON.parse(text));
      compiled.set(key, validate);
    }
    return validate(body) ? undefined : ajv.errorsText(validate.errors);
  };
}
