import { execFile, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  get as overHttp,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { get as overTls } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../development/cli/free-port.js";
import { temporaryFolder } from "../server/after-use.js";

const tools = [spawnSync("nginx", ["-v"]), spawnSync("openssl", ["version"])];
const isInstalled = tools.every(({ status }) => status === 0);
if (!isInstalled) console.warn("skipped: nginx is not installed (Debian: apt-get install nginx-light openssl)");

const folder = await temporaryFolder();

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly names: number;
  readonly instances: number;
}

/** Starts nginx with the deployed configuration, on other ports and with a certificate of this test. */
async function startProxy(ports: Ports) {
  const [key, certificate, file] = [join(folder, "key"), join(folder, "certificate"), join(folder, "nginx.conf")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"];
  await promisify(execFile)("openssl", [...request, "-keyout", key, "-out", certificate]);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const deployed = await readFile("ops/proxy/nginx.conf", "utf8");
  const config = deployed
    // Each worker looks up addresses by itself, so the requests of a test go to one worker.
    .replace("worker_processes auto;", "worker_processes 1;")
    .replace("http {", `http { access_log off; ${temporary.join(" ")}`)
    .replace("127.0.0.11 valid=2s", `127.0.0.1:${ports.names} valid=1s`)
    .replace("listen 80;", `listen 127.0.0.1:${ports.http};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${ports.https} ssl;`)
    .replace("/run/secrets/tls_certificate;", `${certificate};`)
    .replace("/run/secrets/tls_key;", `${key};`)
    .replace(":3000;", `:${ports.instances};`);
  await writeFile(file, config);
  const options = ["-e", join(folder, "error.log"), "-c", file, "-g", `daemon off; pid ${join(folder, "pid")};`];
  const { stderr } = await promisify(execFile)("nginx", ["-t", ...options]);
  expect(stderr).toContain("test is successful");
  const running = spawn("nginx", options);
  const exited = once(running, "exit");
  onTestFinished(async () => {
    running.kill();
    await exited;
  });
}

/** Answers every question for an address with all of `addresses`. */
async function startNameServer(addresses: Set<string>): Promise<number> {
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const head = Buffer.alloc(12);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(addresses.size, 6);
    const answers = [...addresses].map((found) =>
      Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...found.split(".").map(Number)]),
    );
    const name = question.subarray(12, question.indexOf(0, 12) + 5);
    socket.send(Buffer.concat([head, name, ...answers]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return socket.address().port;
}

const describeRequest: RequestListener = (req, res) =>
  res.end(`${req.socket.localAddress} ${req.headers["x-forwarded-proto"]} ${req.url}`);

async function startInstance(address: string, port: number, answer: RequestListener = describeRequest) {
  const server = createServer(answer);
  server.listen(port, address);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

async function requestOverTls(port: number, path: string) {
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    const options = { rejectUnauthorized: false, agent: false };
    overTls(`https://127.0.0.1:${port}${path}`, options, resolve).on("error", reject);
  });
  const response = await answered;
  return { status: response.statusCode, body: await text(response) };
}

test.skipIf(!isInstalled)("the proxy follows instances to new addresses, past one that is gone, over TLS", async () => {
  const [first, second] = ["127.0.0.2", "127.0.0.3"];
  const addresses = new Set([first]);
  const instance = await startInstance(first, 0);
  const instances = (instance.address() as AddressInfo).port;
  await startInstance(second, instances);
  const [http, https, names] = [await findFreePort(0), await findFreePort(0), await startNameServer(addresses)];
  await startProxy({ http, https, names, instances });
  const request = (path: string) => requestOverTls(https, path);
  const place = async () => (await request("/api/x?y=1").catch(() => ({ body: "" }))).body;
  await expect.poll(place, { timeout: 10_000 }).toBe(`${first} https /api/x?y=1`);
  expect((await request("/metrics")).status).toBe(404);
  const [plain] = (await once(overHttp(`http://127.0.0.1:${http}/a?b=1`), "response")) as [IncomingMessage];
  expect([plain.statusCode, plain.headers.location]).toEqual([308, "https://127.0.0.1/a?b=1"]);
  plain.resume();

  addresses.add(second);
  addresses.delete(first);
  await expect.poll(place, { timeout: 10_000 }).toBe(`${second} https /api/x?y=1`);

  addresses.add(first);
  const answering = async () => (await place()).split(" ")[0];
  await expect.poll(answering, { timeout: 10_000 }).toBe(first);
  instance.close();
  instance.closeAllConnections();
  for (let requests = 0; requests < 6; requests += 1) expect(await answering()).toBe(second);
});

test.skipIf(!isInstalled)("the proxy compresses JSON, and streams of the tutor stay as they are", async () => {
  const instance = await startInstance("127.0.0.2", 0, (req, res) => {
    res.setHeader("content-type", req.url === "/stream" ? "text/event-stream" : "application/json");
    res.end(JSON.stringify({ text: "catalog ".repeat(1_000) }));
  });
  const instances = (instance.address() as AddressInfo).port;
  const [http, https] = [await findFreePort(0), await findFreePort(0)];
  await startProxy({ http, https, names: await startNameServer(new Set(["127.0.0.2"])), instances });
  const answer = async (path: string) => {
    const headers = { "accept-encoding": "gzip" };
    const options = { rejectUnauthorized: false, agent: false, headers };
    const [response] = (await once(overTls(`https://127.0.0.1:${https}${path}`, options), "response")) as [
      IncomingMessage,
    ];
    const encoding = response.headers["content-encoding"];
    const { length } = await text(response);
    return { encoding, isSmall: length < 1_000 };
  };
  await expect
    .poll(() => answer("/api/x").catch(() => null), { timeout: 10_000 })
    .toMatchObject({
      encoding: "gzip",
      isSmall: true,
    });
  expect(await answer("/stream")).toMatchObject({ encoding: undefined, isSmall: false });
});

test.skipIf(!isInstalled)("the proxy holds 400 requests at a time", { timeout: 30_000 }, async () => {
  const waiting: ServerResponse[] = [];
  // Answers when all requests are under way.
  const instance = await startInstance("127.0.0.2", 0, (_req, res) => {
    if (waiting.push(res) === 400) for (const held of waiting) held.end();
  });
  const instances = (instance.address() as AddressInfo).port;
  const [http, https] = [await findFreePort(0), await findFreePort(0)];
  await startProxy({ http, https, names: await startNameServer(new Set(["127.0.0.2"])), instances });
  const isListening = () =>
    requestOverTls(https, "/metrics").then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isListening, { timeout: 10_000 }).toBe(404);

  const answers = await Promise.all(Array.from({ length: 400 }, () => requestOverTls(https, "/api/x")));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});
