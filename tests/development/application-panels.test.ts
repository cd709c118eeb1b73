import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startEmulators } from "@lyceum/provider-emulators";
import { expect, onTestFinished, test } from "vitest";
import { salesPanel } from "../../src/development/sales-panel.js";

/** Starts a console with the sales panel of the application at this address, and one administrator. */
async function withConsole(application: string) {
  const { clerk, console, close } = await startEmulators({ clerk: true, console: true });
  onTestFinished(close);
  await clerk.createUser({ id: "user_1", role: "admin" });
  console.show({ url: application, ...salesPanel(clerk, application) });
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const sent = body ? { body: JSON.stringify(body) } : {};
    const all = { "content-type": "application/json", ...headers };
    const reply = await fetch(console.url + path, { method, headers: all, ...sent });
    return { status: reply.status, body: (await reply.json()) as any };
  };
  return { url: console.url, call };
}

test("the application is asked as a user of the console's choice, below /api only, and only JSON and PDFs come back", async () => {
  const asked: string[] = [];
  const application = createServer((req, res) => {
    asked.push(`${req.method} ${req.url} ${verified(req.headers.authorization)}`);
    const type = { "/api/page": "text/html", "/api/pdf": "application/pdf" }[req.url ?? ""] ?? "application/json";
    res.writeHead(req.url === "/api/no" ? 403 : 200, { "content-type": type });
    res.end(type === "application/json" ? JSON.stringify({ message: "Unauthorized Access" }) : "%PDF");
  });
  await once(application.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void application.close());
  const { port } = application.address() as AddressInfo;
  const as = "/application/as/user_1";
  const { call, url } = await withConsole(`http://127.0.0.1:${port}`);
  expect((await call("POST", `${as}/api/coupons?limit=1`, { kind: "percent" })).status).toBe(200);
  expect(asked).toEqual(["POST /api/coupons?limit=1 user_1"]);
  expect(await call("GET", `${as}/api/no`)).toEqual({ status: 403, body: { error: "Unauthorized Access" } });
  expect((await call("GET", `${as}/api/page`)).status).toBe(502);
  const pdf = await fetch(`${url}${as}/api/pdf`);
  expect([pdf.headers.get("content-type"), await pdf.text()]).toEqual(["application/pdf", "%PDF"]);
  for (const path of [`${as}/metrics`, "/application/as/nobody/api/no", `${as}//evil.example/api/`]) {
    expect((await fetch(url + path)).status).toBe(404);
  }
  const foreign = await call("GET", `${as}/api/no`, undefined, { origin: "https://evil.example" });
  expect(foreign.status).toBe(403);
  application.close();
  application.closeAllConnections();
  expect((await call("GET", `${as}/api/no`)).status).toBe(502);
});

const verified = (authorization = ""): string =>
  JSON.parse(Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString()).sub;
