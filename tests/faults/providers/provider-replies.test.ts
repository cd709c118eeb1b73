import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { createKeySet } from "../../../src/http/auth/key-set.js";
import { createIdentity } from "../../../src/providers/clerk.js";
import { createStorage } from "../../../src/providers/cloudinary.js";
import { createAi } from "../../../src/providers/openai/openai.js";
import { createPayments } from "../../../src/providers/razorpay.js";
import { startWebServer } from "../../server/after-use.js";

/**
 * A provider that begins every reply well and never ends it. @returns its address, and whether all of its replies were
 * given up.
 */
async function neverEnding(goOn: (res: ServerResponse) => void, { sendsHead = true } = {}) {
  const open = new Set<ServerResponse>();
  const { url } = await startWebServer((req, res) => {
    open.add(res);
    res.once("close", () => open.delete(res));
    req.resume().once("end", () => {
      if (sendsHead) res.writeHead(200, { "content-type": "application/json" });
      goOn(res);
    });
  });
  return { url, allGivenUp: () => open.size === 0 };
}

/** A byte now and then: never silent for long. */
function drip(res: ServerResponse): void {
  const dripping = setInterval(() => res.write(" "), 20);
  res.once("close", () => clearInterval(dripping));
}

/** As much as is taken, as fast as it is taken. */
function pour(res: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, "a");
  const on = () => {
    while (!res.destroyed && res.write(piece));
  };
  res.write('{"id":"');
  res.on("drain", on);
  on();
}

const kilobytes = { longestReply: 256 * 1024, deadlineMs: 30_000 };
const moments = { longestReply: 256 * 1024, deadlineMs: 300 };

type Bounds = typeof moments;

const payments = (apiUrl: string, bounds: Bounds) =>
  createPayments({ keyId: "id", keySecret: "secret", apiUrl, webhookSecrets: [] }, bounds);
const storage = (url: string, bounds: Bounds) =>
  createStorage(`cloudinary://k:s@cloud?upload_prefix=${encodeURIComponent(url)}`, bounds);
const file = { publicId: "p", kind: "raw" } as const;

const askAi = (url: string, timeoutMs: number) => {
  const config = { apiKey: "k", baseUrl: `${url}/v1`, model: "m", timeoutMs, adviceTimeoutMs: 1_000 };
  const ai = createAi(config, { log: pino({ level: "silent" }), metrics: new Registry() });
  const messages = [{ role: "user", content: "hello" }] as const;
  return ai.ask({ purpose: "chat", messages, maxTokens: 10, read: (answer) => answer });
};

/** What is asked of a provider, and what is said when its time is over and when it says too much. */
const calls: Record<string, { ask(url: string, bounds: Bounds): Promise<unknown>; late?: object; long?: object }> = {
  "the payment provider": { ask: (url, bounds) => payments(url, bounds).findOrders("r") },
  "the payment provider, asked for a refund,": {
    ask: (url, bounds) => payments(url, bounds).refund({ paymentId: "pay_1", amountMinor: 100, idempotencyKey: "k" }),
  },
  "the media storage": { ask: (url, bounds) => storage(url, bounds).put({ ...file, content: Buffer.from("x") }) },
  "the media storage, asked to remove a file,": { ask: (url, bounds) => storage(url, bounds).remove(file) },
  "the identity provider, told a role,": {
    ask: (url, { deadlineMs }) => tellRole(url, deadlineMs),
    late: { message: "the identity provider did not answer in time" },
    long: { message: expect.stringContaining("the identity provider") },
  },
  "the AI provider": {
    ask: (url, { deadlineMs }) => askAi(url, deadlineMs),
    long: { kind: "unavailable", reason: "connection" },
  },
};

const tellRole = (apiUrl: string, timeoutMs?: number) =>
  createIdentity({ secretKey: "sk_test_k", apiUrl }, timeoutMs).setRole("user_1", "educator");

