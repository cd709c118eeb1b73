import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { createWebhookSender, type ReceiverAnswer } from "../../../src/providers/webhook-sender.js";
import { startEndpoint } from "../../server/webhook-endpoint.js";

const never = new AbortController().signal;
const inDevelopment = createWebhookSender({ isDevelopment: true });
const inProduction = createWebhookSender({ isDevelopment: false });
const notAllowed: ReceiverAnswer = { status: null, error: "The address is not allowed" };

/** Sends one message to a host whose look-up gives these addresses. */
const sendTo = (addresses: string[], { port = 1 }: { port?: number } = {}) =>
  createWebhookSender({ isDevelopment: true, resolve: async () => addresses }).send(
    { url: `http://endpoint.example:${port}/hook`, headers: {}, body: "{}" },
    never,
  );

test("only https is allowed in production, and http outside it, without credentials", () => {
  expect(inProduction.isAllowed("https://crm.example/hook?tenant=1")).toBe(true);
  expect(inProduction.isAllowed("http://crm.example/hook")).toBe(false);
  expect(inDevelopment.isAllowed("http://crm.example/hook")).toBe(true);
  const withCredentials = ["user:secret", "user", ":secret"].map(
    (credentials) => `https://${credentials}@crm.example/`,
  );
  const others = ["ftp://crm.example", "javascript:alert(1)", "file:///etc/passwd", "crm.example", "https://"];
  for (const url of [...others, ...withCredentials]) {
    expect([url, inDevelopment.isAllowed(url)]).toEqual([url, false]);
  }
});

test("this machine is allowed outside production only", () => {
  for (const host of ["localhost", "api.localhost", "127.0.0.1", "127.8.9.1", "[::1]"]) {
    expect([host, inDevelopment.isAllowed(`http://${host}:3000/`)]).toEqual([host, true]);
    expect([host, inProduction.isAllowed(`https://${host}/`)]).toEqual([host, false]);
  }
});

test.each([
  ["private", ["10.0.0.1", "172.16.3.4", "192.168.1.1", "100.64.0.1", "0.0.0.0", "198.18.0.1"]],
  ["link-local and metadata", ["169.254.169.254", "169.254.1.1", "168.63.129.16", "100.100.100.200", "[fe80::1]"]],
  ["multicast and broadcast", ["224.0.0.1", "239.1.1.1", "255.255.255.255", "[ff02::1]"]],
  ["unique-local", ["[fd00::1]", "[fc00::1]", "[fd00:ec2::254]"]],
  ["IPv4-mapped", ["[::ffff:10.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:8.8.8.8]", "[0:0:0:0:0:ffff:7f00:1]"]],
  ["other IPv6 forms of IPv4", ["[::127.0.0.1]", "[64:ff9b::10.0.0.1]", "[2002:a00:1::]", "[::]"]],
  ["decimal", ["167772161", "2851995905", "10.1", "10.0.1"]],
  ["octal", ["012.0.0.1", "0300.0250.1.1"]],
  ["hexadecimal", ["0xa.0.0.1", "0xa9fea9fe", "0xC0A80101"]],
])("an address is not allowed: %s", async (_kind, hosts) => {
  for (const host of hosts) {
    const url = `http://${host}/`;
    expect([host, inDevelopment.isAllowed(url)]).toEqual([host, false]);
    expect(await inDevelopment.send({ url, headers: {}, body: "{}" }, never)).toEqual(notAllowed);
  }
  expect(inProduction.isAllowed("https://8.8.8.8/")).toBe(true);
  expect(inProduction.isAllowed("https://[2606:4700:4700::1111]/")).toBe(true);
});

test("outside production, localhost reaches a receiver at either address of this machine", async () => {
  const own = Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));
  // A container may have no IPv6.
  for (const host of ["127.0.0.1", "::1"].filter((address) => own.includes(address))) {
    const { port } = await startEndpoint(204, host);
    const sent = await inDevelopment.send({ url: `http://localhost:${port}/`, headers: {}, body: "{}" }, never);
    expect([host, sent.status]).toEqual([host, 204]);
  }
});

