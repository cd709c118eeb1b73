import { developmentPorts } from "@lyceum/provider-emulators";
import type { OperationExample, RecordedExamples } from "../../../src/http/openapi/with-examples.js";
import type { TestServer } from "../../server/test-server.js";
import { demoScene, documented } from "./demo-scene.js";
import type { Sent } from "./scene.js";
import { stableValues } from "./stable-values.js";
import { recordWebhooks } from "./webhook-examples.js";

/** Their answers are pages and files of their own. */
const withoutExample = new Set([
  "GET /api/docs",
  "GET /api/openapi.json",
  "GET /api/openapi-webhooks.json",
  "GET /.well-known/did.json",
  "GET /did.json",
  "GET /api/certificate/status/{list}",
  "GET /api/course/{id}/badge.png",
  "GET /api/paths/{pathId}/badge.png",
  "GET /api/user/certificates/{certificateId}/badge.png",
  "GET /api/user/certificates/{certificateId}/credential",
  "GET /api/user/notifications/stream",
  "GET /api/user/resources/{courseId}/{resourceId}",
  "GET /metrics",
  "POST /clerk",
  "POST /razorpay",
]);
const longestText = 400;
const longestList = 2;

/** Asks a server with the demo data each documented request, and keeps what it answered. */
export async function recordExamples(server: TestServer): Promise<RecordedExamples> {
  const scene = await demoScene(server);
  const stable = stableValues(await demoIds(server), addressesOf(server));
  const refused: string[] = [];
  const operations: Record<string, OperationExample> = {};
  for (const [route, example] of Object.entries(documented)) {
    if (withoutExample.has(route)) continue;
    const sent = await example(scene);
    const { path, ...options } = sent;
    const { status, body, headers } = await server.call(route.split(" ")[0] ?? "", path, options);
    if (status !== 200) {
      refused.push(`${route} was answered ${status}: ${JSON.stringify(body)}`);
      continue;
    }
    const type = headers.get("content-type")?.split(";")[0] ?? "application/json";
    const shown = { ...requestOf(route, sent), type, ...(type === "application/pdf" ? {} : { reply: body }) };
    operations[route] = short(stable(route)(shown)) as OperationExample;
  }
  if (refused.length > 0) throw new Error(refused.join("\n"));
  const webhooks = await recordWebhooks(scene);
  return { operations, webhooks: short(stable("webhooks")(webhooks)) as RecordedExamples["webhooks"] };
}

/** Ids that are the same wherever the demo data is loaded. */
async function demoIds({ deps: { db } }: TestServer): Promise<Set<string>> {
  const rows = await Promise.all([
    db.Course.find({}, { _id: 1 }).lean(),
    db.Purchase.find({ userId: /^user_demo_/ }, { _id: 1 }).lean(),
    db.QuizResult.find({ userId: /^user_demo_/ }, { _id: 1 }).lean(),
  ]);
  const chats = await db.ChatSession.find({}, { sessionId: 1 }).lean();
  return new Set([...rows.flat().map(({ _id }) => String(_id)), ...chats.map(({ sessionId }) => sessionId)]);
}

/** As they are in development where no port is taken. */
function addressesOf(server: TestServer): [string, string][] {
  const { clerk, razorpay, cloudinary } = server.emulators;
  const local = (port: number) => `http://127.0.0.1:${port}`;
  const found: [string | undefined, string][] = [
    [server.url, "http://localhost:3000"],
    [server.url.replace("127.0.0.1", "localhost"), "http://localhost:3000"],
    [clerk?.url, local(developmentPorts.clerk)],
    [razorpay?.url, local(developmentPorts.razorpay)],
    [cloudinary?.url, local(developmentPorts.cloudinary)],
  ];
  return found.filter((pair): pair is [string, string] => pair[0] !== undefined);
}

/** Path parameters by their names, and the body. */
function requestOf(route: string, { path, body }: Sent): Pick<OperationExample, "path" | "request"> {
  const template = route.split(" ")[1] ?? "";
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, "([^/]+)")}$`);
  const values = pattern.exec(path.split("?")[0] ?? "")?.slice(1) ?? [];
  const parameters = Object.fromEntries(names.map((name, i) => [name, values[i] ?? ""]));
  return {
    ...(names.length > 0 ? { path: parameters } : {}),
    ...(body === undefined ? {} : { request: body instanceof FormData ? fieldsOf(body) : body }),
  };
}

const fieldsOf = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].map(([name, value]) => [name, typeof value === "string" ? value : value.name]));

/** Lists of two, and texts that fit a screen; of a picture within its address, which it is. */
function short(value: unknown): unknown {
  if (typeof value === "string") {
    const most = value.startsWith("data:") ? 40 : longestText;
    return value.length > most ? `${value.slice(0, most)}…` : value;
  }
  if (Array.isArray(value)) return value.slice(0, longestList).map(short);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, short(item)]));
}
