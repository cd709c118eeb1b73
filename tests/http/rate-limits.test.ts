import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { scopes } from "../../src/http/limits/rate-limits.js";
import { refusal } from "../assertions/refusal.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

const someId = "665f1c2ab7e4d90012ab34cd";

/** One cheap, refused request per scope: refused requests count as well. */
const requests = {
  aiChat: ["POST", "/api/user/ai-chat", {}],
  payments: ["POST", "/api/user/purchase", {}],
  aiGeneration: ["POST", "/api/user/generate-custom-roadmap", {}],
  quizSubmission: ["POST", "/api/quiz/submit", {}],
  communityWrites: ["POST", "/api/community/posts", {}],
  admin: ["GET", "/api/admin/nothing-here", undefined],
  otherWrites: ["POST", "/api/user/add-rating", {}],
} as const;

test.each(Object.entries(requests))(
  "%s: so many requests, then 429 with the limit's message",
  async (name, request) => {
    const server = await startTestServer({ own: "uses limits up" });
    const scope = scopes[name as keyof typeof requests];
    const [method, path, body] = request;
    const { token } = await server.signedIn();
    const send = () => server.call(method, path, { token, body });
    const counts: number[] = [];
    while (counts.length < scope.limit) {
      for (const { status, headers } of await Promise.all(Array.from({ length: 10 }, send))) {
        expect(status).not.toBe(429);
        expect(headers.get("ratelimit-policy")).toBe(`${scope.limit};w=${scope.windowSeconds}`);
        expect(headers.get("ratelimit-limit")).toBe(String(scope.limit));
        expect(Number(headers.get("ratelimit-reset"))).toBeLessThanOrEqual(scope.windowSeconds);
        counts.push(Number(headers.get("ratelimit-remaining")));
      }
    }
    expect(counts.sort((a, b) => a - b)).toEqual(counts.map((_count, n) => n));
    const refused = await send();
    expect(refused).toMatchObject(refusal(429, scope.message));
    expect(refused.headers.get("x-error-code")).toMatch(/^[a-z]+(_[a-z]+)*_limit_exceeded$/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    const other = await server.signedIn();
    expect((await server.call(method, path, { token: other.token, body })).status).not.toBe(429);
  },
);

test("RATE_LIMITS=relaxed multiplies the limits by ten", async () => {
  const server = await startTestServer({ env: { RATE_LIMITS: "relaxed" } });
  const { token } = await server.signedIn();
  const send = () => server.post("/api/user/purchase", {}, token);
  expect((await send()).headers.get("ratelimit-remaining")).toBe("99");
  await Promise.all(Array.from({ length: 99 }, send));
  expect((await send()).status).toBe(429);
});

const remaining = async (server: TestServer, method: string, path: string, token?: string, headers = {}) =>
  (await server.call(method, path, { token, headers, ...(method === "GET" ? {} : { body: {} }) })).headers.get(
    "ratelimit-remaining",
  );

test("paths of a scope and their variants share one counter; other paths have none", async () => {
  const server = await startTestServer({ own: "uses limits up" });
  const { token } = await server.signedIn();
  expect(await remaining(server, "POST", "/api/user/purchase", token)).toBe("9");
  expect(await remaining(server, "POST", "/api/user/verify-razorpay", token)).toBe("8");
  expect(await remaining(server, "POST", "/API/User/Purchase/", token)).toBe("7");
  expect(await remaining(server, "GET", "/api/user/purchase", token)).toBe("6");
  // A variant that does not reach the route does not reach its counter either.
  expect((await server.post("/api/user/%70urchase", {}, token)).status).toBe(404);
  expect(await remaining(server, "OPTIONS", "/api/user/purchase", token)).toBeNull();
  expect(await remaining(server, "GET", "/api/user/data", token)).toBeNull();
  expect(await remaining(server, "POST", "/api/community/posts", token)).toBe("19");
  expect(await remaining(server, "POST", `/api/community/posts/${someId}/replies`, token)).toBe("18");
  expect(await remaining(server, "GET", "/api/community/posts", token)).toBeNull();
  expect(await remaining(server, "POST", "/api/quiz/generate", token)).toBe("9");
  expect(await remaining(server, "POST", "/api/user/generate-personal-roadmap", token)).toBe("8");
});

test("writes without a limit of their own share one counter for each user; reads and anonymous callers have none", async () => {
  const server = await startTestServer({ own: "uses limits up" });
  const { token } = await server.signedIn("educator");
  const writes = [
    ["POST", `/api/community/posts/${someId}/upvote`],
    ["PATCH", `/api/community/posts/${someId}/resolve`],
    ["DELETE", `/api/community/posts/${someId}`],
    ["POST", `/api/community/groups/${someId}/membership`],
    ["POST", "/api/user/track-time"],
    ["POST", "/api/user/update-course-progress"],
    ["POST", "/api/user/add-rating"],
    ["POST", `/api/user/certificate/generate/${someId}`],
    ["DELETE", "/api/user/chats/none"],
    ["POST", "/api/educator/coupons"],
    ["PATCH", `/api/educator/courses/${someId}`],
    ["POST", `/API/Educator/Courses/${someId}/enrollments/`],
    ["DELETE", `/api/educator/courses/${someId}/enrollments/${someId}`],
  ] as const;
  for (const [n, [method, path]] of writes.entries())
    expect([path, await remaining(server, method, path, token)]).toEqual([path, String(599 - n)]);
  expect(await remaining(server, "OPTIONS", "/api/user/track-time", token)).toBeNull();
  expect(await remaining(server, "GET", "/api/user/data", token)).toBeNull();
  expect(await remaining(server, "POST", "/api/user/track-time")).toBeNull();
  // A path with a limit of its own counts there alone.
  expect(await remaining(server, "POST", "/api/user/purchase", token)).toBe("9");
  expect(await remaining(server, "POST", "/api/admin/coupons", token)).toBe("99");
  expect(await remaining(server, "POST", "/api/user/track-time", token)).toBe(String(599 - writes.length));
});

test("malformed bodies count; anonymous callers are counted by address that a trusted proxy names, IPv6 by network", async () => {
  const server = await startTestServer({ env: { TRUST_PROXY_HOPS: "1" } });
  const { token } = await server.signedIn();
  const json = { "content-type": "application/json" };
  const broken = await server.call("POST", "/api/user/purchase", { token, body: "{", headers: json });
  expect([broken.status, broken.headers.get("ratelimit-remaining")]).toEqual([400, "9"]);
  const from = (address: string, asked: TestServer = server) =>
    remaining(asked, "POST", "/api/user/purchase", undefined, { "x-forwarded-for": address });
  expect(await from("203.0.113.1")).toBe("9");
  expect(await from("203.0.113.1")).toBe("8");
  expect(await from("203.0.113.2")).toBe("9");
  expect(await from("2001:db8:0:1::1")).toBe("9");
  expect(await from("2001:db8:0:1:ffff::2")).toBe("8");
  expect(await from("2001:db8:0:2::1")).toBe("9");
  const untrusting = await server.another({ TRUST_PROXY_HOPS: "0" });
  expect(await from("203.0.113.1", untrusting)).toBe("9");
  expect(await from("203.0.113.2", untrusting)).toBe("8");
});

test("with the shared store away, at start too, counting goes on in process", async () => {
  const server = await startTestServer({ env: { REDIS_URL: "redis://127.0.0.1:9" } });
  const { token } = await server.signedIn();
  expect(await remaining(server, "POST", "/api/user/purchase", token)).toBe("9");
  expect(await remaining(server, "POST", "/api/user/purchase", token)).toBe("8");
});

/** A Redis that counts to seven, until it falls silent and keeps its connections, or refuses to write. */
async function redisThatCountsToSeven() {
  let silent = false;
  let full = false;
  const redis = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (commands) => {
      // Each command is an array, which begins on a line of its own: `*<length>`.
      for (const command of commands.toString().split(/^(?=\*\d+\r\n)/m)) {
        if (silent) return;
        if (full) socket.write("-OOM command not allowed when used memory > 'maxmemory'.\r\n");
        else if (/\r\nEVALSHA\r\n/.test(command)) socket.write("*2\r\n:7\r\n:600000\r\n");
        else socket.write(/\r\nSCRIPT\r\n/.test(command) ? "$3\r\nsha\r\n" : "+OK\r\n");
      }
    });
    onTestFinished(() => void socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(redis, "listening");
  onTestFinished(() => void redis.close());
  return {
    url: `redis://127.0.0.1:${(redis.address() as AddressInfo).port}`,
    fallSilent() {
      silent = true;
    },
    beFull(now: boolean) {
      full = now;
    },
  };
}

test("a shared store that refuses to count is named in the log once, and once more when it is back; counting goes on in process, also while it is silent", async () => {
  const redis = await redisThatCountsToSeven();
  const lines: { level: number; msg: string; cause?: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const said = () => lines.filter(({ msg }) => msg.includes("rate-limit store"));
  const server = await startTestServer({ env: { REDIS_URL: redis.url }, log });
  const { token } = await server.signedIn();
  const left = () => remaining(server, "POST", "/api/user/purchase", token);
  // The first requests may come before the connection.
  await expect.poll(left).toBe("3");
  lines.length = 0;
  redis.beFull(true);
  const { token: other } = await server.signedIn();
  const ofOther = () => remaining(server, "POST", "/api/user/purchase", other);
  expect([await ofOther(), await ofOther(), await ofOther()]).toEqual(["9", "8", "7"]);
  expect(said()).toMatchObject([{ level: 40, cause: expect.stringMatching(/^OOM /) }]);
  redis.beFull(false);
  expect([await ofOther(), await ofOther()]).toEqual(["3", "3"]);
  expect(said()).toMatchObject([{ level: 40 }, { level: 30, msg: "rate-limit store is back" }]);
  redis.fallSilent();
  const { token: third } = await server.signedIn();
  const ofThird = () => remaining(server, "POST", "/api/user/purchase", third);
  expect((await Promise.all([ofThird(), ofThird(), ofThird()])).sort()).toEqual(["7", "8", "9"]);
  expect(await ofThird()).toBe("6");
});
