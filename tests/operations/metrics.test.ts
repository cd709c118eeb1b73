import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Types } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { commandsDuring } from "../assertions/commands.js";
import { deliver, paymentEvent } from "../factories/payment-events.js";
import { unpaidPurchase } from "../factories/purchases.js";
import { busyLearner } from "../privacy/busy-learner.js";
import { startDatabaseProxy } from "../server/database-proxy.js";
import { paymentsOf } from "../server/emulators.js";
import { reconcile } from "../server/payment-jobs.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "counts commands, and runs jobs over all payments" });
/** Maps each metric to its labels. */
const exposed = new Map<string, Set<string>>();

beforeAll(async () => {
  await busyLearner(server);
  await deliver(server, paymentEvent("payment.captured", { id: "pay_unknown", purchaseId: "nothing" }));
  const { body } = await server.get("/metrics");
  for (const [, name = ""] of String(body).matchAll(/^# TYPE (\w+) /gm)) exposed.set(name, new Set());
  for (const [, sample = "", labels = ""] of String(body).matchAll(/^(\w+)(?:\{([^}]*)\})? /gm)) {
    const name = exposed.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, "");
    for (const [, label = ""] of labels.matchAll(/(\w+)=/g)) exposed.get(name)?.add(label);
  }
});

/** Metrics of Prometheus itself, and metrics that appear with their first event. */
const own = new Set([
  "lyceum_purchases_reconciled_total",
  "lyceum_backup_completed_timestamp_seconds",
  "up",
  "lyceum_payment_retries_total",
  "lyceum_mails_total",
  "lyceum_job_duration_seconds",
]);

function expectKnown(expression: string): void {
  const names = [...expression.matchAll(/\b((?:lyceum|http|db|nodejs|process|up)(?:_\w+)?)\b(?=[{[)\s]|$)/g)];
  expect(names.length, expression).toBeGreaterThan(0);
  for (const [, name = ""] of names) {
    const metric = exposed.has(name) || own.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "");
    expect(exposed.has(metric) || own.has(metric), `${name} in ${expression}`).toBe(true);
  }
}

test("every metric of the dashboard is one of the server's", () => {
  const { panels } = JSON.parse(readFileSync("ops/grafana/lyceum.json", "utf8"));
  expect(panels.length).toBeGreaterThan(30);
  for (const { targets = [] } of panels) for (const { expr } of targets) expectKnown(expr);
});

test("every metric of the alerts is one of the server's, and each alert says what to do", () => {
  const rules = readFileSync("ops/prometheus/alerts.yaml", "utf8")
    .split(/^ +- alert: /m)
    .slice(1);
  expect(rules.length).toBeGreaterThan(10);
  for (const rule of rules) {
    const [, expression = ""] = /expr: (?:\|\n)?([\s\S]*?)\n {8}(?:for|labels):/.exec(rule) ?? [];
    if (!/\b(redis|mongodb)_/.test(expression)) expectKnown(expression);
    expect(rule).toMatch(/summary: ".+"\n +action: ".+"/);
    const [, job] = /job_name="([\w-]+)"/.exec(expression) ?? [];
    if (job) expect(jobs()).toContain(job);
  }
});

const jobs = (): string[] =>
  [...readFileSync("docs/architecture.md", "utf8").matchAll(/^\| `([\w-]+)`/gm)].map(([, name = ""]) => name);

test("labels are never ids", () => {
  const labels = new Set([...exposed.values()].flatMap((some) => [...some]));
  for (const label of labels) expect(label).not.toMatch(/id$|user|course|email/i);
  expect(exposed.get("http_server_request_duration_seconds")).toEqual(
    new Set(["method", "route", "status", "outcome", "le"]),
  );
});

