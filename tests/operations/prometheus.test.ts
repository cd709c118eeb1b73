import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../development/cli/free-port.js";
import { deliver, paymentEvent } from "../factories/payment-events.js";
import { busyLearner } from "../privacy/busy-learner.js";
import { temporaryFolder } from "../server/after-use.js";
import { startTestServer } from "../server/test-server.js";

const isInstalled = ["prometheus", "promtool"].every((tool) => spawnSync(tool, ["--version"]).status === 0);
if (!isInstalled) console.warn("skipped: Prometheus is not installed (Debian: apt-get install prometheus)");
const withPrometheus = test.skipIf(!isInstalled);

const folder = await temporaryFolder();
const metricsToken = "a-token-of-prometheus";
const server = await startTestServer({ jobs: true, env: { METRICS_TOKEN: metricsToken } });

const promtool = (given: string[]) => promisify(execFile)("promtool", given);

interface Rules {
  readonly data: { readonly groups: { readonly rules: { name: string; health: string; lastError?: string }[] }[] };
}

withPrometheus("promtool accepts the configuration and the alerts, and each alert rings when it should", async () => {
  const config = await promtool(["check", "config", "--syntax-only", "ops/prometheus/prometheus.yaml"]);
  expect(config.stdout).toContain("SUCCESS");
  expect((await promtool(["check", "rules", "ops/prometheus/alerts.yaml"])).stdout).toContain("SUCCESS");
  const tested = await promtool(["test", "rules", "ops/prometheus/alerts.test.yaml"]).catch((failed) => failed);
  expect(`${tested.stdout}${tested.stderr}`).toContain("SUCCESS");
  const names = (text: string, key: RegExp) => new Set([...text.matchAll(key)].map(([, name]) => name));
  const alerts = names(await readFile("ops/prometheus/alerts.yaml", "utf8"), /- alert: (\w+)/g);
  const ringing = names(
    await readFile("ops/prometheus/alerts.test.yaml", "utf8"),
    /alertname: (\w+)\n +exp_alerts:\n/g,
  );
  expect(ringing).toEqual(alerts);
});

const hasAmtool = spawnSync("amtool", ["--version"]).status === 0;

test.skipIf(!hasAmtool)("Alertmanager accepts its configuration, and routes each severity", async () => {
  const amtool = (...args: string[]) => promisify(execFile)("amtool", args);
  const config = "ops/prometheus/alertmanager.yaml";
  expect((await amtool("check-config", config)).stdout).toContain("SUCCESS");
  for (const [severity, receiver] of Object.entries({ page: "pages", ticket: "tickets" })) {
    const { stdout } = await amtool("config", "routes", "test", `--config.file=${config}`, `severity=${severity}`);
    expect(stdout.trim()).toBe(receiver);
  }
});

withPrometheus("promtool finds nothing to say of the metrics", async () => {
  const { body } = await server.get("/metrics", metricsToken);
  const check = spawn("promtool", ["check", "metrics"]);
  const said: Buffer[] = [];
  for (const stream of [check.stdout, check.stderr]) stream.on("data", (piece) => said.push(piece));
  check.stdin.end(body);
  const [code] = await once(check, "close");
  // The library names Node.js's own metrics.
  const lines = String(Buffer.concat(said)).split("\n");
  expect(lines.filter((line) => line !== "" && !/^(nodejs|process)_/.test(line))).toEqual([]);
  expect([0, 3]).toContain(code);
});

withPrometheus("Prometheus scrapes the server, and its panels show what happens", { timeout: 90_000 }, async () => {
  await busyLearner(server);
  await deliver(server, paymentEvent("payment.captured", { id: "pay_unknown", purchaseId: "nothing" }));
  await server.get("/api/course/all");
  const prometheus = await startPrometheus();
  const query = async (expression: string) => {
    const found = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { status, data, error } = (await found.json()) as {
      status: string;
      data: { result: { metric: Record<string, string>; value: [number, string] }[] };
      error?: string;
    };
    expect({ expression, status, error }).toEqual({ expression, status: "success", error: undefined });
    return data.result;
  };
  const isUp = async () => (await query('up{job="lyceum"}'))[0]?.value[1];
  await expect.poll(isUp, { timeout: 30_000, interval: 500 }).toBe("1");
  // A rate needs two scrapes.
  await expect
    .poll(async () => (await query("rate(process_cpu_seconds_total[1m])")).length, { timeout: 20_000 })
    .toBe(1);

  const { panels } = JSON.parse(await readFile("ops/grafana/lyceum.json", "utf8"));
  const empty: string[] = [];
  for (const { title, targets = [] } of panels) {
    for (const { expr } of targets) {
      const result = await query(expr.replaceAll("$__rate_interval", "1m"));
      if (result.length === 0) empty.push(title);
      for (const { metric } of result) expect(Object.keys(metric)).not.toContain("exported_job");
    }
  }
  // Failures, refusals and retries have not happened.
  expect(empty.filter((title) => !/fail|refused|again|runs/i.test(title))).toEqual([]);
  expect((await query("lyceum_job_overdue_seconds")).map(({ metric }) => metric.job_name)).toContain("write-roles");

  const rules = (await (await fetch(`${prometheus}/api/v1/rules`)).json()) as Rules;
  const alerts = rules.data.groups.flatMap((group) => group.rules);
  expect(alerts.length).toBeGreaterThan(10);
  expect(alerts.filter(({ health }) => health === "err")).toEqual([]);
});

/** Starts Prometheus with the deployed configuration on this server. @returns the address of Prometheus. */
async function startPrometheus(): Promise<string> {
  await writeFile(join(folder, "token"), metricsToken);
  const deployed = await readFile("ops/prometheus/prometheus.yaml", "utf8");
  const config = deployed
    .replaceAll(/_interval: \d+s/g, "_interval: 1s")
    .replace("alerts.yaml", resolve("ops/prometheus/alerts.yaml"))
    .replace("/run/secrets/metrics_token", join(folder, "token"))
    .replace(/targets: \["server-1.*/, `targets: ["${new URL(server.url).host}"]`);
  await writeFile(join(folder, "prometheus.yaml"), config);
  const port = await findFreePort(0);
  const running = spawn("prometheus", [
    `--config.file=${join(folder, "prometheus.yaml")}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const exited = once(running, "exit");
  onTestFinished(async () => {
    running.kill();
    await exited;
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 30_000, interval: 200 }).toBe(true);
  return url;
}
