import { existsSync } from "node:fs";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, describe, expect, onTestFinished } from "vitest";

const places = [
  process.env.CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const executablePath = places.find((place) => place !== "" && existsSync(place));

/** Declares tests that run in a real browser. It skips them with a note when none is installed. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (executablePath === undefined) {
    process.stdout.write(`No Chromium here, so "${name}" is left out: install chromium, or name one in CHROMIUM\n`);
  }
  describe.skipIf(executablePath === undefined)(name, tests);
}

let browser: Promise<Browser> | undefined;

/** Opens a page in a new session, which closes with its test. `complaints` collects the browser's errors. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page & { complaints: string[] }> {
  browser ??= launch();
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return Object.assign(page, { complaints });
}

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ["--no-sandbox"] });
  afterAll(async () => {
    browser = undefined;
    await launched.close();
  });
  return launched;
}

/** Lists violations of WCAG 2.2 AA that axe-core finds on the page. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The page's policy may forbid inline scripts, so the script is evaluated from outside.
  await page.evaluate(axe.source);
  const found = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";
  const violations = await page.evaluate<AxeResults["violations"]>(found);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
}

/** Returns the number of pixels by which the page scrolls sideways. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Expects an accessible page without sideways scrolling on a phone and on a desk, in dark and light colours. */
export async function expectToFit(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const guise = `${colorScheme}, ${width} pixels`;
      expect([guise, await accessibilityFaults(page), await overflow(page)]).toEqual([guise, [], 0]);
    }
  }
}
