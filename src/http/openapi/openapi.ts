import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiContentObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import {
  BodyTooLarge,
  type Failure,
  InvalidRequest,
  Unauthenticated,
  Unexpected,
  UnsupportedEncoding,
  WrongRole,
} from "../../lib/errors.js";
import { Overloaded } from "../limits/overload.js";
import { limitExceeded, limitOf, rateOf } from "../limits/rate-limits.js";
import { isAboutMoney, type Route, type RouteGroup } from "../route.js";
import { ungroupedPaths } from "./openapi-operations.js";
import { type RecordedExamples, withExamples } from "./with-examples.js";

const ErrorBody = z.object({ success: z.literal(false), message: z.string() }).meta({ id: "Error" });

export interface DescribedApi {
  readonly version: string;
  readonly title: string;
  readonly examples: RecordedExamples;
  /** The webhook paths, and the events that providers send to them. */
  readonly received: ReceivedWebhooks;
}

export interface ReceivedWebhooks {
  readonly paths: ZodOpenApiPathsObject;
  readonly webhooks: ZodOpenApiPathsObject;
}

/** Describes the mounted route declarations, and the paths that are mounted beside them, in OpenAPI 3.1. */
export function describeApi(groups: readonly RouteGroup[], { version, title, examples, received }: DescribedApi) {
  const paths: ZodOpenApiPathsObject = { ...ungroupedPaths, ...received.paths };
  for (const group of groups) {
    for (const route of group.routes) {
      const path = `${group.base}${route.path === "/" ? "" : route.path}`.replace(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [route.method]: operation(group, route) };
    }
  }
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: `${title} API`,
      version,
      description:
        "The HTTP API of the learning platform. Every success is 200 with `success: true`; " +
        "every failure is `{ success: false, message }`.\n\n" +
        "**Tokens.** Routes with a lock require `Authorization: Bearer <session token>`. In the browser, the identity " +
        "provider's SDK returns the token (`getToken()`). In development, choose a user at the top of this page, copy " +
        "a token from the emulator console, or print one with `npm run -s token -- user_demo_asha`.\n\n" +
        "**Limits.** A route with a rate limit sends `RateLimit-*` headers. A request over the limit gets 429 with " +
        "`Retry-After`. `x-rate-limit` is the number of requests and their window. JSON bodies may have 100 kB.\n\n" +
        "**Examples** are replies of a server with the demo data. Lists are cut to two entries, long texts to 400 " +
        "characters. Failures are listed by the names that logs and metrics use. Any other path gets 404 " +
        "`Route not found`.",
    },
    servers: [{ url: "/" }],
    tags: [...new Set([...groups.map(({ name }) => name), "webhooks", "operations"])].map((name) => ({ name })),
    paths,
    webhooks: received.webhooks,
    components: { securitySchemes: { session: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
  };
  const description = createDocument(document, {
    // The default of a query parameter is text for the parser; the description shows the number.
    override({ jsonSchema }) {
      if (jsonSchema.type === "integer" && typeof jsonSchema.default === "string")
        jsonSchema.default = Number(jsonSchema.default);
    },
  });
  return withExamples(description, examples);
}

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
  if (extra.length === 0) return ErrorBody;
  const literals = extra.map((fields) =>
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? z.array(z.record(z.string(), z.unknown())) : z.literal(value as string | number | boolean),
    ]),
  );
  const bodies = literals.map((fields) =>
    z.object({ success: z.literal(false), ...Object.fromEntries(fields), message: z.string() }),
  );
  const all = extra.length < failures.length ? [...bodies, ErrorBody] : bodies;
  return all.length === 1 ? (all[0] as z.ZodType) : z.union(all);
}

function operation(group: RouteGroup, route: Route): ZodOpenApiOperationObject {
  const failures = [...route.errors, ...impliedFailures(group, route)];
  const success = z.object({ success: z.literal(true), ...route.reply.shape });
  const responses: ZodOpenApiOperationObject["responses"] = {};
  const content: ZodOpenApiContentObject = { "application/json": { schema: success } };
  for (const type of route.alsoProduces ?? []) content[type as "text/html"] = { schema: z.string() };
  responses["200"] = { description: "Success", content };
  for (const status of new Set(failures.map((failure) => failure.status))) {
    const ofStatus = failures.filter((failure) => failure.status === status);
    const messages = [...new Set(ofStatus.map(({ message }) => message))];
    if (status === 200) {
      responses["200"] = {
        description: `Success, or \`success: false\` with: ${messages.join(", ")}`,
        content: { "application/json": { schema: z.union([success, ErrorBody]), examples: examplesOf(ofStatus) } },
      };
      continue;
    }
    responses[`${status}` as "400"] = {
      description: messages.join(" · "),
      content: { "application/json": { schema: bodyOf(ofStatus), examples: examplesOf(ofStatus) } },
    };
  }
  const limit = limitOf(group, route);
  const limited = limit && rateOf(limit);
  const description = [route.description, limited && `**Limit:** ${limitText(limited)} for one caller.`]
    .filter(Boolean)
    .join("\n\n");
  const bodyType = route.upload ? "multipart/form-data" : "application/json";
  return {
    tags: [group.name],
    "x-access": route.access,
    summary: route.summary,
    operationId: operationId(group, route),
    ...(description ? { description } : {}),
    ...(limited ? { "x-rate-limit": limited } : {}),
    ...(route.access === "public" ? {} : { security: [{ session: [] }] }),
    ...(route.params || route.query
      ? {
          requestParams: {
            ...(route.params instanceof z.ZodObject ? { path: route.params } : {}),
            ...(route.query instanceof z.ZodObject ? { query: route.query } : {}),
          },
        }
      : {}),
    ...(route.body ? { requestBody: { required: true, content: { [bodyType]: { schema: route.body } } } } : {}),
    responses,
  };
}

const limitText = ({ requests, seconds }: ReturnType<typeof rateOf>): string =>
  `${requests} requests in ${seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`}`;

function impliedFailures(group: RouteGroup, route: Route): Failure[] {
  const implied: Failure[] = [];
  const limited = limitOf(group, route);
  if (route.body || route.query) implied.push(route.invalid ?? InvalidRequest);
  if (route.access !== "public") implied.push(group.refusals?.unauthenticated ?? Unauthenticated);
  if (route.access === "educator" || route.access === "admin") implied.push(group.refusals?.forbidden ?? WrongRole);
  if (route.body) implied.push(BodyTooLarge, UnsupportedEncoding);
  if (limited) implied.push(limitExceeded(limited));
  if (!isAboutMoney(route)) implied.push(Overloaded);
  implied.push(route.fallbackError ?? Unexpected);
  return implied;
}

function operationId(group: RouteGroup, route: Route): string {
  const words = `${route.method} ${group.base.replace("/api/", "")} ${route.path}`
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return words.map((word, i) => (i === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join("");
}