test("what waits is told: a payment event in review, work that is overdue, also while attempts at it fail", async () => {
  const { body } = await server.get("/metrics");
  expect(String(body)).toMatch(/^lyceum_payment_events_in_review [1-9]/m);
  const { db } = server.deps;
  await db.Erasure.create({
    _id: "user_waiting",
    keepCertificates: false,
    requestedAt: new Date(Date.now() - 600_000),
    dueSince: new Date(Date.now() - 600_000),
    attempts: 9,
    nextAttemptAt: new Date(Date.now() + 300_000),
  });
  await db.Certificate.create({
    ...{ userId: "user_waiting", studentName: "Asha", certificateId: randomUUID() },
    ...{ courseId: new Types.ObjectId(), courseTitle: "Waiting", completionDate: new Date() },
    ...{ status: "pending", attempts: 9, createdAt: new Date(Date.now() - 900_000) },
    nextAttemptAt: new Date(Date.now() + 300_000),
  });
  const later = String((await server.get("/metrics")).body);
  const [, overdue] = /^lyceum_job_overdue_seconds\{job_name="erase-user-data"\} (\S+)/m.exec(later) ?? [];
  expect(Number(overdue)).toBeGreaterThan(599);
  const [, waiting] = /^lyceum_job_overdue_seconds\{job_name="produce-certificates"\} (\S+)/m.exec(later) ?? [];
  expect(Number(waiting)).toBeGreaterThan(899);
});

test("a purchase that reconciliation completes without a webhook is counted", async () => {
  const { orderId } = await unpaidPurchase(server);
  const { tricks } = paymentsOf(server);
  tricks.suppress = true;
  await paymentsOf(server).pay(orderId);
  tricks.suppress = false;
  await reconcile(server, { all: true });
  const { body } = await server.get("/metrics");
  expect(String(body)).toMatch(/^lyceum_purchases_reconciled_total\{result="completed"\} 1$/m);
});

/** Reads the number of measured commands by command and outcome. */
async function measured({ deps }: TestServer): Promise<Map<string, number>> {
  const text = await deps.metrics.getSingleMetricAsString("db_client_operation_duration_seconds");
  const lines = text.matchAll(/_count\{command="(\w+)",outcome="(\w+)"\} (\d+)/g);
  return new Map([...lines].map(([, command, outcome, count]) => [`${command} ${outcome}`, Number(count)] as const));
}

const sum = (counts: ReadonlyMap<string, number>, command: string): number =>
  [...counts].reduce((total, [key, count]) => (key.startsWith(`${command} `) ? total + count : total), 0);

test("each command of a request is measured once, by its name", async () => {
  const before = await measured(server);
  const sent = await commandsDuring(server, () => busyLearner(server));
  const after = await measured(server);
  for (const command of ["find", "insert", "findAndModify", "commitTransaction"]) {
    const onTheWire = sent.filter((one) => Object.keys(one)[0] === command).length;
    expect({ command, measured: sum(after, command) - sum(before, command) }).toEqual({ command, measured: onTheWire });
    expect(onTheWire).toBeGreaterThan(0);
  }
});

test("a cursor is measured at each of its commands", async () => {
  const { Vote } = server.deps.db;
  await Vote.collection.insertMany(Array.from({ length: 250 }, (_, i) => ({ _id: i as never, userId: `u${i}` })));
  const before = await measured(server);
  for await (const vote of Vote.find({ userId: /^u\d/ }).batchSize(100).lean().cursor())
    expect(vote.userId).toMatch(/^u\d/);
  const after = await measured(server);
  expect(sum(after, "find") - sum(before, "find")).toBe(1);
  expect(sum(after, "getMore") - sum(before, "getMore")).toBe(2);
});

test("what the database refuses, and that it is away, are outcomes", async () => {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const { User } = server.deps.db;
  const { id } = await server.signedIn();
  await expect(User.collection.insertOne({ _id: id as never })).rejects.toThrow();
  expect((await measured(server)).get("insert duplicate_key")).toBe(1);
  const away = await server.another({ MONGODB_URI: proxy.uri });
  proxy.mode("cut");
  await expect(away.deps.db.User.findById(id).lean()).rejects.toThrow();
  expect((await measured(away)).get("find unreachable")).toBe(1);
  await away.close();
  await proxy.close();
});
