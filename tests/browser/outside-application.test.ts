import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { useAuth, useSession, useUser } from "@clerk/react";
import { startEmulators } from "@lyceum/provider-emulators";
import { build, createServer } from "vite";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../development/cli/free-port.js";
import { temporaryFolder } from "../server/after-use.js";
import { describeInBrowser, openPage } from "./chromium.js";

const emulatorsPackage = resolve("packages/provider-emulators");

/** An application that knows the providers only: its sources name no emulator. */
const sources = {
  "index.html": `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><div id="root"></div>
<script src="https://checkout.razorpay.com/v1/checkout.js"></script>
<script type="module" src="/main.jsx"></script></html>`,
  "main.jsx": `import { ClerkProvider } from "@clerk/react";
import { createRoot } from "react-dom/client";
import { App } from "./app.jsx";
const { VITE_CLERK_PUBLISHABLE_KEY, VITE_BACKEND_URL, VITE_SHOP_KEY } = import.meta.env;
window.settings = [VITE_BACKEND_URL, VITE_SHOP_KEY];
createRoot(document.getElementById("root")).render(
  <ClerkProvider publishableKey={VITE_CLERK_PUBLISHABLE_KEY}><App /></ClerkProvider>);`,
  "app.jsx": `import { SignInButton, UserButton, useAuth, useClerk, useSession, useUser } from "@clerk/react";
import { useEffect, useState } from "react";
window.effects = {};
const fieldsOf = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Object.keys(value).sort()]));
const useCounted = (name, value) =>
  useEffect(() => void (window.effects[name] = (window.effects[name] ?? 0) + 1), [value]);
export function App() {
  const [renders, setRenders] = useState(0);
  window.fields = fieldsOf({ useUser: useUser(), useAuth: useAuth(), useSession: useSession() });
  const { user } = useUser();
  const { isSignedIn, getToken, signOut, has } = useAuth();
  const { session } = useSession();
  const clerk = useClerk();
  for (const [name, value] of Object.entries({ user, getToken, signOut, has, session, clerk,
    openSignIn: clerk.openSignIn, clerkSignOut: clerk.signOut })) useCounted(name, value);
  const loadCheckout = () => {
    const script = document.createElement("script");
    script.src = "https://checkout.razorpay.com/v1/checkout.js";
    script.onload = () => document.body.append("Checkout is loaded again");
    document.body.append(script);
  };
  return <main>
    <button onClick={() => setRenders(renders + 1)}>Rendered {renders}</button>
    <button onClick={loadCheckout}>Load the checkout</button>
    {isSignedIn === false && <SignInButton mode="modal"><button className="own">Enter</button></SignInButton>}
    <UserButton />{user && <p>Hello {user.fullName}, {user.primaryEmailAddress.emailAddress}</p>}
  </main>;
}`,
};
/** The compiler compares the fields with the provider's types. */
type Fields<Result> = Record<Result extends unknown ? keyof Result : never, true>;
const auth: Fields<ReturnType<typeof useAuth>> = {
  isLoaded: true,
  isSignedIn: true,
  userId: true,
  sessionId: true,
  sessionClaims: true,
  actor: true,
  orgId: true,
  orgRole: true,
  orgSlug: true,
  has: true,
  getToken: true,
  signOut: true,
};
const user: Fields<ReturnType<typeof useUser>> = { isLoaded: true, isSignedIn: true, user: true };
const session: Fields<ReturnType<typeof useSession>> = { isLoaded: true, isSignedIn: true, session: true };
const fields = {
  useAuth: Object.keys(auth).sort(),
  useUser: Object.keys(user).sort(),
  useSession: Object.keys(session).sort(),
};

const configuration = (options: object) => `import { providerEmulators } from "@lyceum/provider-emulators/vite";
export default { plugins: [providerEmulators(${JSON.stringify(options)})] };`;

const folder = await temporaryFolder();
const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
const [packed] = JSON.parse(execFileSync("npm", pack, { cwd: emulatorsPackage, encoding: "utf8" }));
const port = await findFreePort(0);
const url = `http://localhost:${port}`;
const emulators = await startEmulators({ clerk: true, razorpay: true, frontendUrl: url });
afterAll(() => emulators.close());
await emulators.clerk.createUser({ firstName: "Asha", lastName: "Rao", email: "asha@example.com" });

/** Describes the emulators as a development server does. */
const running = () => ({
  url: "http://localhost:3999",
  emulators: (["clerk", "razorpay"] as const).map((provider) => ({ provider, address: emulators[provider]?.url })),
  variables: emulators.env,
});

