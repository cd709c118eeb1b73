import { readFile } from "node:fs/promises";
import { Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openapiChanges } from "../ops/release/openapi-changes.js";
import { apiGroups } from "../src/app.js";
import { startTestServer } from "./server/test-server.js";

interface Operation {
  "x-access": "public" | "user" | "educator" | "admin" | "key";
  requestBody?: unknown;
  operationId: string;
  "x-stability": string;
  responses: Record<string, { description: string; headers?: { "X-Error-Code"?: { schema: { enum: string[] } } } }>;
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
const codesOf = ({ responses }: Operation, status: number) => responses[status]?.headers?.["X-Error-Code"]?.schema.enum;
const guarded = operations.filter(({ operation }) => operation["x-access"] !== "public");
const roleBound = guarded.filter(({ operation }) => !["user", "key"].includes(operation["x-access"]));
const name = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;
/** A path with well-formed ids that name nothing. */
const concrete = (path: string) => path.replace(/\{\w+\}/g, "665f1c2ab7e4d90012ab34cd");

const server = await startTestServer({ env: { RATE_LIMITS: "relaxed" } });
const [student, educator, admin] = [
  await server.signedIn(),
  await server.signedIn("educator"),
  await server.signedIn("admin"),
];
const callers = { student, educator, admin };

test("the written descriptions are current (npm run docs)", async () => {
  expect((await server.get("/api/openapi.json")).body).toEqual(committed);
  expect((await server.get("/api/openapi-webhooks.json")).body).toEqual(webhooks);
});

test("names of operations are short and unique, and each operation says how stable it is", () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(names.filter((one) => !/^[a-z][A-Za-z]{3,28}$/.test(one))).toEqual([]);
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

test("a comparison finds changes that break clients of stable operations", () => {
  const paths = {
    "/api/course/all": committed.paths["/api/course/all"],
    "/api/user/continue": committed.paths["/api/user/continue"],
  };
  const changes = (change: (paths: any) => void) => {
    const head = structuredClone({ ...committed, paths });
    change(head.paths);
    return openapiChanges({ ...committed, paths }, head).map(({ kind, operation, what }) => [kind, operation, what]);
  };
  const schemaOf = (all: any, path: string) => all[path].get.responses["200"].content["application/json"].schema;
  const compatible = changes((all) => {
    schemaOf(all, "/api/course/all").properties.total = { type: "integer" };
    delete schemaOf(all, "/api/user/continue").properties.courses;
    all["/api/course/all"].get.responses["503"].headers["X-Error-Code"].schema.enum.push("new_code");
  });
  expect(compatible).toEqual([
    ["compatible", "GET /api/course/all", expect.any(String)],
    ["compatible", "GET /api/course/all", expect.stringContaining("enum")],
    ["breaking (beta)", "GET /api/user/continue", expect.any(String)],
  ]);
  const breaking = changes((all) => {
    delete schemaOf(all, "/api/course/all").properties.courses;
    all["/api/course/all"].get.operationId = "allCourses";
  });
  expect(breaking).toEqual([
    ["BREAKING", "GET /api/course/all", "replace operationId"],
    ["BREAKING", "GET /api/course/all", expect.stringMatching(/properties › courses$/)],
  ]);
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

const byName = (some: typeof operations) => some.map((route) => [name(route), route] as const);

test.each(byName(guarded))("%s answers 401 without a valid token, as declared", async (_name, route) => {
  for (const token of [undefined, "null"]) {
    const answer = await server.call(route.method.toUpperCase(), concrete(route.path), { token });
    expect(answer.status).toBe(401);
    expect(route.operation.responses["401"]?.description).toBe(answer.body.message);
    expect(codesOf(route.operation, 401)).toEqual([answer.headers.get("x-error-code")]);
  }
});

test.each(byName(roleBound))("%s answers 403 for every other role", async (_name, { method, path, operation }) => {
  for (const [role, { token }] of Object.entries(callers)) {
    const body = method === "get" ? undefined : {};
    const answer = await server.call(method.toUpperCase(), concrete(path), { token, body });
    if (role === operation["x-access"]) expect([401, 403]).not.toContain(answer.status);
    else {
      expect(answer).toMatchObject({ status: 403, body: { success: false } });
      expect(codesOf(operation, 403)).toContain(answer.headers.get("x-error-code"));
    }
  }
});

test.each(byName(guarded.filter(({ operation }) => operation.requestBody)))(
  "%s refuses hostile bodies with a 4xx that names nothing of the inside",
  async (_name, { method, path, operation }) => {
    const access = operation["x-access"];
    const { token } = access === "educator" || access === "admin" ? callers[access] : student;
    const fields = "courseId lectureId content title name topic answers rating page bio reason ids".split(" ");
    const body = Object.fromEntries(fields.map((field) => [field, { $gt: "" }]));
    const answer = await server.call(method.toUpperCase(), concrete(path), { token, body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(Object.keys(answer.body).sort()).toEqual(["message", "success"]);
    expect(codesOf(operation, answer.status)).toContain(answer.headers.get("x-error-code"));
  },
);

describe("every list of a request has a maximum, which is checked before its items", () => {
  type Found = { path: string; schema: z.ZodType };
  /** Finds arrays and records. `outer` is the pipe that a schema ends. */
  function listsIn(schema: z.ZodType, path: string, outer = schema): Found[] {
    const def = schema.def as unknown as Record<string, unknown>;
    const found = def.type === "array" || def.type === "record" ? [{ path, schema: outer }] : [];
    const inner = Object.entries(def).flatMap(([key, part]): Found[] => {
      const owner = def.type === "pipe" && key === "out" ? schema : undefined;
      if (part instanceof z.ZodType) return listsIn(part, path, owner);
      if (typeof part !== "object" || part === null || !["shape", "options", "items"].includes(key)) return [];
      return Object.entries(part).flatMap(([name, each]) =>
        each instanceof z.ZodType ? listsIn(each, `${path}.${name}`) : [],
      );
    });
    return [...found, ...inner];
  }

  /** Far too many items, which nobody may read. */
  const untouchable = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(items, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) throw new Error("an item was read");
        return Reflect.get(items, key);
      },
    });
  const many = untouchable(Array.from({ length: 10_001 }, () => 0));
  const manyKeys = untouchable(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [i, 0])));

  const routes = apiGroups({ ...server.deps, metrics: new Registry() }).flatMap(({ routes }) => routes);
  const lists = routes.flatMap(({ operationId, query, body }) =>
    Object.entries({ query, body }).flatMap(([part, schema]) =>
      schema ? listsIn(schema, `${operationId} ${part}`) : [],
    ),
  );

  test("there are such lists", () => expect(lists.length).toBeGreaterThan(30));

  test.each(lists.map(({ path, schema }) => [path, schema] as const))("%s", (_path, schema) => {
    const isTooBig = (value: unknown) => schema.safeParse(value).error?.issues[0]?.code === "too_big";
    expect(isTooBig(many) || isTooBig(manyKeys)).toBe(true);
  });
});
