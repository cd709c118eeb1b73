import { readFileSync } from "node:fs";
import v8 from "node:v8";
import vm from "node:vm";
import { expect, test } from "vitest";
import { buildCourse } from "../factories/courses.js";
import { timesLonger } from "../longer-runs.js";
import { busyLearner } from "../privacy/busy-learner.js";
import { type SignedIn, startTestServer } from "../server/test-server.js";
import { hostileValue, type JsonSchema, type Random, randomSource, valueFor } from "./random-value.js";
import { replyChecker } from "./reply-schemas.js";

const server = await startTestServer();
const document = JSON.parse(readFileSync("openapi.json", "utf8"));
const check = replyChecker(document);

/** Webhooks have their own tests, and replies that are not JSON have no schema. */
const operations = Object.entries<Record<string, JsonSchema>>(document.paths)
  .filter(([path]) => path.startsWith("/api/") && !/docs|openapi|stream/.test(path))
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })));

const roles = ["anonymous", "student", "educator", "admin"] as const;
const malformedIds = ["x", "665f1c2ab7e4d90012ab34c", "%00", "$ne", "__proto__", "a".repeat(300), "%F0%9F%92%A5"];
const oid = /^[0-9a-f]{24}$/i;

/** Creates callers of every role. They change after some requests, so that rate limits occur but do not hide the rest. */
async function newCallers(): Promise<Record<(typeof roles)[number], SignedIn | undefined>> {
  const student = await server.signedIn("student");
  const educator = await server.signedIn("educator");
  const admin = await server.signedIn("admin");
  await buildCourse(server, { educatorId: educator.id });
  return { anonymous: undefined, student, educator, admin };
}

/** Collects every text in a reply that looks like an id. */
function idsIn(body: unknown, found: Set<string>): void {
  if (typeof body === "string") {
    if (oid.test(body) || /^[0-9a-f-]{36}$/.test(body) || /^user_/.test(body)) found.add(body);
  } else if (typeof body === "object" && body !== null) for (const value of Object.values(body)) idsIn(value, found);
}

function makeRequest(random: Random, { path, operation }: (typeof operations)[number], ids: readonly string[]) {
  let malformedPath = false;
  const parameters: JsonSchema[] = operation.parameters ?? [];
  const concrete = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const id = random.chance(0.75) && ids.length > 0 ? random.pick(ids) : random.pick(malformedIds);
    const { schema } = parameters.find((one) => one.name === name && one.in === "path") ?? {};
    if (schema?.pattern && !new RegExp(schema.pattern).test(id)) malformedPath = true;
    return id.includes("%") ? id : encodeURIComponent(id);
  });
  const query = parameters
    .filter((one) => one.in === "query" && random.chance(0.4))
    .map(({ name, schema }) => {
      const value = random.chance(0.8) ? valueFor(schema, random, ids, name) : hostileValue(random);
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return `${name}${random.chance(0.05) ? "[$ne]" : ""}=${encodeURIComponent(text.replace(/\p{Surrogate}/gu, "?"))}`;
    });
  const [type, content] = Object.entries<JsonSchema>(operation.requestBody?.content ?? {})[0] ?? [];
  let body: unknown;
  if (type === "application/json" && content) {
    body = valueFor(content.schema, random, ids);
    // Changes, removes or adds one field, so that the body is nearly valid.
    if (random.chance(0.4) && typeof body === "object" && body !== null) {
      const fields = body as Record<string, unknown>;
      const field = random.pick([...Object.keys(fields), "userId", "status", "__proto__"]);
      if (random.chance(0.2)) delete fields[field];
      else Object.defineProperty(fields, field, { value: hostileValue(random), enumerable: true, configurable: true });
    }
    if (random.chance(0.05)) body = random.pick(["{", "null", "[]", '"text"', '{"a":'.repeat(5_000)]);
  }
  const target = query.length > 0 ? `${concrete}?${query.join("&")}` : concrete;
  return { target, body, malformedPath };
}

