import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { deliver } from "../factories/payment-events.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer();
const { hostname, port } = new URL(server.url);

async function open(): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Writes and waits until the system has taken everything. */
const write = (socket: Socket, text: string) => new Promise((resolve) => socket.write(text, resolve));

/** Sends chunks of one byte, and gives the server the time to read them. */
async function writeBytes(socket: Socket): Promise<void> {
  for (let part = 0; part < 10; part += 1) {
    await write(socket, "1\r\nx\r\n".repeat(25_000));
    await sleep(20);
  }
}

async function firstLine(socket: Socket): Promise<string> {
  const [data] = await once(socket, "data");
  return String(data).split("\r\n")[0] ?? "";
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
function usedBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const headOf = (method: string, path: string, type: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Razorpay-Signature: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;

const chunked = (bytes: readonly string[]) => bytes.map((byte) => `1\r\n${byte}\r\n`).join("");

const { token } = await server.signedIn("educator");
const form = ["POST", "/api/educator/add-course", "multipart/form-data; boundary=b"] as const;
const formStart = [...'--b\r\nContent-Disposition: form-data; name="courseData"\r\n\r\n'];

test.each([
  ["a webhook", headOf("POST", "/razorpay", "text/plain"), 400],
  ["a read that takes no body", headOf("GET", "/api/community/posts", "text/plain"), 200],
  ["a form", headOf(...form).replace("\r\n", `\r\nAuthorization: Bearer ${token}\r\n`) + chunked(formStart), undefined],
])("%s: chunks of one byte take no more memory than their bytes", async (_name, begin, status) => {
  const socket = await open();
  const before = usedBytes();
  await write(socket, begin);
  await writeBytes(socket);
  expect((usedBytes() - before) / 1_048_576).toBeLessThan(15);
  if (status === undefined) return;
  const answered = firstLine(socket);
  socket.write("0\r\n\r\n");
  expect(await answered).toContain(String(status));
});

test("a body in chunks of one byte is read to its end", async () => {
  const socket = await open();
  const body = JSON.stringify({ courseId: "x".repeat(5_000) });
  await write(socket, headOf("POST", "/api/user/get-course-progress", "application/json"));
  await write(socket, chunked([...body]));
  socket.write("0\r\n\r\n");
  expect(await firstLine(socket)).toBe("HTTP/1.1 401 Unauthorized");
});

test.each([
  ["/razorpay", "", 400, { error: "Invalid Razorpay webhook signature" }],
  ["/clerk", "", 500, { success: false, message: "An unexpected error occurred" }],
  ["/clerk", "Svix-Id: 1\r\nSvix-Timestamp: 1\r\n", 500, { success: false, message: "An unexpected error occurred" }],
])(
  "a webhook to %s without its whole signature is refused before its body arrives",
  async (path, headers, ...answer) => {
    const socket = await open();
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 1000000\r\n\r\n`);
    const [status, body] = String((await once(socket, "data"))[0]).split(/\r\n.*\r\n\r\n/s);
    expect([Number(status?.split(" ")[1]), JSON.parse(body ?? "")]).toEqual(answer);
  },
);

test("bodies of one anonymous address are bounded, and neither users nor webhooks are refused for them", async () => {
  const path = "/api/user/get-course-progress";
  const length = 102_400;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const unfinished = `${head}{"a":"${"x".repeat(length - 1_000)}`;
  const answers: string[] = [];
  /** Sends bodies without their ends. */
  const waiting = await Promise.all(
    Array.from({ length: 180 }, async () => {
      const socket = await open();
      socket.on("data", (data) => answers.push(String(data)));
      await write(socket, unfinished);
      return socket;
    }),
  );
  await expect.poll(() => answers[0]).toBeDefined();
  const [refusal] = answers;
  expect(refusal).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 2\r\n/s);
  expect(refusal).toContain('{"success":false,"message":"The server is busy. Please try again in a moment."}');
  const body = { courseId: "x".repeat(length - 100) };
  expect((await server.post(path, body)).status).toBe(503);
  expect((await server.post(path, body, (await server.signedIn()).token)).status).toBe(200);
  expect((await deliver(server, '{"event":"x"}')).status).toBe(200);
  for (const socket of waiting) socket.destroy();
  await expect.poll(async () => (await server.post(path, body)).status).toBe(401);
});
