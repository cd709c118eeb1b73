import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { providerEmulators } from "../web/vite/plugin.js";

/** What the plugin makes of an application beside a server with these rows. */
async function applied(running?: object) {
  const root = await mkdtemp(join(tmpdir(), "application-"));
  onTestFinished(() => rm(root, { recursive: true }));
  if (running) await writeFile(join(root, "running.json"), JSON.stringify(running));
  const plugin: any = providerEmulators({ dataDir: "." });
  const config = plugin.config({ root });
  const html = plugin.transformIndexHtml.handler("https://checkout.razorpay.com/v1/checkout.js");
  return { html, packages: config.resolve.alias.length, variables: Object.keys(config.define).sort() };
}

const server = { url: "http://localhost:3000", frontendOrigin: "http://localhost:5173", variables: {} };

test("without a server the usual addresses hold, and the key of the checkout is the application's", async () => {
  expect(await applied()).toEqual({
    html: "http://127.0.0.1:3102/v1/checkout.js",
    packages: 2,
    variables: [
      "import.meta.env.VITE_API_URL",
      "import.meta.env.VITE_BACKEND_URL",
      "import.meta.env.VITE_CLERK_API_URL",
      "import.meta.env.VITE_CLERK_PUBLISHABLE_KEY",
    ],
  });
});

test("providers that the server uses for real stay real, and the address of its console is known", async () => {
  const console = "http://127.0.0.1:3100";
  const emulators = ["clerk", "razorpay"].map((provider) => ({ provider, kind: "real", address: "https://x.example" }));
  expect(await applied({ ...server, console, emulators })).toEqual({
    html: "https://checkout.razorpay.com/v1/checkout.js",
    packages: 0,
    variables: ["API", "BACKEND", "CONSOLE"].map((name) => `import.meta.env.VITE_${name}_URL`),
  });
});
