import { verifyToken } from "@clerk/express";
import { expect, test } from "vitest";
import { announceServer } from "../../development/running-server.js";
import { startedEmulators } from "../../packages/provider-emulators/tests/start.js";
import { findDevelopmentServer, joinDevelopmentServer } from "../../src/cli/development-server.js";
import { startWebServer, temporaryFolder } from "../server/after-use.js";
import { runCommand } from "../server/compiled.js";

const variables = { MONGODB_URI: "mongodb://127.0.0.1:1/lyceum", RAZORPAY_API_URL: "http://127.0.0.1:2" };
const DATA_DIR = await temporaryFolder();
const { url } = await startWebServer((_req, res) => res.end("{}"));

/** Announces a server of this folder. @returns a function that withdraws it. */
const announce = (given: { url?: string; variables?: Record<string, string> } = {}) =>
  announceServer(DATA_DIR, { url, frontendOrigin: "http://localhost:5173", emulators: [], variables, ...given });

const joined = async (env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> => {
  const given = { ...env };
  await joinDevelopmentServer(given);
  return given;
};

test("a command with no providers of its own works on the running development server", async () => {
  const withdraw = await announce();
  expect(await joined({ DATA_DIR })).toEqual({ DATA_DIR, ...variables });
  await withdraw();
});

test("a command for other providers reaches no emulator by accident", async () => {
  const withdraw = await announce();
  for (const own of [{ MONGODB_URI: "mongodb://db.example/lyceum" }, { RAZORPAY_API_URL: "https://pay.example" }]) {
    expect(await joined({ DATA_DIR, ...own })).toEqual({ DATA_DIR, ...own });
  }
  expect(await joined({ DATA_DIR, NODE_ENV: "production" })).toEqual({ DATA_DIR, NODE_ENV: "production" });
  expect(await joined({ DATA_DIR: "/nowhere" })).toEqual({ DATA_DIR: "/nowhere" });
  await withdraw();
});

test("a development server that ended, gracefully or not, is not joined", async () => {
  const withdraw = await announce({ url: "http://127.0.0.1:1" });
  expect(await joined({ DATA_DIR })).toEqual({ DATA_DIR });
  await withdraw();
  expect(await findDevelopmentServer({ DATA_DIR })).toBeUndefined();
});

test("a port that something silent has taken meanwhile is no development server", async () => {
  const silent = await startWebServer(() => undefined);
  const withdraw = await announce({ url: silent.url });
  expect(await joined({ DATA_DIR })).toEqual({ DATA_DIR });
  await withdraw();
});

test("a command that wants the development server says in one line that none runs", async () => {
  const stderr =
    "No development server runs on the folder /nowhere: start one with npm run dev, or set DATA_DIR=<folder>\n";
  expect(await runCommand("development/cli/tour.ts", [], { DATA_DIR: "/nowhere" })).toEqual({
    code: 1,
    stdout: "",
    stderr,
  });
});

test("a command prints a session token of the running development server, and nothing else", async () => {
  const emulators = await startedEmulators();
  const withdraw = await announce({ variables: emulators.env });
  for (const id of ["user_1", "user_2"]) await emulators.clerk?.createUser({ id, webhook: false });
  const command = (...given: string[]) => runCommand("development/cli/token.ts", given, { DATA_DIR });
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

test.each([
  ...["src/cli/migrate.ts", "ops/certificate.ts", "ops/reconcile/reconcile.ts", "ops/recount/recount.ts"],
  ...["dev", "cli/seed", "cli/token", "cli/tour"].map((name) => `development/${name}.ts`),
])("%s prints its usage with --help", async (program) => {
  const stdout = expect.stringMatching(/^Usage: npm run /);
  expect(await runCommand(program, ["--help"], { DATA_DIR })).toEqual({ code: 0, stdout, stderr: "" });
});

test("a command refuses an unknown option with its usage", async () => {
  const stderr = expect.stringMatching(/^Unknown option '--nope'.*\nUsage: npm run /);
  expect(await runCommand("development/cli/token.ts", ["--nope"], { DATA_DIR })).toEqual({
    code: 1,
    stdout: "",
    stderr,
  });
});
