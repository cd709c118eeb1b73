import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "../processes/proc.js";
import { type Finding, same, within } from "./findings.js";
import { addCourses } from "./freezing.js";
import type { Target } from "./target.js";

/** A server with half a gigabyte of heap. */
const small = (target: Target) => target.another({ NODE_OPTIONS: "--max-old-space-size=512" });

async function open({ url }: Target): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

const openMany = (target: Target, count: number) => Promise.all(Array.from({ length: count }, () => open(target)));

const write = (socket: Socket, text: string) => new Promise((resolve) => socket.write(text, resolve));

async function isAlive(target: Target): Promise<boolean> {
  const answer = await fetch(`${target.url}/healthz`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
  return answer?.status === 200;
}

/** Memory in MiB; infinite when the process has ended. */
const memory = async ({ pid }: Target): Promise<number> =>
  memoryOf(pid).then(
    ({ now }) => now,
    () => Number.POSITIVE_INFINITY,
  );

/** Requests without their end, in chunks of one byte. */
async function sendChunks(target: Target, path: string, type: string, connections: number, chunks: number) {
  const sockets = await openMany(target, connections);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const part = "1\r\nx\r\n".repeat(10_000);
  await Promise.all(
    sockets.map(async (socket) => {
      await write(socket, head);
      for (let sent = 0; sent < chunks && !socket.destroyed; sent += 10_000) await write(socket, part);
    }),
  );
  await sleep(2_000);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** Bodies of one-byte chunks, before anything is known about their sender. */
export async function tinyChunks(attacked: Target): Promise<Finding[]> {
  const findings: Finding[] = [];
  const cases = [
    { path: "/razorpay", type: "application/json", connections: 1, chunks: 1_000_000, most: 40 },
    { path: "/razorpay", type: "application/json", connections: 4, chunks: 1_000_000, most: 60 },
    { path: "/api/user/data", type: "application/json", connections: 40, chunks: 100_000, most: 80 },
  ];
  for (const { path, type, connections, chunks, most } of cases) {
    const target = await small(attacked);
    const before = await memory(target);
    const name = `${connections} × ${chunks.toLocaleString("en")} one-byte chunks to ${path}`;
    const end = await sendChunks(target, path, type, connections, chunks);
    findings.push(within(`${name}: memory`, (await memory(target)) - before, most, "MiB"));
    findings.push(same(`${name}: the server lives`, await isAlive(target), true));
    end();
  }
  return findings;
}

/** 0.7 MB of pipelined requests on one connection. */
export async function pipelinedReadiness(attacked: Target): Promise<Finding[]> {
  const target = await small(attacked);
  const [courseId] = await addCourses(target, [{}]);
  const learner = await target.user();
  const socket = await open(target);
  socket.resume();
  socket.write("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20_000));
  const statuses: Record<string, number> = {};
  let slowest = 0;
  for (let asked = 0; asked < 10; asked += 1) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const began = performance.now();
        const path = asked % 2 ? "/api/user/data" : `/api/course/${courseId}`;
        const headers = { authorization: `Bearer ${learner.token}` };
        const answer = fetch(target.url + path, { headers, signal: AbortSignal.timeout(3_000) });
        const status = await answer.then((response) => response.status).catch(() => "none in 3 s");
        slowest = Math.max(slowest, performance.now() - began);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    );
  }
  socket.destroy();
  return [
    same("20,000 pipelined /readyz: what 100 requests of a user get", statuses, { 200: 100 }),
    within("20,000 pipelined /readyz: slowest request of a user", slowest, 2_000, "ms"),
  ];
}

/** Readers that take nothing of a large reply. */
export async function slowReaders(attacked: Target): Promise<Finding[]> {
  const target = await small(attacked);
  const content = "What I think about it, in a sentence or two. ".repeat(110);
  for (let batch = 0; batch < 20; batch += 1) {
    const posts = Array.from({ length: 200 }, (_, n) => ({
      ...{ authorId: "user_1", authorName: "Asha Rao", title: `Question ${batch}-${n}`, content, tags: ["types"] },
    }));
    await target.db.CommunityPost.insertMany(posts);
  }
  const courseDescription = "x".repeat(7_000);
  await addCourses(
    target,
    Array.from({ length: 500 }, () => ({ courseDescription })),
  );
  const findings: Finding[] = [];
  const cases = [
    { path: "/api/community/posts", readers: 150 },
    { path: "/api/course/all?sort=rating", readers: 100 },
  ];
  for (const { path, readers } of cases) {
    const reading = await small(attacked);
    await (await fetch(reading.url + path)).arrayBuffer();
    const before = await memory(reading);
    const sockets = await openMany(reading, readers);
    for (const socket of sockets) {
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    let most = 0;
    const name = `${readers} readers of ${path} who take nothing`;
    for (let waited = 0; waited < 80; waited += 1) {
      await sleep(1_000);
      most = Math.max(most, (await memory(reading)) - before);
    }
    findings.push(within(`${name}: most memory`, most, 250, "MiB"));
    findings.push(same(`${name}: the server lives`, await isAlive(reading), true));
    const open = await fetch(`${reading.url}/metrics`, {
      headers: { authorization: `Bearer ${reading.env.METRICS_TOKEN}` },
    }).then(
      async (answer) => Number(/^http_server_active_requests (\d+)/m.exec(await answer.text())?.[1]),
      () => Number.NaN,
    );
    findings.push(same(`${name}: requests under way after 80 s, with the one that asks`, open, 1));
    for (const socket of sockets) socket.destroy();
  }
  return findings;
}
