import type { JsonSchema } from "../contract-fuzz/random-value.js";
import { courseData, png } from "../factories/course-forms.js";
import { userData } from "../factories/identity-events.js";
import type { Sent as Example } from "../http/examples/scene.js";
import { identityOf, paymentsOf } from "../server/emulators.js";
import type { TestServer } from "../server/test-server.js";
import type { Sent } from "./request-cpu.js";
import { type Place, placesIn, stringsIn } from "./request-strings.js";

/** A place in a request that takes a hostile text. */
export interface Target {
  readonly name: string;
  /** Bytes that the request has for the text, in the form in which it is written there. */
  readonly bytes: number;
  /** Longest text that is accepted there. */
  readonly max?: number | undefined;
  /** Only the length of the text counts. */
  readonly isList?: boolean | undefined;
  written(text: string): string;
  request(text: string): Sent | Promise<Sent>;
}

/** An operation of the description, with a request of it that succeeds. */
export interface Operation {
  readonly method: string;
  readonly pattern: string;
  readonly described: JsonSchema;
  readonly example: Example;
  readonly maxBytes?: number | undefined;
}

export const usualBytes = 102_400;
/** Longest form and webhook that are sent, because the client of a longer one would take the most CPU itself. */
export const mostBytes = 262_144;
/** Bytes of a body beside the text. */
const besideBytes = 4_096;
/** Node answers a longer head with 431. */
export const headBytes = 15_000;

const json = { "content-type": "application/json" };

export const inAddress = (text: string): string => (/^[%\w/]*$/.test(text) ? text : encodeURIComponent(text));

const headersOf = ({ token, headers }: Example): Record<string, string> => ({
  ...headers,
  ...(token && { authorization: `Bearer ${token}` }),
});

const knownOf = ({ body }: Example): Record<string, unknown> =>
  typeof body === "object" && !(body instanceof FormData) ? { ...body } : {};

/** The parameters of path and query. */
export function parameterTargets({ method, pattern, described, example }: Operation): Target[] {
  const [path = "", query = ""] = example.path.split("?");
  const parameters: { in: string; name: string; schema: JsonSchema }[] = described.parameters ?? [];
  const withoutBody = Object.keys(knownOf(example)).length === 0;
  const rest = { method, headers: { ...headersOf(example), ...(withoutBody ? {} : json) } };
  return parameters
    .filter((parameter) => parameter.in !== "header")
    .map(({ in: place, name, schema }) => {
      const at = pattern.split("/").indexOf(`{${name}}`);
      const others = query.split("&").filter((part) => part !== "" && !part.startsWith(`${name}=`));
      const address = (text: string) =>
        place === "path"
          ? path.split("/").with(at, text).join("/")
          : `${path}?${[...others, `${name}=${text}`].join("&")}`;
      return {
        ...{ name: `${place}.${name}`, bytes: headBytes, max: schema.maxLength, written: inAddress },
        request: (text) => ({
          ...{ ...rest, path: address(inAddress(text)) },
          ...(withoutBody ? {} : { body: JSON.stringify(knownOf(example)) }),
        }),
      };
    });
}

