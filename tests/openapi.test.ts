import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { startTestServer } from "./server/test-server.js";

interface Operation {
  "x-access": "public" | "user" | "educator" | "admin";
  requestBody?: unknown;
  responses: Record<string, { description: string }>;
}

const committed = JSON.parse(await readFile("openapi.json", "utf8"));
const operations = Object.entries(committed.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);
const guarded = operations.filter(({ operation }) => operation["x-access"] !== "public");
const roleBound = guarded.filter(({ operation }) => operation["x-access"] !== "user");
const name = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;
/** A path with well-formed ids that name nothing. */
const concrete = (path: string) => path.replace(/\{\w+\}/g, "665f1c2ab7e4d90012ab34cd");

const server = await startTestServer();

test("the written description is current (npm run docs)", async () => {
  expect((await server.get("/api/openapi.json")).body).toEqual(committed);
});

test("what is mounted beside the route groups is described too", async () => {
  const beside = ["/", "/healthz", "/readyz", "/metrics", "/api/docs", "/api/openapi.json", "/clerk", "/razorpay"];
  const described = operations.filter(({ path }) => beside.includes(path));
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
      else expect(answer).toMatchObject({ status: 403, body: { success: false } });
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
    });
  },
);
