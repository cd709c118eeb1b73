import { execFile } from "node:child_process";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { beforeAll, describe, expect, test } from "vitest";
import { recordEvents } from "../src/services/events/record-event.js";
import { callsAbout } from "./assertions/ai-calls.js";
import { buildCourse } from "./factories/courses.js";
import { writePost } from "./factories/posts.js";
import { buy } from "./factories/sales.js";
import { temporaryFolder } from "./server/after-use.js";
import { aiOf } from "./server/emulators.js";
import { type SignedIn, startTestServer } from "./server/test-server.js";

const run = promisify(execFile);

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts")).sort();
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), "utf8")])),
  );
}

test("the client is what `npm run client` makes of openapi.json", { timeout: 120_000 }, async () => {
  const CLIENT_OUTPUT = await temporaryFolder();
  await run("npm", ["run", "client"], { env: { ...process.env, CLIENT_OUTPUT } });
  const [fresh, kept] = await Promise.all([contentsOf(CLIENT_OUTPUT), contentsOf("client/src/generated")]);
  expect(Object.keys(kept)).toEqual(Object.keys(fresh));
  for (const [file, text] of Object.entries(fresh))
    expect(kept[file] === text, `${file}: run npm run client`).toBe(true);
});

/** A folder with the packed package, unpacked as npm does it. */
const app = await temporaryFolder();
/** What the installed package exports. */
let api: any;
const installed = (...path: string[]) => join(app, "node_modules/@lyceum/client", ...path);

beforeAll(async () => {
  const { stdout } = await run("npm", ["pack", "--json", "--workspace", "client", "--pack-destination", app]);
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  await mkdir(installed(), { recursive: true });
  await run("tar", ["-xzf", join(app, filename), "-C", installed(), "--strip-components=1"]);
  await writeFile(join(app, "package.json"), '{ "type": "module", "private": true }');
  api = await import(installed("dist/index.js"));
}, 180_000);

/** The code of the README, with the application's own functions. */
async function readmeCode(): Promise<string> {
  const blocks = [...(await readFile("client/README.md", "utf8")).matchAll(/```ts\n([\s\S]*?)```/g)];
  expect(blocks).toHaveLength(5);
  const own = ["courseId: string", "getToken: () => Promise<string | null>", "showCourse: () => void"];
  const shown = ["show", "write", "remember"].map((name) => `${name}: (text: string | undefined) => void`);
  return [
    'import { events, followNotifications, listOrders, paginate, streamTutor } from "@lyceum/client";',
    ...[...own, ...shown].map((name) => `declare const ${name};`),
    ...blocks.map(([, code]) => code),
  ].join("\n");
}

describe("the package", () => {
  test("names only files that it holds, needs no other package, and has a licence", async () => {
    const manifest = JSON.parse(await readFile(installed("package.json"), "utf8"));
    const named = Object.values<object>(manifest.exports).flatMap((conditions) => Object.values(conditions));
    for (const file of [...named, "LICENSE", "README.md"]) await access(installed(file));
    expect(manifest.dependencies ?? {}).toEqual({});
    expect(manifest.private).toBeUndefined();
  });

  test("exports functions of the API only, under names that shadow nothing", async () => {
    const files = await contentsOf(installed("dist/generated"));
    const text = `${files["sdk.gen.d.ts"]}${files["types.gen.d.ts"]}`;
    const names = [...text.matchAll(/^export (?:declare const|type) (\w+)/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name) => name in globalThis)).toEqual([]);
    expect(names.filter((name) => /clerk|razorpay|metrics|health|readiness/i.test(name))).toEqual([]);
  });

  test.each([
    ["NodeNext", "NodeNext"],
    ["ESNext", "Bundler"],
  ])(
    "compiles by its README under strict rules, with modules of %s and resolution of %s",
    async (module, resolution) => {
      const file = join(app, `readme-${resolution}.ts`);
      await writeFile(file, await readmeCode());
      const options = `--noEmit --strict --exactOptionalPropertyTypes --target ES2022 --module ${module}`;
      const more = `--moduleResolution ${resolution} --lib ES2022,DOM,DOM.Iterable --types`.split(" ");
      await run("node_modules/.bin/tsc", ["--ignoreConfig", ...options.split(" "), ...more, "", file]);
    },
  );

  test("is bundled without the functions that an application does not use", async () => {
    const root = join(app, "site");
    await mkdir(root);
    await writeFile(join(root, "index.html"), '<script type="module" src="main.js"></script>');
    await writeFile(join(root, "main.js"), 'import { exportPurchases } from "@lyceum/client"; exportPurchases();');
    const built = await build({ root, logLevel: "silent", build: { write: false, minify: false } });
    const code = (built as any).output.map(({ code = "" }) => code).join("");
    expect(code).toContain("/api/admin/purchases.csv");
    expect(code).not.toContain("/api/admin/users");
    // Tables become files by code that no function calls.
    expect(code).toContain("text/csv");
  });
});

