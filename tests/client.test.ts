import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts")).sort();
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), "utf8")])),
  );
}

test("the client is what `npm run client` makes of openapi.json", { timeout: 120_000 }, async () => {
  const CLIENT_OUTPUT = await mkdtemp(join(tmpdir(), "client-"));
  onTestFinished(() => rm(CLIENT_OUTPUT, { recursive: true }));
  await run("npm", ["run", "client"], { env: { ...process.env, CLIENT_OUTPUT } });
  const [fresh, kept] = await Promise.all([contentsOf(CLIENT_OUTPUT), contentsOf("client/src")]);
  expect(Object.keys(kept)).toEqual(Object.keys(fresh));
  for (const [file, text] of Object.entries(fresh))
    expect(kept[file] === text, `${file}: run npm run client`).toBe(true);
});

test("the client compiles under strict rules and needs nothing but fetch", { timeout: 120_000 }, async () => {
  const outDir = await mkdtemp(join(tmpdir(), "client-"));
  onTestFinished(() => rm(outDir, { recursive: true }));
  await run(process.execPath, [
    "node_modules/typescript/bin/tsc",
    ...["-p", "client/tsconfig.json", "--outDir", outDir],
  ]);
  const { dependencies = {} } = JSON.parse(await readFile("client/package.json", "utf8"));
  expect(dependencies).toEqual({});
  const { client, getCourseAll } = await import(join(outDir, "index.js"));
  const asked: string[] = [];
  const fetch = async (request: Request) => {
    asked.push(`${request.method} ${request.url}`);
    return Response.json({ success: true, courses: [] });
  };
  client.setConfig({ baseUrl: "http://localhost:3000", fetch });
  expect((await getCourseAll()).data).toEqual({ success: true, courses: [] });
  expect(asked).toEqual(["GET http://localhost:3000/api/course/all"]);
});
