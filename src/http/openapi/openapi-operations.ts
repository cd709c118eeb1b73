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
  return { tags: [tag], "x-access": "public", summary, operationId, ...more, responses };
}

/** What is mounted beside the route groups (operations.ts and documentation.ts), for the description. */
export const ungroupedPaths: ZodOpenApiPathsObject = {
  "/": { get: described("operations", "root", "The API works", { 200: ["Success", text, "text/plain"] }) },
  "/healthz": {
    get: described("operations", "health", "The process lives", {
      200: ["Success", z.object({ status: z.literal("ok") })],
    }),
  },
  "/readyz": {
    get: described("operations", "readiness", "The database answers", {
      200: ["It does", z.object({ status: z.literal("ready") })],
      503: ["It does not", z.object({ status: z.literal("unavailable") })],
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
          "With a token configured it is sent as a bearer token. Without one the metrics are open; in production they " +
          "are not there unless that was asked for.",
      },
    ),
  },
  "/api/docs": {
    get: described("operations", "reference", "The API reference page", { 200: ["Success", text, "text/html"] }),
  },
  "/api/openapi.json": {
    get: described("operations", "openapi", "This description", { 200: ["Success", z.looseObject({})] }),
  },
};
