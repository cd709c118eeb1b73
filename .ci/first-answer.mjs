// Starts `npm run dev`, waits for the demo catalog and stops the server. It fails after three minutes.
// Run: node .ci/first-answer.mjs
import { spawn, spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

const windows = process.platform === "win32";
const port = process.env.PORT ?? "3000";
const started = performance.now();
const server = spawn("npm run dev", { shell: true, detached: !windows, stdio: ["ignore", "inherit", "inherit"] });
let hasEnded = false;
server.on("exit", () => {
  hasEnded = true;
});

/** Returns the courses of the catalog, or undefined until the server answers. */
async function readCatalog() {
  const reply = await fetch(`http://127.0.0.1:${port}/api/course/all`).catch(() => undefined);
  return reply?.ok ? (await reply.json()).courses : undefined;
}

function stop() {
  if (hasEnded) return;
  if (windows) spawnSync("taskkill", ["/pid", String(server.pid), "/T", "/F"]);
  else process.kill(-server.pid, "SIGTERM");
}

let courses;
while (!courses?.length && !hasEnded && performance.now() - started < 180_000) {
  courses = await readCatalog();
  await delay(250);
}
stop();
const seconds = ((performance.now() - started) / 1000).toFixed(1);
if (!courses?.length) throw new Error(`No catalog after ${seconds} s`);
console.log(`First answer after ${seconds} s: ${courses.length} course(s)`);
