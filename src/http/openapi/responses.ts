import { z } from "zod";
import type {
  ZodOpenApiContentObject,
  ZodOpenApiHeadersObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { errorCodeHeader, type Failure } from "../../lib/errors.js";
import type { Route } from "../route.js";

const ErrorReply = z.object({ success: z.literal(false), message: z.string() }).meta({ id: "ErrorReply" });

/** Describes the replies of a route: its success, and its failures by status. */
export function responsesOf(route: Route, failures: readonly Failure[]): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = { "200": successOf(route, withStatus(failures, 200)) };
  for (const status of new Set(failures.map((failure) => failure.status))) {
    if (status !== 200) responses[`${status}` as "400"] = refusalOf(withStatus(failures, status));
  }
  return responses;
}

const withStatus = (failures: readonly Failure[], status: number): Failure[] =>
  failures.filter((failure) => failure.status === status);

/** @param notFound failures with status 200, which a few lookups have. */
function successOf({ reply, file, alsoProduces = [] }: Route, notFound: readonly Failure[]): ZodOpenApiResponseObject {
  if (file) return { description: "The file", content: { [file]: { schema: z.string().meta({ format: "binary" }) } } };
  const success = z.object({ success: z.literal(true), ...reply.shape });
  if (notFound.length > 0) {
    return {
      description: `Success, or \`success: false\` with: ${messagesOf(notFound).join(", ")}`,
      headers: codeHeader(notFound),
      content: { "application/json": { schema: z.union([success, ErrorReply]), examples: examplesOf(notFound) } },
    };
  }
  const content: ZodOpenApiContentObject = { "application/json": { schema: success } };
  for (const type of alsoProduces) content[type as "text/html"] = { schema: z.string() };
  return { description: "Success", content };
}

const refusalOf = (failures: readonly Failure[]): ZodOpenApiResponseObject => ({
  description: messagesOf(failures).join(" · "),
  headers: codeHeader(failures),
  content: { "application/json": { schema: bodyOf(failures), examples: examplesOf(failures) } },
});

const messagesOf = (failures: readonly Failure[]): string[] => [...new Set(failures.map(({ message }) => message))];

/** Describes the header with the ids of some failures. A caller can only meet these ids here. */
const codeHeader = (failures: readonly Failure[]): ZodOpenApiHeadersObject => ({
  [errorCodeHeader]: { schema: { type: "string", enum: [...new Set(failures.map(({ id }) => id))] } },
});

/** The bodies of failures by id. */
const examplesOf = (failures: readonly Failure[]) =>
  Object.fromEntries(
    failures.map(({ id, message, extra }) => [
      id,
      { summary: `${message} (${id})`, value: { success: false, ...extra, message } },
    ]),
  );

/** The schema of the bodies of failures of one status, with their extra fields. */
function bodyOf(failures: readonly Failure[]): z.ZodType {
  const extra = failures.map((failure) => failure.extra).filter((fields) => fields !== undefined);
  if (extra.length === 0) return ErrorReply;
  const literals = extra.map((fields) =>
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? z.array(z.record(z.string(), z.unknown())) : z.literal(value as string | number | boolean),
    ]),
  );
  const bodies = literals.map((fields) =>
    z.object({ success: z.literal(false), ...Object.fromEntries(fields), message: z.string() }),
  );
  const all = extra.length < failures.length ? [...bodies, ErrorReply] : bodies;
  return all.length === 1 ? (all[0] as z.ZodType) : z.union(all);
}