describe("functions", async () => {
  const server = await startTestServer({ own: "counts requests" });
  const asked: string[] = [];
  const signIn = ({ token }: SignedIn) => {
    const fetch = (request: Request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return globalThis.fetch(request);
    };
    return api.createClient({ baseUrl: server.url, auth: () => token, fetch });
  };
  const all = async (items: AsyncIterable<any>) => {
    const found = [];
    for await (const item of items) found.push(item);
    return found;
  };

  test("answer with data, or with the body of a refusal and its code", async () => {
    const client = signIn(await server.signedIn());
    expect((await api.listCourses({ client })).data).toMatchObject({ success: true });
    const { data, error, response } = await api.createPurchase({ client, body: { courseId: "x" } });
    expect({ data, error }).toEqual({ data: undefined, error: { success: false, message: "Course not found" } });
    expect(api.errorCodeOf(response)).toBe("course_not_found");
  });

  test("return PDFs and tables as files", async () => {
    const [learner, admin] = [await server.signedIn(), await server.signedIn("admin")];
    const sale = await buy(server, learner, (await buildCourse(server))._id);
    const invoice = await api.getInvoice({ client: signIn(learner), path: { id: sale.purchaseId } });
    const table = await api.exportPurchases({ client: signIn(admin) });
    for (const [file, type, start] of [
      [invoice.data, "application/pdf", "%PDF"],
      [table.data, "text/csv;charset=utf-8", "\uFEFF"],
    ]) {
      expect(file).toBeInstanceOf(Blob);
      expect(file.type).toBe(type);
      expect(
        Buffer.from(await file.arrayBuffer())
          .toString()
          .slice(0, start.length),
      ).toBe(start);
    }
  });

  test("list everything by cursor, by id and by page number", async () => {
    const [learner, admin] = [await server.signedIn(), await server.signedIn("admin")];
    for (let n = 0; n < 3; n += 1) {
      await buy(server, learner, (await buildCourse(server))._id);
      await writePost(server, learner);
    }
    const query = { limit: 2 };
    const orders = await all(api.paginate(api.listOrders, { client: signIn(learner), query }));
    expect(orders.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    const lists = { listPaymentEvents: "events", listPosts: "posts" };
    for (const [name, field] of Object.entries(lists)) {
      const client = signIn(admin);
      const { data } = await api[name]({ client, query: { limit: 100 } });
      expect(data[field].length).toBeGreaterThan(2);
      expect(await all(api.paginate(api[name], { client, query }))).toEqual(data[field]);
    }
    const dashboard = api.paginate(api.getEducatorDashboard, { client: signIn(await server.signedIn("educator")) });
    await expect(all(dashboard)).rejects.toThrow("The reply has no list");
    await expect(all(api.paginate(api.listUsers, { client: signIn(learner) }))).rejects.toMatchObject({
      ...{ name: "LyceumError", message: "Unauthorized Access", status: 403, code: "wrong_role" },
    });
  });

  test("follow events, wait for new ones, and go on after a restart", async () => {
    const client = signIn(await server.signedIn("admin"));
    const { db } = server.deps;
    const record = (...ids: string[]) =>
      db.transaction((session) =>
        recordEvents(
          db,
          session,
          ids.map((userId) => ({ type: "user.created", data: { userId } })),
        ),
      );
    const options = { client, audience: "admin", query: { type: "user.created", limit: 2 }, pollEvery: 10 };
    await record("follow-1", "follow-2", "follow-3");
    const leave = new AbortController();
    const seen: { userId: unknown; cursor: string }[] = [];
    for await (const { data, cursor } of api.events({ ...options, signal: leave.signal })) {
      if (!String(data.userId).startsWith("follow")) continue;
      seen.push({ userId: data.userId, cursor });
      if (seen.length === 3) void record("follow-4");
      if (seen.length === 4) leave.abort();
    }
    expect(seen.map(({ userId }) => userId)).toEqual(["follow-1", "follow-2", "follow-3", "follow-4"]);
    for (const [position, { cursor }] of seen.slice(0, 3).entries()) {
      for await (const { data } of api.events({ ...options, query: { ...options.query, after: cursor } })) {
        expect(seen.slice(0, position + 2).map(({ userId }) => userId)).toContain(data.userId);
        if (data.userId === seen[position + 1]?.userId) break;
      }
    }
    const listed = await all(api.paginate(api.listEventsAsAdmin, { client, query: options.query }));
    expect(listed.slice(-4).map(({ data }) => data.userId)).toEqual(seen.map(({ userId }) => userId));
    await expect(all(api.events({ client: signIn(await server.signedIn()) }))).rejects.toMatchObject({ status: 403 });
  });

  test("stream the tutor's answer", async () => {
    const events = await all(api.streamTutor({ client: signIn(await server.signedIn()), body: { content: "Hello" } }));
    const { type, reply } = events.pop();
    expect(type).toBe("done");
    expect(events.map(({ text }) => text).join("")).toBe(reply.response);
    expect(events.length).toBeGreaterThan(3);
  });

  test("end the stream when the reader leaves or aborts, and then nothing is stored", async () => {
    const learner = await server.signedIn();
    aiOf(server).faults.add({ kind: "slow", perChunkMs: 25 });
    const leave = new AbortController();
    const client = signIn(learner);
    for await (const _event of api.streamTutor({ client, body: { content: "I leave" } })) break;
    const aborted = async () => {
      const stream = api.streamTutor({ client, body: { content: "I abort" }, signal: leave.signal });
      for await (const _event of stream) leave.abort();
    };
    await expect(aborted()).rejects.toMatchObject({ name: "AbortError" });
    for (const content of ["I leave", "I abort"])
      await expect.poll(() => callsAbout(server, content).map(({ state }) => state)).toEqual(["aborted"]);
    aiOf(server).faults.clear();
    expect((await api.listChats({ client })).data.chats).toEqual([]);
  });

  test("ask the tutor once, and keep the server's words when it cannot answer", async () => {
    const client = signIn(await server.signedIn());
    const ask = (content: string) => all(api.streamTutor({ client, body: { content } }));
    asked.length = 0;
    await expect(ask(" ")).rejects.toMatchObject({ message: "Missing message", status: 400, code: "missing_message" });
    aiOf(server).faults.add({ kind: "cut", afterChunks: 6, times: 1 });
    await expect(ask("tell me a lot")).rejects.toThrow("Failed to generate AI response.");
    const cut = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('event: delta\ndata: {"text":"a"}\n\n'));
        controller.close();
      },
    });
    const broken = api.createClient({ baseUrl: server.url, fetch: async () => new Response(cut) });
    await expect(all(api.streamTutor({ client: broken, body: { content: "x" } }))).rejects.toThrow("before the answer");
    const away = api.createClient({ baseUrl: "http://127.0.0.1:9" });
    await expect(all(api.streamTutor({ client: away, body: { content: "x" } }))).rejects.toMatchObject({
      ...{ name: "LyceumError", message: "The server cannot be reached", code: undefined },
    });
    expect(asked).toEqual(["POST /api/user/ai-chat", "POST /api/user/ai-chat"]);
  });

  test("follow notifications behind the last one when the connection breaks, and not when the server refuses", async () => {
    const replies = ['id: 7\nevent: notification\ndata: {"title":"a"}\n\n:\n\n', "", "id: 8\nevent: notifi", undefined];
    const resumed: (string | null)[] = [];
    const fetch = async (request: Request) => {
      resumed.push(request.headers.get("Last-Event-ID"));
      const text = replies[resumed.length - 1];
      return text === undefined ? Response.json({ message: "No" }, { status: 403 }) : new Response(text);
    };
    const client = api.createClient({ baseUrl: "http://server.example", fetch });
    const titles: string[] = [];
    const follow = async () => {
      for await (const { title } of api.followNotifications({ client, retryAfter: 1 })) titles.push(title);
    };
    await expect(follow()).rejects.toMatchObject({ message: "No", status: 403 });
    expect([titles, resumed]).toEqual([["a"], [null, "7", "7", "7"]]);
    const leave = new AbortController();
    leave.abort();
    expect(await all(api.followNotifications({ client, signal: leave.signal }))).toEqual([]);
  });
});
