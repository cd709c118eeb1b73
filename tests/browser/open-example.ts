import type { Page } from "playwright-core";
import { createServer } from "vite";
import { onTestFinished, vi } from "vitest";
import { findFreePort } from "../../development/cli/free-port.js";
import { announceServer } from "../../development/running-server.js";
import { temporaryFolder } from "../server/after-use.js";
import { type SignedIn, startTestServer, type TestServer } from "../server/test-server.js";
import { openPage } from "./chromium.js";

/** A picture that needs no network. */
export const quiet = { courseThumbnail: "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" };

/** Opens the example page on its own origin, with a server that allows that origin. */
export async function openExample() {
  const port = await findFreePort(0);
  const FRONTEND_URL = `http://localhost:${port}`;
  const server = await startTestServer({ env: { FRONTEND_URL }, jobs: true });
  const { clerk, razorpay } = server.emulators;
  const dataDir = await temporaryFolder();
  await announceServer(dataDir, {
    url: server.url,
    frontendOrigin: FRONTEND_URL,
    emulators: Object.entries({ clerk, razorpay }).map(([provider, on]) => ({ provider, address: on?.url ?? "" })),
    variables: {},
  });
  vi.stubEnv("DATA_DIR", dataDir);
  const vite = await createServer({ root: "examples/spa", logLevel: "error", server: { port, hmr: false } });
  vi.unstubAllEnvs();
  await vite.listen();
  onTestFinished(() => vite.close());
  const page = await openPage();
  return { page, server, url: FRONTEND_URL };
}

/** Signs a new user up with the identity provider, so that the page offers them. */
export async function newcomer(server: TestServer, name: string, role?: "educator"): Promise<SignedIn> {
  const user = await server.signedIn(role, name);
  await server.emulators.clerk?.createUser({ id: user.id, firstName: name, ...(role && { publicMetadata: { role } }) });
  return user;
}

/** Signs in on the page, in place of the user who is signed in. */
export async function signIn(page: Page, name: string): Promise<void> {
  const account = page.getByLabel(/^Account of /);
  if (await account.isVisible()) {
    await account.click();
    await page.getByRole("button", { name: "Switch user" }).click();
  } else await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await page.getByLabel(`Account of ${name}`).waitFor();
}
