import { readFile, writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { RecordedExamples } from "../../src/http/openapi/with-examples.js";
import { replyChecker } from "../contract-fuzz/reply-schemas.js";
import { startTestServer } from "../server/test-server.js";
import { recordExamples } from "./examples/record-examples.js";

/*
 * The examples of the API reference are answers of a server with the demo data. `npm run examples` records them;
 * without it they are compared with fresh ones.
 */

const file = "src/http/openapi/examples.json";
const recording = Boolean(process.env.RECORD_EXAMPLES);
const server = await startTestServer({ own: "holds the demo data" });
const document = JSON.parse(await readFile("openapi.json", "utf8"));
const webhooksDocument = JSON.parse(await readFile("openapi-webhooks.json", "utf8"));
let kept: RecordedExamples;
let fresh: RecordedExamples;

beforeAll(async () => {
  fresh = await recordExamples(server);
  if (recording) await writeFile(file, `${JSON.stringify(fresh, null, 2)}\n`);
  kept = JSON.parse(await readFile(file, "utf8"));
}, 180_000);

test.runIf(recording)("the examples are recorded", () => expect(kept).toEqual(fresh));

describe.skipIf(recording)("examples of the reference", () => {
  // An export shows the first rows in the order in which the database has them: it was recorded on the embedded one.
  test.skipIf(process.env.MONGODB_URI)("each is what a server answers now (npm run examples)", () => {
    expect(kept.operations).toEqual(fresh.operations);
  });

  test("each webhook is what the provider's emulator sends", () => {
    expect(kept.webhooks).toEqual(fresh.webhooks);
    expect(Object.keys(webhooksDocument.webhooks).sort()).toEqual(Object.keys(kept.webhooks).sort());
  });

  test("each fits the schema of its reply, and has the content type that is documented first", () => {
    const faultOf = replyChecker(document);
    for (const [route, { type, reply }] of Object.entries(kept.operations)) {
      const [upper = "", path = ""] = route.split(" ");
      const method = upper.toLowerCase();
      const [documented] = Object.keys(document.paths[path][method].responses["200"].content);
      const fault = type === "application/json" ? faultOf(method, path, 200, reply) : undefined;
      expect({ route, documented, fault }).toEqual({ route, documented: type, fault: undefined });
    }
  });

  test("every operation has one, with its body and path, and every failure is named with its message", () => {
    const bare = new Set([
      ...["GET /api/docs", "GET /api/openapi.json", "GET /api/openapi-webhooks.json", "GET /metrics"],
      ...["GET /.well-known/did.json", "GET /did.json", "GET /api/certificate/status/{list}"],
      ...["GET /api/course/{id}/badge.png", "GET /api/user/certificates/{certificateId}/badge.png"],
      "GET /api/paths/{pathId}/badge.png",
      "GET /api/user/certificates/{certificateId}/credential",
      "GET /api/user/resources/{courseId}/{resourceId}",
      "GET /api/user/notifications/stream",
    ]);
    const missing: string[] = [];
    for (const [path, methods] of Object.entries<Record<string, any>>(document.paths)) {
      for (const [method, { parameters = [], requestBody, responses }] of Object.entries(methods)) {
        const route = `${method.toUpperCase()} ${path}`;
        if (bare.has(route)) continue;
        const contents: [string, any][] = Object.entries(responses["200"].content);
        const isShown = ([type, content]: [string, any]) =>
          type === "application/pdf" || content.example !== undefined || content.examples?.success !== undefined;
        if (!contents.some(isShown)) missing.push(`${route} 200`);
        for (const { in: place, name, example } of parameters) {
          if (place === "path" && example === undefined) missing.push(`${route} ${name}`);
        }
        for (const content of Object.values<any>(requestBody?.content ?? {})) {
          if (content.example === undefined) missing.push(`${route} body`);
        }
        for (const [status, { content }] of Object.entries<any>(responses)) {
          if (Number(status) < 400 || path === "/readyz") continue;
          if (Object.keys(content["application/json"].examples ?? {}).length === 0) missing.push(`${route} ${status}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });
});
