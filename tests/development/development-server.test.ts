import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyToken } from "@clerk/express";
import { beforeAll, expect, test } from "vitest";
import { startedEmulators } from "../../packages/provider-emulators/tests/start.js";
import { announceServer, findDevelopmentServer, joinDevelopmentServer } from "../../src/cli/development-server.js";
import { runCommand } from "../server/compiled.js";

const variables = { MONGODB_URI: "mongodb://127.0.0.1:1/lyceum", RAZORPAY_API_URL: "http://127.0.0.1:2" };
const healthy = createServer((_req, res) => res.end("{}"));
let url: string;
let DATA_DIR: string;
beforeAll(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), "lyceum-development-"));
  await new Promise<void>((resolve) => healthy.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(healthy.address() as AddressInfo).port}`;
  await announceServer(DATA_DIR, { url, frontendOrigin, emulators: [], variables });
  return async () => {
    healthy.close();
    healthy.closeAllConnections();
    await rm(DATA_DIR, { recursive: true });
  };
});

const joined = async (env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> => {
  const given = { ...env };
  await joinDevelopmentServer(given);
  return given;
};

const frontendOrigin = "http://localhost:5173";

test("a command with no providers of its own works on the running development server", async () => {
  expect(await joined({ DATA_DIR })).toEqual({ DATA_DIR, ...variables });
});

test("a command for other providers reaches no emulator by accident", async () => {
  for (const own of [{ MONGODB_URI: "mongodb://db.example/lyceum" }, { RAZORPAY_API_URL: "https://pay.example" }]) {
    expect(await joined({ DATA_DIR, ...own })).toEqual({ DATA_DIR, ...own });
  }
  expect(await joined({ DATA_DIR, NODE_ENV: "production" })).toEqual({ DATA_DIR, NODE_ENV: "production" });
  expect(await joined({ DATA_DIR: "/nowhere" })).toEqual({ DATA_DIR: "/nowhere" });
});

test("a development server that ended, gracefully or not, is not joined", async () => {
  const withdraw = await announceServer(DATA_DIR, {
    url: "http://127.0.0.1:1",
    frontendOrigin,
    emulators: [],
    variables,
  });
  expect(await joined({ DATA_DIR })).toEqual({ DATA_DIR });
  await withdraw();
  expect(await findDevelopmentServer({ DATA_DIR })).toBeUndefined();
});

test("a port that something silent has taken meanwhile is no development server", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const withdraw = await announceServer(DATA_DIR, {
    url: `http://127.0.0.1:${port}`,
    frontendOrigin,
    emulators: [],
    variables,
  });
  expect(await joined({ DATA_DIR })).toEqual({ DATA_DIR });
  await withdraw();
  silent.close();
  silent.closeAllConnections();
});

test("a command that wants the development server says in one line that none runs", async () => {
  const stderr =
    "No development server runs on the folder /nowhere: start one with npm run dev, or set DATA_DIR=<folder>\n";
  expect(await runCommand("src/cli/tour.ts", [], { DATA_DIR: "/nowhere" })).toEqual({ code: 1, stdout: "", stderr });
});

test("a command prints a session token of the running development server, and nothing else", async () => {
  const emulators = await startedEmulators();
  const withdraw = await announceServer(DATA_DIR, { url, frontendOrigin, emulators: [], variables: emulators.env });
  for (const id of ["user_1", "user_2"]) await emulators.clerk?.createUser({ id, webhook: false });
  const command = (...given: string[]) => runCommand("src/cli/token.ts", given, { DATA_DIR });
  const printed = async (...given: string[]) => (await command(...given)).stdout.trim();
  const keys = { jwtKey: emulators.env.CLERK_JWT_KEY ?? "" };
  expect(await verifyToken(await printed("user_1"), keys)).toMatchObject({ sub: "user_1" });
  const claims = { sub: "user_2", metadata: { role: "educator" } };
  expect(await verifyToken(await printed("user_2", "educator"), keys)).toMatchObject(claims);
  expect(await command()).toMatchObject({ code: 1, stderr: "Usage: npm run -s token -- <user id> [<role>]\n" });
  const unknown = expect.stringMatching(/^There is no user user_nope\./);
  expect(await command("user_nope")).toEqual({ code: 1, stdout: "", stderr: unknown });
  await withdraw();
});

test.each(["../dev", "certificate", "migrate", "reconcile", "recount", "seed", "token", "tour"])(
  "%s prints its usage with --help, and refuses an unknown option with it",
  async (name) => {
    const command = (option: string) => runCommand(`src/cli/${name}.ts`, [option], { DATA_DIR });
    const usage = expect.stringMatching(/^Usage: npm run /);
    expect(await command("--help")).toEqual({ code: 0, stdout: usage, stderr: "" });
    const refusal = expect.stringMatching(/^Unknown option '--nope'.*\nUsage: npm run /);
    expect(await command("--nope")).toEqual({ code: 1, stdout: "", stderr: refusal });
  },
);
