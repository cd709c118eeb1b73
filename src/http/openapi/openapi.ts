import { readFileSync } from "node:fs";
import { z } from "zod";
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import {
  BodyTooLarge,
  type Failure,
  InternalError,
  InvalidRequest,
  RouteNotFound,
  ScopeMissing,
  Unauthenticated,
  Unexpected,
  UnsupportedEncoding,
  WrongRole,
} from "../../lib/errors.js";
import { Overloaded } from "../limits/overload.js";
import { limitExceeded, rateOf } from "../limits/rate-limits.js";
import { isAboutMoney, limitOf, type Route, type RouteGroup } from "../route.js";
import { ungroupedPaths } from "./openapi-operations.js";
import { responsesOf } from "./responses.js";
import { type RecordedExamples, withExamples } from "./with-examples.js";

export interface Described {
  readonly version: string;
  readonly title: string;
  readonly examples: RecordedExamples;
}

/** The webhook paths, and the events that providers send to them. */
export interface ReceivedWebhooks {
  readonly paths: ZodOpenApiPathsObject;
  readonly webhooks: ZodOpenApiPathsObject;
}

const description = readFileSync(new URL("./reference/description.txt", import.meta.url), "utf8").trimEnd();
const license = { name: "MIT", identifier: "MIT" };
const servers = [{ url: "/" }];

/** Describes the mounted route declarations, and the paths that are mounted beside them, in OpenAPI 3.1. */
export function describeApi(groups: readonly RouteGroup[], { version, title, examples }: Described) {
  const paths: ZodOpenApiPathsObject = { ...ungroupedPaths };
  for (const group of groups) {
    for (const route of group.routes) {
      const path = `${group.base}${route.path === "/" ? "" : route.path}`.replace(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [route.method]: operationOf(group, route) };
    }
  }
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: `${title} API`,
      version,
      description,
      license,
    },
    servers,
    security: [],
    tags: [...new Set([...groups.map(({ name }) => name), "operations"])].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ErrorCode: z.enum(errorCodes(groups)) },
      securitySchemes: {
        session: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "lyc_…" },
      },
    },
  };
  return withExamples(createDocument(document, options), examples);
}

/** Describes the webhooks that providers send, for the owners of providers' accounts and for emulators. */
export function describeWebhooks({ paths, webhooks }: ReceivedWebhooks, { version, title, examples }: Described) {
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: `${title} webhooks`,
      version,
      description:
        "What the identity provider and the payment provider send. `paths` receive the events of `webhooks`.",
      license,
    },
    servers,
    security: [],
    tags: [{ name: "webhooks" }],
    paths,
    webhooks,
  };
  return withExamples(createDocument(document, options), examples);
}

const options: CreateDocumentOptions = {
  // The default of a query parameter is text for the parser; the description shows the number.
  override({ jsonSchema }) {
    if (jsonSchema.type === "integer" && typeof jsonSchema.default === "string")
      jsonSchema.default = Number(jsonSchema.default);
  },
};

/** The codes of all failures that a request to the API can meet. */
function errorCodes(groups: readonly RouteGroup[]): string[] {
  const ofRoutes = groups.flatMap((group) => group.routes.flatMap((route) => failuresOf(group, route)));
  return [...new Set([...ofRoutes, RouteNotFound, InternalError].map(({ id }) => id))].sort();
}

function operationOf(group: RouteGroup, route: Route): ZodOpenApiOperationObject {
  const limit = limitOf(group, route);
  const limited = limit && rateOf(limit);
  const { maxBytes } = route.accepts ?? {};
  const size = maxBytes && `**Body:** up to ${maxBytes / 1_024} kB.`;
  const description = [route.description, size, limited && `**Limit:** ${limitText(limited)} for one caller.`]
    .filter(Boolean)
    .join("\n\n");
  const bodyType = route.upload ? "multipart/form-data" : (route.accepts?.type ?? "application/json");
  return {
    tags: [group.name],
    "x-access": route.access,
    summary: route.summary,
    operationId: route.operationId,
    "x-stability": route.stability ?? "stable",
    ...(description ? { description } : {}),
    ...(limited ? { "x-rate-limit": limited } : {}),
    ...(route.scope ? { "x-scope": route.scope } : {}),
    ...securityOf(route),
    ...parametersOf(route),
    ...(route.body ? { requestBody: { required: true, content: { [bodyType]: { schema: route.body } } } } : {}),
    responses: responsesOf(route, failuresOf(group, route)),
  };
}

function parametersOf({ path, params, query }: Route): Pick<ZodOpenApiOperationObject, "requestParams"> {
  if (!query && !path.includes(":")) return {};
  return { requestParams: { path: params, ...(query instanceof z.ZodObject && { query }) } };
}

/** Who may call: a session, or a key with the scope of the route. */
function securityOf({ access, scope }: Route): Pick<ZodOpenApiOperationObject, "security"> {
  if (access === "public") return {};
  if (access === "key") return { security: [{ apiKey: [] }] };
  return { security: scope ? [{ session: [] }, { apiKey: [scope] }] : [{ session: [] }] };
}

const limitText = ({ requests, seconds }: ReturnType<typeof rateOf>): string =>
  `${requests} requests in ${seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`}`;

/** Finds the declared failures of a route, and those of the pipeline in front of it. */
function failuresOf(group: RouteGroup, route: Route): Failure[] {
  const failures = [...route.errors];
  const limited = limitOf(group, route);
  if (route.body || route.query) failures.push(route.invalid ?? InvalidRequest);
  if (route.access !== "public") failures.push(group.refusals?.unauthenticated ?? Unauthenticated);
  if (route.access === "educator" || route.access === "admin") {
    failures.push(group.refusals?.forbidden ?? WrongRole, ScopeMissing);
  }
  if (route.scope || route.access === "key") failures.push(limitExceeded("apiKey"), limitExceeded("wrongKeys"));
  // A body that is not JSON is refused before `invalid` of the route applies.
  if (route.body) failures.push(InvalidRequest, BodyTooLarge, UnsupportedEncoding);
  if (limited) failures.push(limitExceeded(limited));
  if (!isAboutMoney(route)) failures.push(Overloaded);
  failures.push(route.fallbackError ?? Unexpected);
  return failures;
}