/** The body, by its type. @param edit the schema of a course, which forms hold as JSON. */
export function bodyTargets(server: TestServer, operation: Operation, edit: JsonSchema): Target[] {
  const { method, pattern, described, example, maxBytes } = operation;
  const content: [string, { schema: JsonSchema }][] = Object.entries(described.requestBody?.content ?? {});
  const headers = headersOf(example);
  const targets = (places: readonly Place[], limit: number, sent: (value: any) => OwnParts | Promise<OwnParts>) =>
    places.map(
      ({ name, max, isList, fill }): Target => ({
        ...{ name, max, isList, bytes: limit - besideBytes, written: JSON.stringify },
        async request(text) {
          const { headers: own, ...parts } = await sent(fill(text));
          return { method, path: example.path, headers: { ...headers, ...own }, ...parts };
        },
      }),
    );
  const whole: Place = { name: "body", fill: (text) => text };
  const fileName: Place = { ...whole, name: "body.file name" };
  const file = (text: string, name = "a.csv") => form({ file: [text, name] });

  return content.flatMap(([type, { schema }]) => {
    if (type === "text/plain") {
      return targets([whole], mostBytes, (body) => ({ body, headers: { "content-type": type } }));
    }
    if (type === "application/json" && typeof example.body === "string") {
      const sample =
        pattern === "/clerk"
          ? { type: "user.updated", data: userData("user_hostile", "a@b.example") }
          : JSON.parse(example.body);
      const emulator = pattern === "/clerk" ? identityOf(server.emulators) : paymentsOf(server);
      return targets(stringsIn(sample), mostBytes, (value) => {
        const body = JSON.stringify(value);
        return { body, headers: { ...json, ...emulator.signWebhook(body) } };
      });
    }
    if (type === "application/json") {
      return targets(placesIn(schema, knownOf(example)), maxBytes ?? usualBytes, (value) => ({
        body: JSON.stringify(value),
        headers: json,
      }));
    }
    if (pattern === "/api/educator/add-course") {
      // Its fields are those of an edit.
      const json = { ...whole, name: "courseData" };
      return targets([json], mostBytes, (text) => form({ courseData: [text], image: [png(), "a.png"] }));
    }
    if (pattern === "/api/educator/courses/{id}") {
      const { Course } = server.deps.db;
      return targets(placesIn(edit, courseData(), "courseData"), mostBytes, async (course) => {
        const { version } = await Course.findById(example.path.split("/").at(-1)).orFail().lean();
        return {
          ...form({ courseData: [JSON.stringify({ ...course, version })] }),
          reads: ["/api/course/browse?q=x", "/api/course/all?q=x"],
        };
      });
    }
    return [
      ...targets([whole], mostBytes, (text) => file(text)),
      ...targets([{ ...whole, name: "a row" }], mostBytes, (text) => file(`email,courseId,expiresAt\n${text}\n`)),
      ...targets([fileName], mostBytes, (text) => file("a", text)),
    ];
  });
}

type OwnParts = Pick<Sent, "body" | "headers" | "reads">;

/** Writes a form, of which each part has content and, for a file, a name. */
function form(parts: Record<string, [content: string | Buffer, file?: string]>): Pick<Sent, "body" | "headers"> {
  const boundary = "hostile";
  const written = Object.entries(parts).flatMap(([name, [content, file]]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    ...[file === undefined ? "" : `; filename="${file.replaceAll('"', "")}"`, "\r\n\r\n", content, "\r\n"],
  ]);
  return {
    body: Buffer.concat([...written, `--${boundary}--\r\n`].map((part) => Buffer.from(part))),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}

/** Addresses that no operation describes, and query strings. */
export const addressTargets: readonly Target[] = [
  "/",
  "/api/course/",
  "/api/none/",
  "/?",
  "/api/course/all?",
  "/unsubscribe/",
].map((start) => ({
  ...{ name: `GET ${start}…`, bytes: headBytes, written: inAddress },
  request: (text) => ({ method: "GET", path: `${start}${inAddress(text)}`, headers: {} }),
}));

const headersOfRoutes: Readonly<Record<string, readonly string[]>> = {
  "GET /api/course/all": [
    ...["accept-encoding", "accept-language", "cookie", "forwarded", "host", "if-modified-since", "if-none-match"],
    ...["origin", "range", "referer", "user-agent", "x-forwarded-for", "x-forwarded-proto", "x-request-id"],
  ],
  "GET /api/certificate/verify/none": ["accept"],
  "POST /api/user/track-time": ["authorization", "content-type", "idempotency-key"],
  "OPTIONS /api/user/data": ["access-control-request-headers", "access-control-request-method"],
};

/** Headers that the server or one of its libraries reads. */
export const headerTargets = (token: string): Target[] =>
  Object.entries(headersOfRoutes).flatMap(([route, names]) => {
    const [method = "", path = ""] = route.split(" ");
    const written = (text: string) => Buffer.from(text).toString("latin1").trim();
    return names.map((name) => ({
      ...{ name: `${route} ${name}`, bytes: headBytes - 1_000, written },
      request: (text: string) => ({
        ...{ method, path, body: method === "POST" ? "{}" : "" },
        headers: {
          ...{ authorization: `Bearer ${token}`, ...json },
          [name]: `${name === "authorization" ? "Bearer " : ""}${written(text)}`,
        },
      }),
    }));
  });
