import { request } from "node:http";
import { type Finding, same } from "./findings.js";
import type { Target } from "./target.js";

/** Status of a request whose `Host` and `Origin` an attacker's page would cause. */
function statusOf(url: string, headers: Record<string, string>, method = "GET"): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    asked.once("error", reject);
    asked.end();
  });
}

/** What each emulator serves, developers' routes among them. */
const served: Readonly<Record<string, readonly string[]>> = {
  clerk: ["/dev/users", "/dev/tokens", "/dev/faults", "/dev/deliveries", "/v1/users", "/v1/jwks"],
  razorpay: ["/dev/records", "/dev/faults", "/dev/deliveries", "/v1/orders", "/v1/checkout.js", "/checkout/order_1"],
  cloudinary: ["/dev/assets", "/dev/faults", "/lyceum/image/upload/x.png"],
  openai: ["/dev/calls", "/dev/faults", "/v1/models"],
  console: ["/", "/state", "/main.js", "/requests/stream", "/identity/dev/users"],
};

export async function exposure(target: Target): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, paths] of Object.entries(served)) {
    const base = target.emulators[name] ?? "";
    const port = new URL(base).port;
    const own = `127.0.0.1:${port}`;
    const ways: [string, Record<string, string>][] = [
      ["a foreign Host", { host: `evil.example:${port}` }],
      ["a Host that begins with loopback", { host: `127.0.0.1.evil.example:${port}` }],
      ["a foreign Origin", { host: own, origin: "https://evil.example" }],
      ["Origin null", { host: own, origin: "null" }],
    ];
    for (const [way, headers] of ways) {
      const statuses = new Set<number>();
      for (const path of paths) {
        for (const method of ["GET", "POST", "DELETE"]) statuses.add(await statusOf(base + path, headers, method));
      }
      findings.push(same(`${name} emulator, ${paths.length} paths with ${way}`, [...statuses], [403]));
    }
  }
  const closed = await target.another({ METRICS_TOKEN: "" });
  const open = await target.another({ METRICS_TOKEN: "", METRICS: "open" });
  const metrics = [
    (await closed.call("GET", "/metrics")).status,
    (await open.call("GET", "/metrics")).status,
    (await target.call("GET", "/metrics")).status,
    (await target.call("GET", "/metrics", { token: `${target.env.METRICS_TOKEN}x` })).status,
    (await target.call("GET", "/metrics", { token: target.env.METRICS_TOKEN ?? "" })).status,
  ];
  findings.push(
    same("/metrics: without token, METRICS=open, no, wrong and right token", metrics, [404, 200, 401, 401, 200]),
  );
  const learner = await target.user();
  const refused = await target.call("POST", "/api/user/track-time", { token: learner.token, body: { page: 1 } });
  findings.push(
    same(
      "a refused body in production: status, `X-Invalid`",
      [refused.status, refused.headers.get("x-invalid")],
      [400, null],
    ),
  );
  const preflight = await target.call("OPTIONS", "/api/user/data", {
    headers: { origin: "https://evil.example", "access-control-request-method": "GET" },
  });
  const allowed = ["access-control-allow-origin", "access-control-max-age", "access-control-allow-credentials"];
  findings.push(
    same(
      "preflight of a foreign page",
      allowed.map((name) => preflight.headers.get(name)),
      ["http://localhost:5173", "7200", null],
    ),
  );
  const secrets = Object.entries(target.env).filter(([name]) => /SECRET|TOKEN|_KEY$|CLOUDINARY_URL/.test(name));
  const shown = secrets.filter(
    ([name, value]) => !name.includes("PUBLISHABLE") && target.log.some((line) => line.includes(value)),
  );
  findings.push(
    same(
      "secrets in the log",
      shown.map(([name]) => name),
      [],
    ),
  );
  return findings;
}