/** Writes the application into a folder outside the workspace, with the package unpacked or linked. */
async function writeApplication(
  from: "installed" | "linked",
  options: object = {},
  identityPackage = "@clerk/react",
): Promise<string> {
  const root = await mkdtemp(join(folder, "application-"));
  for (const [name, text] of Object.entries(sources)) {
    await writeFile(join(root, name), text.replace("@clerk/react", identityPackage));
  }
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(root, ".env"),
    "VITE_BACKEND_URL=https://backend.example\nVITE_CLERK_PUBLISHABLE_KEY=pk_live_eA==\n",
  );
  await writeFile(join(root, "vite.config.js"), configuration({ env: { VITE_SHOP_KEY: "razorpayKeyId" }, ...options }));
  for (const name of ["react", "react-dom", "@clerk/react"]) {
    const place = join(root, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(resolve("node_modules", name), place);
  }
  const place = join(root, "node_modules/@lyceum/provider-emulators");
  await mkdir(dirname(place), { recursive: true });
  if (from === "linked") await symlink(emulatorsPackage, place);
  else {
    await mkdir(place);
    execFileSync("tar", ["-xzf", join(folder, packed.filename), "-C", place, "--strip-components=1"]);
  }
  await mkdir(join(root, ".data"));
  return root;
}

/** Serves the application, beside a development server when one is described. */
async function serve(root: string, development?: object) {
  if (development) await writeFile(join(root, ".data/running.json"), JSON.stringify(development));
  const vite = await createServer({ root, logLevel: "error", server: { port, strictPort: true, hmr: false } });
  await vite.listen();
  onTestFinished(() => vite.close());
}

describeInBrowser("an application outside the workspace", () => {
  test.each([
    ["installed", "@clerk/react"],
    ["linked", "@clerk/clerk-react"],
  ] as const)("runs on the emulators, unchanged, with the package %s and %s", async (from, identityPackage) => {
    const root = await writeApplication(from, {}, identityPackage);
    await serve(root, running());
    const page = await openPage();
    const strangers: string[] = [];
    page.on("request", (request) => {
      if (!["localhost", "127.0.0.1"].includes(new URL(request.url()).hostname)) strangers.push(request.url());
    });
    await page.goto(url);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByRole("button", { name: "Asha Rao (student)" }).click();
    await page.getByText("Hello Asha Rao, asha@example.com").waitFor();
    expect(await page.evaluate("settings")).toEqual(["http://localhost:3999", emulators.env.RAZORPAY_KEY_ID]);
    expect(await page.evaluate("typeof window.Razorpay")).toBe("function");
    await page.getByRole("button", { name: "Load the checkout" }).click();
    await page.getByText("Checkout is loaded again").waitFor();
    expect(strangers).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  test("the hooks return the fields of the provider's types, which stay identical from one render to the next", async () => {
    await serve(await writeApplication("installed"), running());
    const page = await openPage();
    await page.goto(url);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByRole("button", { name: "Asha Rao (student)" }).click();
    await page.getByText("Hello Asha Rao").waitFor();
    const effects = await page.evaluate<Record<string, number>>("({ ...effects })");
    expect(await page.evaluate("fields")).toEqual(fields);
    // Loading, signed out, signed in. Functions and the object of the provider never change.
    expect(effects).toMatchObject({ user: 3, session: 3, getToken: 1, signOut: 1, has: 1, clerk: 1, openSignIn: 1 });
    for (let renders = 0; renders < 5; renders += 1) {
      await page.getByRole("button", { name: `Rendered ${renders}` }).click();
    }
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate("effects")).toEqual(effects);
  });

  test("finds a development server that starts later", async () => {
    const root = await writeApplication("linked");
    await serve(root);
    const page = await openPage();
    await page.goto(url);
    expect(await page.evaluate("settings[0]")).toBe("http://localhost:3000");
    // The second server replaces the first.
    for (const backend of ["http://localhost:3998", "http://localhost:3999"]) {
      await writeFile(join(root, ".data/running.json"), JSON.stringify({ ...running(), url: backend }));
      const setting = () => page.goto(url).then(() => page.evaluate("settings[0]"));
      await expect.poll(setting).toBe(backend);
    }
  });
});

test.each([
  ["a build uses the providers", {}, "https://checkout.razorpay.com/v1/checkout.js", "https://backend.example"],
  ["a build uses the emulators on demand", { build: true }, "/v1/checkout.js", "http://localhost:3000"],
])("%s", async (_name, options, checkout, backend) => {
  const root = await writeApplication("installed", options);
  await build({ root, logLevel: "error", build: { minify: false } });
  const [script = ""] = await readdir(join(root, "dist/assets"));
  const text =
    (await readFile(join(root, "dist/assets", script), "utf8")) +
    (await readFile(join(root, "dist/index.html"), "utf8"));
  expect([text.includes("provider-emulators:user"), text.includes("https://checkout.razorpay.com")]).toEqual(
    "build" in options ? [true, false] : [false, true],
  );
  expect([text.includes(checkout), text.includes(backend)]).toEqual([true, true]);
});
