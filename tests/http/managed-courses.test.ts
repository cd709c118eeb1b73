import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../assertions/refusal.js";
import { buildCourse } from "../factories/courses.js";
import { startTestServer } from "../server/test-server.js";
import { everyRoute } from "./examples/every-route.js";
import { buildScene, must } from "./examples/scene.js";

/*
 * Every route of educators and administrators that names a course gets a valid request by a caller who may not touch the
 * course: another educator, and an API key that sees another course only.
 */

interface Operation {
  readonly "x-access": string;
  readonly "x-scope"?: string;
}
const { paths } = JSON.parse(readFileSync("openapi.json", "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
};
const namesCourse = (path: string) => /\/courses\/\{id\}|\{courseId\}|\/quiz\/generate/.test(path);
const routes = Object.entries(paths)
  .filter(([path]) => namesCourse(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { "x-access": role, "x-scope": scope } = operation;
      return { name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), role, scope };
    }),
  );
const ofEducators = routes.filter(({ role }) => role === "educator");
const forKeys = routes.filter(({ role, scope }) => /^(?:educator|admin)$/.test(role) && scope);
const byName = (some: typeof routes) => some.map((route) => [route.name, route] as const);

const server = await startTestServer({ own: "adds rows of many users" });
const scene = await buildScene(server, 1);
const { db } = server.deps;

test("there are such routes", () => {
  expect(ofEducators.length).toBeGreaterThan(15);
  expect(forKeys.length).toBeGreaterThan(15);
});

test.each(byName(ofEducators))("%s refuses another educator", async (name, { method }) => {
  const { token } = await server.signedIn("educator");
  const { path, body } = (await everyRoute[name]?.(scene)) ?? { path: "" };
  const answer = await server.call(method, path, { token, body });
  expect(answer).toMatchObject(refusal(403, "Not authorized"));
});

test.each(byName(forKeys))("%s refuses a key that sees another course only", async (name, { method, role, scope }) => {
  const { path, token, body } = (await everyRoute[name]?.(scene)) ?? { path: "" };
  const [, courseId] = /\/courses\/(\w{24})/.exec(path) ?? [];
  const { educatorId } = await db.Course.findById(courseId).orFail().lean();
  const other = await buildCourse(server, { educatorId });
  const key = { name: "Warehouse", scopes: [scope], courseIds: [String(other._id)] };
  const { secret } = await must(server.post(`/api/${role}/api-keys`, key, token));
  const answer = await server.call(method, path, { token: secret, body });
  expect(answer).toMatchObject(role === "admin" ? refusal(404, "Course not found") : refusal(403, "Not authorized"));
});
