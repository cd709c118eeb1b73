import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { joinDevelopmentServer } from "../../src/process.js";

const variables = { MONGODB_URI: "mongodb://127.0.0.1:1/lyceum", RAZORPAY_API_URL: "http://127.0.0.1:2" };
let DATA_DIR: string;
beforeAll(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), "lyceum-join-"));
  await writeFile(join(DATA_DIR, "running.json"), JSON.stringify({ variables }));
  return () => rm(DATA_DIR, { recursive: true });
});

const joined = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const given = { ...env };
  joinDevelopmentServer(given);
  return given;
};

test("a command with no collaborators of its own works on the running development server", () => {
  expect(joined({ DATA_DIR })).toEqual({ DATA_DIR, ...variables });
});

test("a command for other collaborators reaches no stand-in by accident", () => {
  for (const own of [{ MONGODB_URI: "mongodb://db.example/lyceum" }, { RAZORPAY_API_URL: "https://pay.example" }]) {
    expect(joined({ DATA_DIR, ...own })).toEqual({ DATA_DIR, ...own });
  }
  expect(joined({ DATA_DIR, NODE_ENV: "production" })).toEqual({ DATA_DIR, NODE_ENV: "production" });
  expect(joined({ DATA_DIR: "/nowhere" })).toEqual({ DATA_DIR: "/nowhere" });
});
