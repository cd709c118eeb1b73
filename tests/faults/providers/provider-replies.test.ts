import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { Registry } from "prom-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKeySet } from "../../../src/http/auth/key-set.js";
import { createIdentity } from "../../../src/providers/clerk.js";
import { createStorage } from "../../../src/providers/cloudinary.js";
import { createAi } from "../../../src/providers/openai/openai.js";
import { createPayments } from "../../../src/providers/razorpay.js";

/**
 * A provider that begins every reply well and never ends it. @returns its address, and whether all of its replies were
 * given up.
 */
async function neverEnding(goOn: (res: ServerResponse) => void, { sendsHead = true } = {}) {
  const open = new Set<ServerResponse>();
  const provider = createServer((req, res) => {
    open.add(res);
    res.once("close", () => open.delete(res));
    req.resume().once("end", () => {
      if (sendsHead) res.writeHead(200, { "content-type": "application/json" });
      goOn(res);
    });
  });
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  onTestFinished(() => {
    provider.closeAllConnections();
    provider.close();
  });
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
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

const calls = {
  "the payment provider": (url: string, bounds: typeof moments) =>
    createPayments({ keyId: "id", keySecret: "secret", apiUrl: url, webhookSecrets: [] }, bounds).findOrders("r"),
  "the payment provider, asked for a refund,": (url: string, bounds: typeof moments) =>
    createPayments({ keyId: "id", keySecret: "secret", apiUrl: url, webhookSecrets: [] }, bounds).refund({
      paymentId: "pay_1",
      amountMinor: 100,
      idempotencyKey: "k",
    }),
  "the media storage": async (url: string, bounds: typeof moments) =>
    (await createStorage(`cloudinary://k:s@cloud?upload_prefix=${encodeURIComponent(url)}`, bounds)).put({
      publicId: "p",
      kind: "raw",
      content: Buffer.from("x"),
    }),
  "the media storage, asked to remove a file,": async (url: string, bounds: typeof moments) =>
    (await createStorage(`cloudinary://k:s@cloud?upload_prefix=${encodeURIComponent(url)}`, bounds)).remove({
      publicId: "p",
      kind: "raw",
    }),
};

describe.each(Object.entries(calls))("%s", (_who, call) => {
  test("that answers byte by byte is given up when its time is over", async () => {
    const provider = await neverEnding(drip);
    await expect(call(provider.url, moments)).rejects.toThrow();
    await expect.poll(provider.allGivenUp).toBe(true);
  });

  test("that answers without end is given up when it has said more than is read", async () => {
    const provider = await neverEnding(pour);
    await expect(call(provider.url, kilobytes)).rejects.toThrow();
    await expect.poll(provider.allGivenUp).toBe(true);
  });
});

/** A provider that answers every request with this. */
async function answering(reply: unknown): Promise<string> {
  const { url } = await neverEnding((res) => res.end(JSON.stringify(reply)));
  return url;
}

describe("the media storage, whose reply lacks what is needed,", () => {
  test.each([
    [{ public_id: "p" }, "secure_url"],
    [{ secure_url: "" }, "secure_url"],
    [{ secure_url: 5 }, "secure_url"],
    [{ secure_url: "javascript:alert(1)" }, "secure_url"],
  ])("fails an upload with the name of the field: %j", async (reply, field) => {
    const call = calls["the media storage"](await answering(reply), kilobytes);
    await expect(call).rejects.toThrow(`media storage: the reply has no usable ${field}`);
  });

  test.each([[{}], [{ result: "pending" }], [{ outcome: "ok" }]])("fails a removal likewise: %j", async (reply) => {
    const call = calls["the media storage, asked to remove a file,"](await answering(reply), kilobytes);
    await expect(call).rejects.toThrow("media storage: the reply has no usable result");
  });

  test("is taken at its word otherwise", async () => {
    const remove = calls["the media storage, asked to remove a file,"];
    await remove(await answering({ result: "ok" }), kilobytes);
    await remove(await answering({ result: "not found" }), kilobytes);
    const put = calls["the media storage"](await answering({ secure_url: "https://x.example/p" }), kilobytes);
    expect(await put).toBe("https://x.example/p");
  });
});

test.each([
  ["before it answers", (_res: ServerResponse) => undefined],
  ["in the middle of a file", (res: ServerResponse) => void res.write("x")],
])("the media storage that falls silent %s is given up when its time is over", async (_when, goOn) => {
  const provider = await neverEnding(goOn, { sendsHead: false });
  const storage = createStorage(`cloudinary://k:s@cloud?upload_prefix=${encodeURIComponent(provider.url)}`, moments);
  const file = { publicId: "p", kind: "raw", isPrivate: true } as const;
  const opened = storage.open(file, { signal: new AbortController().signal });
  await expect(opened.then(({ body }) => text(body))).rejects.toThrow(/Timeout/);
  await expect.poll(provider.allGivenUp).toBe(true);
});

test.each([
  [{ id: "x" }, "no choices in the reply"],
  [{ choices: [] }, "no choices in the reply"],
  [{ choices: [{ text: "old" }] }, "no choices.0.message in the reply"],
])("an AI reply without what is needed names the field: %j", async (reply, reason) => {
  const config = {
    ...{ apiKey: "k", baseUrl: `${await answering(reply)}/v1`, model: "m", timeoutMs: 5_000 },
    adviceTimeoutMs: 1_000,
  };
  const ai = createAi(config, { log: pino({ level: "silent" }), metrics: new Registry() });
  const messages = [{ role: "user", content: "hello" }] as const;
  const asked = ai.ask({ purpose: "chat", messages, maxTokens: 10, read: (answer) => answer });
  await expect(asked).rejects.toMatchObject({ kind: "unusable", reason });
});

test("an AI provider that answers without end is given up when it has said more than is read", async () => {
  const provider = await neverEnding(pour);
  const config = { apiKey: "k", baseUrl: `${provider.url}/v1`, model: "m", timeoutMs: 60_000, adviceTimeoutMs: 1_000 };
  const ai = createAi(config, { log: pino({ level: "silent" }), metrics: new Registry() });
  const messages = [{ role: "user", content: "anybody?" }] as const;
  const asked = ai.ask({ purpose: "chat", messages, maxTokens: 10, read: (answer) => answer });
  await expect(asked).rejects.toMatchObject({ kind: "unavailable", reason: "connection" });
  await expect.poll(provider.allGivenUp).toBe(true);
});

describe("the identity provider, told a role,", () => {
  const tell = (apiUrl: string, timeoutMs?: number) => {
    return createIdentity({ secretKey: "sk_test_k", apiUrl }, timeoutMs).setRole("user_1", "educator");
  };

  test.each([
    [{}, "with another public_metadata.role"],
    [{ public_metadata: { role: ["educator"] } }, "with another public_metadata.role"],
    [{ public_metadata: { role: "student" } }, "with another public_metadata.role"],
    ["asha.rao@example.com", "with another public_metadata.role"],
  ])("and answers without that role fails without what it says: %j", async (reply, reason) => {
    const answer = typeof reply === "string" ? reply : { object: "user", id: "user_1", email_addresses: [], ...reply };
    await expect(tell(await answering(answer))).rejects.toThrow(new Error(`the identity provider answered ${reason}`));
  });

  test("that does not answer is given up when its time is over", async () => {
    const provider = await neverEnding(drip);
    await expect(tell(provider.url, 300)).rejects.toThrow(new Error("the identity provider did not answer in time"));
  });

  test("and answers without end is given up when it has said more than is read", async () => {
    const provider = await neverEnding(pour);
    await expect(tell(provider.url)).rejects.toThrow("the identity provider");
    await expect.poll(provider.allGivenUp).toBe(true);
  });
});

test("a key set without end is an outage, and its connection is closed", async () => {
  const provider = await neverEnding(pour);
  const findKey = createKeySet({ secretKey: "sk_test_k", apiUrl: provider.url });
  await expect(findKey("key")).rejects.toThrow("key set is unavailable");
  await expect.poll(provider.allGivenUp).toBe(true);
});
