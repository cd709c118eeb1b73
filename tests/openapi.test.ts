import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { startTestServer } from "./server/test-server.js";

interface Operation {
  "x-access": "public" | "user" | "educator" | "admin";
  requestBody?: unknown;
  operationId: string;
  "x-stability": string;
  responses: Record<string, { description: string; headers?: { "X-Error-Code": { schema: { enum: string[] } } } }>;
}

const [committed, webhooks] = await Promise.all(
  ["openapi.json", "openapi-webhooks.json"].map(async (file) => JSON.parse(await readFile(file, "utf8"))),
);
const operationsOf = ({ paths }: { paths: Record<string, Record<string, Operation>> }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
const operations = operationsOf(committed);
/** The error codes that an operation documents for a status. */
const codesOf = ({ responses }: Operation, status: number) => responses[status]?.headers?.["X-Error-Code"].schema.enum;
const guarded = operations.filter(({ operation }) => operation["x-access"] !== "public");
const roleBound = guarded.filter(({ operation }) => operation["x-access"] !== "user");
const name = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;
/** A path with well-formed ids that name nothing. */
const concrete = (path: string) => path.replace(/\{\w+\}/g, "665f1c2ab7e4d90012ab34cd");

const server = await startTestServer();

test("the written descriptions are current (npm run docs)", async () => {
  expect((await server.get("/api/openapi.json")).body).toEqual(committed);
  expect((await server.get("/api/openapi-webhooks.json")).body).toEqual(webhooks);
});

test("names of operations are short and unique, and each operation says how stable it is", () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(names.filter((one) => !/^[a-z][A-Za-z]{3,24}$/.test(one))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(operations.filter(({ operation }) => !/^(stable|beta)$/.test(operation["x-stability"]))).toEqual([]);
});

test("the list of error codes holds those of every refusal", () => {
  const codes = new Set(
    operations.flatMap(({ operation }) =>
      Object.keys(operation.responses).flatMap((status) => codesOf(operation, Number(status)) ?? []),
    ),
  );
  expect(committed.components.schemas.ErrorCode.enum).toEqual([...codes, "internal_error", "route_not_found"].sort());
  expect([...codes].filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
});

test("what is mounted beside the route groups is described too", async () => {
  const documents = ["/api/docs", "/api/openapi.json", "/api/openapi-webhooks.json"];
  const beside = ["/", "/healthz", "/readyz", "/metrics", ...documents, "/clerk", "/razorpay"];
  const described = [...operations, ...operationsOf(webhooks)].filter(({ path }) => beside.includes(path));
  expect(described.map(({ path }) => path)).toEqual(beside);
  for (const { method, path, operation } of described) {
    const { status } = await server.call(method.toUpperCase(), path, method === "post" ? { body: {} } : {});
    expect(operation.responses[status], path).toBeDefined();
  }
});

describe.each(guarded.map((route) => [name(route), route] as const))("%s", (_name, { method, path, operation }) => {
  test("answers 401 without a valid token, as declared", async () => {
    for (const token of [undefined, "null"]) {
      const answer = await server.call(method.toUpperCase(), concrete(path), { token });
      expect(answer.status).toBe(401);
      expect(operation.responses["401"]?.description).toBe(answer.body.message);
      expect(codesOf(operation, 401)).toEqual([answer.headers.get("x-error-code")]);
    }
  });
});

describe.each(roleBound.map((route) => [name(route), route] as const))("%s", (_name, { method, path, operation }) => {
  test("answers 403 for every other role", async () => {
    for (const role of ["student", "educator", "admin"] as const) {
      const { token } = await server.signedIn(role);
      const answer = await server.call(method.toUpperCase(), concrete(path), {
        token,
        body: method === "get" ? undefined : {},
      });
      if (role === operation["x-access"]) expect([401, 403]).not.toContain(answer.status);
      else {
        expect(answer).toMatchObject({ status: 403, body: { success: false } });
        expect(codesOf(operation, 403)).toContain(answer.headers.get("x-error-code"));
      }
    }
  });
});

describe.each(guarded.filter(({ operation }) => operation.requestBody).map((route) => [name(route), route] as const))(
  "%s",
  (_name, { method, path, operation }) => {
    test("refuses hostile bodies with a 4xx that names nothing of the inside", async () => {
      const role = operation["x-access"] === "user" ? "student" : operation["x-access"];
      const { token } = await server.signedIn(role === "public" ? "student" : role);
      const hostile = { $gt: "" };
      const fields = [
        "courseId",
        "lectureId",
        "content",
        "title",
        "name",
        "topic",
        "answers",
        "rating",
        "page",
        "bio",
        "reason",
      ];
      const body = Object.fromEntries(fields.map((field) => [field, hostile]));
      const answer = await server.call(method.toUpperCase(), concrete(path), { token, body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(Object.keys(answer.body).sort()).toEqual(["message", "success"]);
      expect(codesOf(operation, answer.status)).toContain(answer.headers.get("x-error-code"));
    });
  },
);
