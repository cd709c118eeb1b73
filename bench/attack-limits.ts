import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { Types } from "mongoose";
import { type Finding, tableOf, within } from "./attacks/findings.js";
import { addCourses } from "./attacks/freezing.js";
import { type BenchUser, startTarget, type Target } from "./attacks/target.js";
import { growth } from "./attacks/watch.js";
import { cpuOf } from "./processes/proc.js";

/**
 * Attacks a server in production mode with many requests of one user while other users read. Prints how the other users
 * were served.
 *
 *     npm run build && npx tsx bench/attack-limits.ts [name …]
 *
 * `MONGODB_URI` names another database server and `ATTACK_NODE_OPTIONS` the options of the server's Node.
 */
const seconds = 10;

interface Served {
  /** Percent of the other users' requests that were not answered with 200. */
  readonly refusedPercent: number;
  /** The statuses of their answers. */
  readonly statuses: string;
  /** Milliseconds, of the requests that were answered with 200. */
  readonly p95: number;
}

/** How twenty other users are served while `attack` runs. Each of them reads twice a second. */
async function othersDuring(target: Target, attack: () => Promise<unknown>): Promise<Served> {
  const users = await Promise.all(Array.from({ length: 20 }, () => target.user()));
  const paths = ["/api/user/data", "/api/community/posts?limit=10", "/api/course/all"];
  const [times, statuses]: [number[], number[]] = [[], []];
  let running = true;
  const read = async ({ token }: BenchUser, n: number): Promise<void> => {
    await sleep(n * 25);
    for (let turn = n; running; turn += 1) {
      const began = performance.now();
      const { status } = await target.call("GET", paths[turn % paths.length] ?? "", { token });
      statuses.push(status);
      if (status === 200) times.push(performance.now() - began);
      await sleep(500);
    }
  };
  const reading = Promise.all(users.map(read));
  await attack();
  running = false;
  await reading;
  times.sort((a, b) => a - b);
  const refused = statuses.filter((status) => status !== 200).length;
  return {
    refusedPercent: (100 * refused) / statuses.length,
    statuses: [...new Set(statuses)].join(", "),
    p95: times[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY,
  };
}

interface Flood {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly connections: number;
  /** Requests a second over all connections; as many as are answered when absent. */
  readonly rate?: number;
}

const flood = ({ url }: Target, { token }: BenchUser, { method = "POST", path, connections, rate }: Flood) =>
  autocannon({
    ...{ url: url + path, method, connections, duration: seconds, timeout: 30, workers: 1 },
    ...(rate === undefined ? {} : { overallRate: rate }),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(method === "POST" ? { body: "{}" } : {}),
  });

const countsOf = (result: autocannon.Result): string =>
  Object.entries(result.statusCodeStats ?? {})
    .map(([status, { count = 0 } = {}]) => `${count} × ${status}`)
    .join(", ");

/** One learner over 800 connections. */
async function crowd(target: Target): Promise<Finding[]> {
  const learner = await target.user();
  const [courseId] = await addCourses(target, [{}], learner);
  const author = { authorId: "user_author", authorName: "A", title: "Types", content: "x", tags: [], groupId: null };
  const post = await target.db.CommunityPost.create(author);
  await target.db.UngroupedPosts.updateOne({}, { $inc: { postCount: 1 } }, { upsert: true });
  await target.call("GET", `/api/quiz/${courseId}/ch1`, { token: learner.token });
  for (const lectureId of ["ch1-l1", "ch1-l2"]) {
    const body = { courseId: String(courseId), lectureId };
    await target.call("POST", "/api/user/update-course-progress", { token: learner.token, body });
  }
  const floods: Readonly<Record<string, Pick<Flood, "method" | "path">>> = {
    "toggling a vote": { path: `/api/community/posts/${post._id}/upvote` },
    "reading a stored quiz": { method: "GET", path: `/api/quiz/${courseId}/ch1` },
    "certificate/generate": { path: `/api/user/certificate/generate/${courseId}` },
  };
  const findings: Finding[] = [];
  for (const [name, request] of Object.entries(floods)) {
    let sent = "";
    let taken = 0;
    const served = await othersDuring(target, async () => {
      const result = await flood(target, learner, { ...request, connections: 800 });
      sent = countsOf(result);
      taken = result["2xx"];
    });
    const attack = `one learner with 800 connections, ${name}`;
    const more = `answered ${served.statuses}, p95 ${served.p95.toFixed(0)} ms; the learner: ${sent}`;
    findings.push(within(`${attack}: others refused`, served.refusedPercent, 1, "%", more));
    // All writes of the learner so far share one counter.
    if (request.method !== "GET") findings.push(within(`${attack}: taken`, taken, 600, "writes"));
  }
  return findings;
}

/** One learner who asks for an invoice 44 times a second. */
async function invoices(target: Target): Promise<Finding[]> {
  const learner = await target.user();
  const [courseId] = await addCourses(target, [{}]);
  const body = { courseId: String(courseId) };
  const { body: opened } = await target.call("POST", "/api/user/purchase", { token: learner.token, body });
  await target.deliver({
    event: "payment.captured",
    payload: {
      payment: {
        entity: {
          ...{ id: `pay_${String(new Types.ObjectId()).slice(0, 14)}`, order_id: opened.orderId, status: "captured" },
          ...{ amount: Math.round(opened.amount * 100), currency: opened.currency, captured: true },
          notes: { purchaseId: opened.purchaseId },
        },
      },
    },
  });
  const path = `/api/user/purchases/${opened.purchaseId}/invoice`;
  const ask = () => flood(target, learner, { method: "GET", path, connections: 40, rate: 44 });
  await ask();
  const before = await cpuOf(target.pid);
  const alone = await ask();
  const each = ((await cpuOf(target.pid)) - before) / 1_000 / alone["2xx"];
  let sent = "";
  const served = await othersDuring(target, async () => {
    sent = countsOf(await ask());
  });
  const attack = "44 requests a second for one invoice";
  const more = `their p95 ${served.p95.toFixed(0)} ms; the learner: ${sent}`;
  return [
    within(`${attack}: processor time of the server for each`, each, 5, "ms", countsOf(alone)),
    within(`${attack}: others refused`, served.refusedPercent, 1, "%", more),
  ];
}

/** Five educators who send 60 forms of 11 MB and never finish them. */
async function uploads(target: Target): Promise<Finding[]> {
  const educators = await Promise.all(Array.from({ length: 5 }, () => target.user("educator")));
  const end = new AbortController();
  const field = (name: string, bytes: number) =>
    `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${"x".repeat(bytes)}\r\n`;
  const file = 'Content-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  const text = ["a", "b", "c"].map((name) => field(name, 2_000_000)).join("");
  const form = Buffer.from(`${text}--frontier\r\n${file}${"x".repeat(5_000_000)}`);
  const grown = await growth(target, async () => {
    const sent = Array.from({ length: 60 }, (_, n) => {
      const unfinished = new ReadableStream({
        start(controller) {
          for (let at = 0; at < form.length; at += 65_536) controller.enqueue(form.subarray(at, at + 65_536));
        },
      });
      const headers = { "content-type": "multipart/form-data; boundary=frontier" };
      const authorization = `Bearer ${educators[n % 5]?.token}`;
      const request = { method: "POST", body: unfinished, duplex: "half", signal: end.signal } as const;
      return fetch(`${target.url}/api/educator/add-course`, { ...request, headers: { ...headers, authorization } })
        .then(({ status }) => status)
        .catch(() => 0);
    });
    await sleep(seconds * 1_000);
    end.abort();
    await Promise.all(sent);
  });
  return [within("60 unfinished forms of 11 MB by five educators: the server grows by", grown, 250, "MiB")];
}

/** An educator who tries codes. */
async function codes(target: Target): Promise<Finding[]> {
  const admin = await target.user("admin");
  const educator = await target.user("educator");
  const [courseId] = await addCourses(target, [{ educatorId: educator.id }]);
  const terms = { kind: "percent", value: 10, code: "SECRET-SALE" };
  await target.call("POST", "/api/admin/coupons", { token: admin.token, body: terms });
  const body = { ...terms, courseIds: [String(courseId)] };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      target.call("POST", "/api/educator/coupons", { token: educator.token, body }).then(({ status }) => status),
    ),
  );
  const told = answers.filter((status) => status === 409).length;
  return [within("an educator tries a code that exists 50 times at once: answers 409", told, 10, "answers")];
}

const attacks: Readonly<Record<string, (target: Target) => Promise<Finding[]>>> = { crowd, invoices, uploads, codes };
const wanted = process.argv.slice(2);
const found: Finding[] = [];
for (const [name, attack] of Object.entries(attacks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const target = await startTarget();
  try {
    const findings = await attack(target);
    found.push(...findings);
    process.stdout.write(`\n${name}\n\n${tableOf(findings)}\n`);
  } finally {
    await target.close();
  }
}
const broken = found.filter(({ held }) => !held);
process.stdout.write(`\n${found.length - broken.length} of ${found.length} held\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
