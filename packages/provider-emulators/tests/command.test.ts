import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { order, razorpayFor } from "./payments-client.js";
import { temporaryFolder } from "./start.js";

const COMMAND = fileURLToPath(new URL("../bin/provider-emulators.js", import.meta.url));

/** Runs the command. `printed` resolves with its output after the last variable or at its end. */
function run(...args: string[]): { child: ChildProcess; printed: Promise<string> } {
  const child = spawn(process.execPath, ["-C", "lyceum-source", "--import", "tsx", COMMAND, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = new Promise<string>((resolve) => {
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (bytes: Buffer) => {
        text += bytes;
        if (/_API_URL=.+\n$/.test(text)) resolve(text);
      });
    }
    child.once("exit", () => resolve(text));
  });
  return { child, printed };
}

/** Holds the port until the test ends. Any other holder of the port does as well. */
async function hold(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const holder = createServer().listen(port, "127.0.0.1");
    const held = await Promise.race([once(holder, "listening"), once(holder, "error")]).then(
      () => holder.listening,
      () => false,
    );
    if (held) return onTestFinished(() => void holder.close());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("the command starts what is named, beside ports that are taken, and prints variables that the SDK works with", async () => {
  await hold(3102);
  const { child, printed } = run("--razorpay", "--console-port", "0", "--data", await temporaryFolder());
  const text = await printed;
  expect(text).toMatch(/^# razorpay +http:\/\/127\.0\.0\.1:\d+ \(port 3102 is taken\)$/m);
  expect(text).toMatch(/^# console +http:\/\/127\.0\.0\.1:\d+/m);
  expect(text).not.toContain("CLERK");
  const { id } = await razorpayFor({ env: parseEnv(text) }).orders.create(order);
  expect(id).toMatch(/^order_/);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test.each([
  [["--app", "localhost"], "--app must be an address"],
  [["--clerk-port", "all"], "--clerk-port must be a number"],
])("a flag that cannot be meant is refused: %o", async (flags, message) => {
  const { child, printed } = run(...flags);
  expect(await printed).toContain(message);
  expect(child.exitCode).toBe(1);
});
