import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiGroups } from "../../src/app.js";
import type { JsonSchema } from "../contract-fuzz/random-value.js";
import { everyRoute } from "../http/examples/every-route.js";
import { buildScene, type Scene } from "../http/examples/scene.js";
import { timesLonger } from "../longer-runs.js";
import { startTestServer } from "../server/test-server.js";
import { hostileTexts } from "./hostile-texts.js";
import { cpuOf, quietMs, type Sent } from "./request-cpu.js";
import {
  addressTargets,
  bodyTargets,
  headBytes,
  headerTargets,
  parameterTargets,
  type Target,
  usualBytes,
} from "./targets.js";

/*
 * Hostile texts at every string of every operation, in addresses and in headers. The CPU of a request stays below a bound
 * and grows no faster than the text, whether the text is accepted or refused. A field that forgets its bound fails here.
 */

/** Most CPU of one request, in milliseconds. */
const maxMs = 60;
/** Most growth of the CPU when a text is twice as long. */
const maxGrowth = 2.6;

/** What collections of garbage and other programs may add, in milliseconds. */
const noiseMs = 10;
/** A busy machine may take long, because only CPU counts. */
const timeout = 600_000;

const server = await startTestServer({ own: "measures the CPU of the process", env: { RATE_LIMITS: "relaxed" } });
const documents: JsonSchema[] = await Promise.all(
  ["/api/openapi.json", "/api/openapi-webhooks.json"].map(async (path) => (await server.get(path)).body),
);
const schemas = Object.assign({}, ...documents.map(({ components }) => components?.schemas));
const operations = documents.flatMap(({ paths }) =>
  Object.entries<Record<string, JsonSchema>>(paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), pattern, described })),
  ),
);
const maxBytes = new Map(
  apiGroups({ ...server.deps, metrics: new Registry() }).flatMap(({ routes }) =>
    routes.map(({ operationId, accepts }) => [operationId, accepts?.maxBytes] as const),
  ),
);

/** Replaces references by the schemas that they name. */
const resolved = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_key, value) =>
    typeof value?.$ref === "string" ? schemas[value.$ref.split("/").at(-1)] : value,
  );
const edit = resolved(
  documents[0]?.paths["/api/educator/courses/{id}"].patch.requestBody.content["multipart/form-data"].schema,
);

let scene: Scene;
beforeAll(async () => {
  scene = await buildScene(server, 1);
});

/** Length of an accepted text below which its cost is not measured. */
const leastAccepted = 500;

interface Measured {
  readonly where: string;
  readonly units: number;
  readonly ms: number;
  readonly halfMs: number | undefined;
  readonly status: number;
}
const all: Measured[] = [];

/** Times that a request is judged, because another program may disturb all tries at once. */
const rounds = 3;

/** Measures a request with a text, and with half of it unless it costs little. @returns its faults. */
async function measure(where: string, units: number, make: (units: number) => Sent | Promise<Sent>): Promise<string[]> {
  for (let round = 1; ; round += 1) {
    const { ms, status, code } = await cpuOf(() => make(units), server.url);
    const half = ms > quietMs ? await cpuOf(() => make(Math.floor(units / 2)), server.url) : undefined;
    const measured = { where, units, ms: Math.round(ms), halfMs: half && Math.round(half.ms), status };
    const isDear = ms > maxMs || (half !== undefined && ms > maxGrowth * half.ms + noiseMs);
    if (isDear && round < rounds) continue;
    all.push(measured);
    const isUnseen = code === "unauthenticated" || code === "overloaded" || code.endsWith("_limit_exceeded");
    return [...(isDear ? [JSON.stringify(measured)] : []), ...(isUnseen ? [`${where}: ${code}`] : [])];
  }
}

/** Measures every text at a target: as long as the request can hold, half as long, and as long as the field accepts. */
async function faultsOf(target: Target): Promise<string[]> {
  const faults: string[] = [];
  for (const [family, text] of Object.entries(hostileTexts).slice(target.isList ? -1 : 0)) {
    const bytesPerUnit = Buffer.byteLength(target.written(text(1_000))) / 1_000;
    const fitting = Math.floor(target.bytes / bytesPerUnit);
    const accepted = target.max === undefined || target.max < leastAccepted ? fitting : target.max;
    // A text that is far too long may be refused at once, and half of it be worked on.
    const half = target.bytes > headBytes ? Math.floor(fitting / 2) : fitting;
    for (const units of new Set([fitting, half, Math.min(fitting, accepted)])) {
      const where = `${target.name}: ${family}`;
      faults.push(...(await measure(where, units, (length) => target.request(text(length)))));
    }
  }
  return faults;
}

test.each(operations.map((operation) => [`${operation.method} ${operation.pattern}`, operation] as const))(
  "%s",
  { timeout },
  async (route, { method, pattern, described }) => {
    // The examples add resources, of which a course may have a limited number.
    await scene.server.deps.db.CourseResource.deleteMany({ courseId: scene.courseId });
    const example = await everyRoute[route]?.(scene);
    if (!example) throw new Error("no example of this route");
    const requestBody = described.requestBody && resolved(described.requestBody);
    const operation = {
      method,
      pattern,
      described: { ...described, requestBody },
      example,
      maxBytes: maxBytes.get(described.operationId),
    };
    const faults: string[] = [];
    for (const target of [...parameterTargets(operation), ...bodyTargets(server, operation, edit)]) {
      faults.push(...(await faultsOf({ ...target, name: `${route} ${target.name}` })));
    }
    expect(faults).toEqual([]);
  },
);

test.each(addressTargets.map((target) => [target.name, target] as const))("%s", { timeout }, async (_name, target) => {
  expect(await faultsOf(target)).toEqual([]);
});

test("headers", { timeout }, async () => {
  const { token } = await server.signedIn();
  const faults: string[] = [];
  for (const target of headerTargets(token)) faults.push(...(await faultsOf(target)));
  expect(faults.filter((fault) => !fault.includes("unauthenticated"))).toEqual([]);
});

/** Bodies that are hostile as a whole, by their length. */
const wholeBodies: Readonly<Record<string, (length: number) => string>> = {
  "an unknown field": (length) => JSON.stringify({ unknown: "x".repeat(length) }),
  "unknown fields": (length) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: length / 12 }, (_, n) => [`k${n}`, 1]))),
  "deep nesting": (length) => `{"unknown":${"[".repeat(length / 2 - 10)}${"]".repeat(length / 2 - 10)}}`,
  "a list": (length) => `[${"0,".repeat(length / 2 - 2)}0]`,
  "no JSON": (length) => "[".repeat(length),
};

test.each(Object.entries(wholeBodies))("a body that is %s", { timeout }, async (name, body) => {
  const { token } = await server.signedIn();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request = (length: number) => ({ method: "POST", path: "/api/educator/apply", headers, body: body(length) });
  expect(await measure(name, usualBytes - 100, request)).toEqual([]);
});

afterAll(() => {
  if (timesLonger === 1) return;
  const dearest = all.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  process.stdout.write(`${all.length} requests\n${dearest.map((one) => JSON.stringify(one)).join("\n")}\n`);
});