function heapInUse(): number {
  v8.setFlagsFromString("--expose_gc");
  for (let turn = 0; turn < 3; turn += 1) vm.runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test("valid, nearly valid and hostile requests at every level get documented answers that hold nothing of others", async () => {
  const seed = timesLonger > 1 ? Date.now() % 1e9 : 20_261_122;
  const random = randomSource(seed);
  const requests = timesLonger > 1 ? 600 * timesLonger : 250;
  const { learner, courseId, own, theirs, group } = await busyLearner(server);
  const known = new Set([courseId, own._id, theirs._id, group._id, learner.id, "ch1"]);
  idsIn((await server.get("/api/user/export", learner.token)).body, known);
  /** Texts that only the learner and administrators may see. */
  const secrets = ["What is a monad?", `${learner.id.slice(5, 13)}@example.com`, "Bakes"];
  const wrong: string[] = [];
  const statuses: Record<string, number> = {};
  const bases: number[] = [];
  let callers = await newCallers();

  for (let n = 0; n < requests; n += 1) {
    if (n % 90 === 89) callers = await newCallers();
    if (timesLonger > 1 && n % Math.floor(requests / 3) === 0) bases.push(heapInUse());
    const operation = random.pick(operations);
    const { method, path } = operation;
    const wanted = operation.operation["x-access"];
    const allowed = ["public", "user"].includes(wanted) ? "student" : wanted;
    const role = random.chance(0.6) ? allowed : random.pick(roles);
    const caller = callers[role as (typeof roles)[number]];
    const ids = [...known].slice(-400);
    const { target, body, malformedPath } = makeRequest(random, operation, ids);
    const answer = await server.call(method.toUpperCase(), target, {
      ...{ token: caller?.token, body },
      ...(typeof body === "string" ? { headers: { "content-type": "application/json" } } : {}),
    });
    const { status } = answer;
    statuses[status] = (statuses[status] ?? 0) + 1;
    const about = `${role} ${method} ${target} ${JSON.stringify(body)?.slice(0, 300)} → ${status} ${JSON.stringify(answer.body).slice(0, 200)}`;
    const complain = (why: string) => void wrong.push(`${about}: ${why}`);
    if (status >= 500 && !(status === 500 && malformedPath)) complain("an error");
    const isJson = answer.headers.get("content-type")?.includes("application/json");
    const isUnrouted = status === 404 && answer.body.message === "Route not found";
    const unfit = isUnrouted ? undefined : check(method, path, status, answer.body);
    if (unfit && (isJson || status !== 200)) complain(unfit);
    const code = answer.headers.get("x-error-code");
    const codes = operation.operation.responses[status]?.headers?.["X-Error-Code"]?.schema.enum ?? ["route_not_found"];
    if (answer.body.success === false && !codes.includes(code)) complain(`the code ${code}`);
    const isExplained = answer.body.success === true || answer.body.message !== undefined;
    if (role !== "admin" && isJson && status < 300 && !isExplained) complain("no success, and no reason");
    const text = JSON.stringify(answer.body);
    if (role !== "admin" && secrets.some((secret) => text.includes(secret))) complain("another's data");
    if (status === 200) idsIn(answer.body, known);
  }

  if (timesLonger > 1) {
    const after = heapInUse();
    process.stdout.write(
      `seed ${seed}: ${requests} requests, ${JSON.stringify(statuses)}, heap MB ${bases.map((mb) => mb.toFixed(0))} → ${after.toFixed(0)}\n`,
    );
    expect(after).toBeLessThan((bases[1] ?? after) + 30);
  }
  expect({ seed, wrong: wrong.slice(0, 12), count: wrong.length }).toEqual({ seed, wrong: [], count: 0 });
  // The run must reach successes and every kind of refusal.
  for (const status of [200, 400, 401, 403, 404]) expect(statuses[status] ?? 0).toBeGreaterThan(5);
}, 1_200_000);