test("nothing is sent to a host with a private address beside an allowed one", async () => {
  const { port, connections } = await startEndpoint();
  expect(await sendTo(["127.0.0.1", "10.0.0.1"], { port })).toEqual(notAllowed);
  expect(await sendTo(["127.0.0.1", "::ffff:127.0.0.1"], { port })).toEqual(notAllowed);
  expect(connections()).toBe(0);
});

test("a host that changes its address between check and connect is looked up once, and connected at the checked address", async () => {
  const { port, received } = await startEndpoint();
  const answers = [["127.0.0.1"], ["169.254.169.254"], ["127.0.0.1"]];
  let lookUps = 0;
  const sender = createWebhookSender({
    isDevelopment: true,
    resolve: async () => answers[lookUps++] ?? [],
  });
  const send = () => sender.send({ url: `http://rebinding.example:${port}/hook`, headers: {}, body: "{}" }, never);
  // No resolver of this machine knows the host, so the message can only have gone to the address of the check.
  expect(await send()).toMatchObject({ status: 204, error: null });
  expect(lookUps).toBe(1);
  expect(await send()).toEqual(notAllowed);
  expect(await send()).toMatchObject({ status: 204 });
  expect([lookUps, received.length]).toEqual([3, 2]);
  expect(received[0]?.headers.host).toBe(`rebinding.example:${port}`);
});

test("a redirect is a failure and is not followed", async () => {
  const target = await startEndpoint();
  const { url, received } = await startEndpoint((res) => res.writeHead(307, { location: target.url }).end());
  const result = await inDevelopment.send({ url, headers: {}, body: "{}" }, never);
  expect(result).toMatchObject({ status: 307, error: "Redirects are not followed" });
  expect([received.length, target.connections()]).toEqual([1, 0]);
});

test("8 kB of a long answer are read at most", async () => {
  let written = 0;
  let closed = (): void => undefined;
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const { url } = await startEndpoint((res) => {
    res.on("close", closed);
    res.writeHead(200);
    const piece = Buffer.alloc(64 * 1024);
    const write = (): void => {
      while (written < 100_000_000 && !res.destroyed) {
        written += piece.length;
        if (!res.write(piece)) {
          res.once("drain", write);
          return;
        }
      }
    };
    write();
  });
  expect(await inDevelopment.send({ url, headers: {}, body: "{}" }, never)).toMatchObject({ status: 200, error: null });
  await isClosed;
  // The rest was in the buffers of the two sockets.
  expect(written).toBeLessThan(10_000_000);
});

test("an endpoint that does not answer fails the attempt at its time limit, and a server that stops ends it at once", async () => {
  const { url } = await startEndpoint(() => undefined);
  const impatient = createWebhookSender({ isDevelopment: true, limitMs: 100 });
  const message = { url, headers: {}, body: "{}" };
  expect(await impatient.send(message, never)).toEqual({ status: null, error: "No answer within 0.1 seconds" });
  const stopping = new AbortController();
  const sent = inDevelopment.send(message, stopping.signal);
  stopping.abort(new Error("the server stops"));
  await expect(sent).rejects.toThrow("the server stops");
});

test("a look-up that does not end counts against the time limit", async () => {
  const stuck = createWebhookSender({ isDevelopment: true, limitMs: 50, resolve: () => new Promise(() => undefined) });
  const message = { url: "http://slow.example/", headers: {}, body: "{}" };
  expect(await stuck.send(message, never)).toEqual({ status: null, error: "No answer within 0.05 seconds" });
});

test("other failures are named", async () => {
  expect(await sendTo([])).toEqual({ status: null, error: "The host was not found" });
  expect(await sendTo(["127.0.0.1"], { port: 9 })).toEqual({ status: null, error: "The connection was refused" });
  const { url } = await startEndpoint(503);
  const failed = await inDevelopment.send({ url, headers: {}, body: "{}" }, never);
  expect(failed).toMatchObject({ status: 503, error: "Answered with status 503" });
  const cut = await startEndpoint((res) => res.destroy());
  const result = await inDevelopment.send({ url: cut.url, headers: {}, body: "{}" }, never);
  expect(result).toEqual({ status: null, error: "The connection failed" });
});
