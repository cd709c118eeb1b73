import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { RouteNotFound, Unauthenticated } from "../../lib/errors.js";

const text = z.string();
export const failed = (message: string) => z.object({ success: z.literal(false), message: z.literal(message) });

type Answers = Record<string, [description: string, schema: z.ZodType, type?: string]>;

export function described(
  tag: string,
  operationId: string,
  summary: string,
  answers: Answers,
  more: Partial<ZodOpenApiOperationObject> = {},
): ZodOpenApiOperationObject {
  const responses: ZodOpenApiOperationObject["responses"] = {};
  for (const [status, [description, schema, type = "application/json"]] of Object.entries(answers)) {
    responses[status as "200"] = { description, content: { [type as "text/plain"]: { schema } } };
  }
  return { tags: [tag], "x-access": "public", "x-stability": "stable", summary, operationId, ...more, responses };
}

/** Describes the paths of operations.ts and documentation.ts, which are mounted beside the route groups. */
export const ungroupedPaths: ZodOpenApiPathsObject = {
  "/": {
    get: described("operations", "root", "Plain answer of a working API", { 200: ["Success", text, "text/plain"] }),
  },
  "/healthz": {
    get: described("operations", "health", "Health of the process", {
      200: ["Success", z.object({ status: z.literal("ok") })],
    }),
  },
  "/readyz": {
    get: described("operations", "readiness", "Readiness: whether the database answers", {
      200: ["The database answers", z.object({ status: z.literal("ready") })],
      503: ["The database does not answer", z.object({ status: z.literal("unavailable") })],
    }),
  },
  "/metrics": {
    get: described(
      "operations",
      "metrics",
      "Metrics in Prometheus' text format",
      {
        200: ["Success", text, "text/plain"],
        401: [Unauthenticated.message, failed(Unauthenticated.message)],
        404: [RouteNotFound.message, failed(RouteNotFound.message)],
      },
      {
        description:
          "Requires `METRICS_TOKEN` as a bearer token if it is set. Without it the metrics are open, but in production " +
          "they are 404 unless `METRICS=open` is set.",
      },
    ),
  },
  "/api/docs": {
    get: described("operations", "reference", "The API reference page", { 200: ["Success", text, "text/html"] }),
  },
  "/api/openapi.json": {
    get: described("operations", "openapi", "This description", { 200: ["Success", z.looseObject({})] }),
  },
  "/api/openapi-webhooks.json": {
    get: described("operations", "openapiWebhooks", "The description of the providers' webhooks", {
      200: ["Success", z.looseObject({})],
    }),
  },
};
