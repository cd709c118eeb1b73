import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";

// Needs a package registry and a minute, so it runs on request: npm run test:packages.

const run = promisify(execFile);

/** An application in an empty folder, with the packed package and other packages installed. */
async function applicationWith(folder: string, others: readonly string[], files: Readonly<Record<string, string>>) {
  const app = await mkdtemp(join(tmpdir(), "lyceum-application-"));
  onTestFinished(() => rm(app, { recursive: true, force: true }));
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", app], { cwd: resolve(folder) });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  await writeFile(join(app, "package.json"), '{ "type": "module", "private": true }');
  await run("npm", ["install", "--no-audit", "--no-fund", `./${filename}`, ...others], { cwd: app, env });
  for (const [name, text] of Object.entries(files)) await writeFile(join(app, name), text);
  return {
    /** Runs a command in the folder, with this process's Node.js. Returns its output. */
    async run(command: string, ...args: string[]): Promise<string> {
      const done = await run(command, args, { cwd: app, env }).catch((error) => {
        throw new Error(`${command} ${args.join(" ")}: ${error.stdout}${error.stderr}`);
      });
      return done.stdout;
    },
  };
}

/** The blocks of code under a heading. */
async function readmeCode(folder: string, heading: string): Promise<string[]> {
  const [, after = ""] = (await readFile(`${folder}/README.md`, "utf8")).split(`\n${heading}\n`);
  const [section = ""] = after.split(/\n##+ /);
  const blocks = [...section.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  expect(blocks.length, `${heading} of ${folder}`).toBeGreaterThan(0);
  return blocks;
}

const tools = ["typescript@5", "@types/node@20", "vitest@4"];
const strict = ["tsc", "--strict", "--noEmit", "--target", "es2022"];
const nodenext = [...strict, "--module", "nodenext", "--moduleResolution", "nodenext"];
const bundler = [...strict, "--module", "preserve", "--moduleResolution", "bundler"];

describe.runIf(process.env.PACKAGES)(
  `in an empty folder, on Node ${process.versions.node}`,
  { timeout: 300_000 },
  () => {
    test("the embedded database serves the newest driver, by its README", async () => {
      const folder = "packages/embedded-mongo";
      const [setup = ""] = await readmeCode(folder, "### vitest and Jest");
      const [inNode = ""] = await readmeCode(folder, "### node --test");
      const [fromCode = ""] = await readmeCode(folder, "## From code");
      const insert = `
  const Course = mongoose.model("Course", new mongoose.Schema({ title: String }));
  await Course.create({ title: "Rust" });
  assert.equal((await Course.findOne({ title: "Rust" })).title, "Rust");`;
      const imports = `import assert from "node:assert/strict";\nimport mongoose from "mongoose";\n`;
      const app = await applicationWith(folder, ["mongodb@latest", "mongoose@latest", ...tools], {
        "global-setup.mjs": setup,
        "vitest.config.mjs": `export default { test: { globalSetup: "./global-setup.mjs", include: ["vi.test.mjs"] } };`,
        "vi.test.mjs": `${imports}import { afterAll, beforeAll, test } from "vitest";
beforeAll(() => mongoose.connect(process.env.MONGODB_URI, { dbName: "courses" }));
afterAll(() => mongoose.disconnect());
test("a course", async () => {${insert}\n});`,
        "node.test.mjs": inNode,
        "code.ts": `import mongoose from "mongoose";\n${fromCode}`,
      });
      await app.run("npx", "vitest", "run");
      await app.run(process.execPath, "--test", "node.test.mjs");
      await app.run("npx", ...nodenext, "code.ts");
      await app.run("npx", ...bundler, "code.ts");
      expect(await app.run("npx", "@lyceum/embedded-mongo", "--help")).toContain("--port");
    });

    test("the emulators serve the real SDK, by their README", async () => {
      const folder = "packages/provider-emulators";
      const [example = ""] = await readmeCode(folder, "## In tests");
      const application = createServer((_req, res) => res.end());
      await once(application.listen(0), "listening");
      const { port } = application.address() as AddressInfo;
      onTestFinished(() => void application.close());
      const inTest = `test("a payment", () => import("./example.mjs"));`;
      const app = await applicationWith(folder, ["razorpay@2", ...tools], {
        "example.mjs": example.replace("localhost:3000", `localhost:${port}`),
        "vi.test.mjs": `import { test } from "vitest";\n${inTest}`,
        "node.test.mjs": `import { test } from "node:test";\n${inTest}`,
        "code.ts": example.replace("razorpay.api.", "// @ts-expect-error: not in the types\nrazorpay.api."),
      });
      await app.run("npx", "vitest", "run", "vi.test.mjs");
      await app.run(process.execPath, "--test", "node.test.mjs");
      await app.run("npx", ...nodenext, "code.ts");
      await app.run("npx", ...bundler, "code.ts");
      expect(await app.run("npx", "@lyceum/provider-emulators", "--help")).toContain("--clerk");
    });

    test("the certificates compile without other types, by their README", async () => {
      const folder = "packages/certificate-pdf";
      const [, example = ""] = /```ts\n(.*?)```/s.exec(await readFile(`${folder}/README.md`, "utf8")) ?? [];
      const draw = `import { createSheet } from "@lyceum/certificate-pdf";
const sheet = createSheet(createBrand({ name: "Lyceum", color: "#0f766e" }), "Sheet", new Date());
// @ts-expect-error: the types of pdfkit are known
sheet.doc.rect("left");`;
      const app = await applicationWith(folder, tools.slice(0, 2), { "code.ts": `${example}${draw}` });
      await app.run("npx", ...nodenext, "--types", "node", "code.ts");
      await app.run("npx", ...bundler, "code.ts");
    });

    test("the client is a module of Node.js and of vitest", async () => {
      const use = `const { data, error } = await listCourses({ baseUrl: "http://127.0.0.1:9" }).catch((error) => ({ error }));
  assert.ok(error && !data);`;
      const head = `import assert from "node:assert/strict";\nimport { listCourses } from "@lyceum/client";\n`;
      const app = await applicationWith("client", tools, {
        "vi.test.mjs": `${head}import { test } from "vitest";\ntest("a call", async () => {${use}\n});`,
        "node.test.mjs": `${head}import { test } from "node:test";\ntest("a call", async () => {${use}\n});`,
      });
      await app.run("npx", "vitest", "run", "vi.test.mjs");
      await app.run(process.execPath, "--test", "node.test.mjs");
    });
  },
);