describe.each(Object.entries(calls))("%s", (_who, { ask, late = {}, long = {} }) => {
  test.each([
    ["byte by byte is given up when its time is over", drip, moments, late],
    ["without end is given up when it has said more than is read", pour, kilobytes, long],
  ])("that answers %s", async (_how, goOn, bounds, error) => {
    const provider = await neverEnding(goOn);
    await expect(ask(provider.url, bounds)).rejects.toMatchObject(error);
    await expect.poll(provider.allGivenUp).toBe(true);
  });
});

/** A provider that answers every request with this. */
async function answering(reply: unknown): Promise<string> {
  const { url } = await neverEnding((res) => res.end(JSON.stringify(reply)));
  return url;
}

describe("the media storage, whose reply lacks what is needed,", () => {
  const content = Buffer.from("x");
  test.each([
    [{ public_id: "p" }, "secure_url"],
    [{ secure_url: "" }, "secure_url"],
    [{ secure_url: 5 }, "secure_url"],
    [{ secure_url: "javascript:alert(1)" }, "secure_url"],
  ])("fails an upload with the name of the field: %j", async (reply, field) => {
    const upload = storage(await answering(reply), kilobytes).put({ ...file, content });
    await expect(upload).rejects.toThrow(`media storage: the reply has no usable ${field}`);
  });

  test.each([[{}], [{ result: "pending" }], [{ outcome: "ok" }]])("fails a removal likewise: %j", async (reply) => {
    const removal = storage(await answering(reply), kilobytes).remove(file);
    await expect(removal).rejects.toThrow("media storage: the reply has no usable result");
  });

  test("and which breaks off, is named by the failed upload and the failed removal", async () => {
    const { url } = await neverEnding((res) => void res.destroy());
    await expect(storage(url, kilobytes).put({ ...file, content })).rejects.toThrow(/^media storage: upload failed: ./);
    await expect(storage(url, kilobytes).remove(file)).rejects.toThrow(/^media storage: removal failed: ./);
  });

  test("is taken at its word otherwise", async () => {
    for (const result of ["ok", "not found"]) await storage(await answering({ result }), kilobytes).remove(file);
    const upload = storage(await answering({ secure_url: "https://x.example/p" }), kilobytes).put({ ...file, content });
    expect(await upload).toBe("https://x.example/p");
  });
});

test.each([
  ["before it answers", (_res: ServerResponse) => undefined],
  ["in the middle of a file", (res: ServerResponse) => void res.write("x")],
])("the media storage that falls silent %s is given up when its time is over", async (_when, goOn) => {
  const provider = await neverEnding(goOn, { sendsHead: false });
  const { signal } = new AbortController();
  const opened = storage(provider.url, moments).open({ ...file, isPrivate: true }, { signal });
  await expect(opened.then(({ body }) => text(body))).rejects.toThrow(/Timeout/);
  await expect.poll(provider.allGivenUp).toBe(true);
});

test.each([
  [{ id: "x" }, "no choices in the reply"],
  [{ choices: [] }, "no choices in the reply"],
  [{ choices: [{ text: "old" }] }, "no choices.0.message in the reply"],
])("an AI reply without what is needed names the field: %j", async (reply, reason) => {
  await expect(askAi(await answering(reply), 5_000)).rejects.toMatchObject({ kind: "unusable", reason });
});

test.each([
  [{}],
  [{ public_metadata: { role: ["educator"] } }],
  [{ public_metadata: { role: "student" } }],
  ["asha.rao@example.com"],
])("an identity provider that answers without the role it was told fails without what it says: %j", async (reply) => {
  const answer = typeof reply === "string" ? reply : { object: "user", id: "user_1", email_addresses: [], ...reply };
  const message = "the identity provider answered with another public_metadata.role";
  await expect(tellRole(await answering(answer))).rejects.toThrow(new Error(message));
});

test("a key set without end is an outage, and its connection is closed", async () => {
  const provider = await neverEnding(pour);
  const findKey = createKeySet({ secretKey: "sk_test_k", apiUrl: provider.url });
  await expect(findKey("key")).rejects.toThrow("key set is unavailable");
  await expect.poll(provider.allGivenUp).toBe(true);
});
