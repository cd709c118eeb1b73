import { startEmulators } from "@lyceum/provider-emulators";
import { Webhook as Signer } from "svix";
import { expect, onTestFinished, test } from "vitest";
import { applicationPanels } from "../../development/application-panels.js";
import { startWebServer } from "../server/after-use.js";

/** Starts a console with the sales panel of the application at this address, and one administrator. */
async function withConsole(application: string) {
  const { clerk, console, close } = await startEmulators({ clerk: true, console: true });
  onTestFinished(close);
  await clerk.createUser({ id: "user_1", role: "admin" });
  console.show({ url: application, ...applicationPanels(clerk, application) });
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
  const application = await startWebServer((req, res) => {
    asked.push(`${req.method} ${req.url} ${verified(req.headers.authorization)}`);
    const type = { "/api/page": "text/html", "/api/pdf": "application/pdf" }[req.url ?? ""] ?? "application/json";
    res.writeHead(req.url === "/api/no" ? 403 : 200, { "content-type": type });
    res.end(type === "application/json" ? JSON.stringify({ message: "Unauthorized Access" }) : "%PDF");
  });
  const as = "/application/as/user_1";
  const { call, url } = await withConsole(application.url);
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
  expect((await call("GET", `${as}/api/no`)).status).toBe(502);
});

test("the receiver of webhooks checks signatures, and answers as it is told", async () => {
  const { call, url } = await withConsole("http://127.0.0.1:9");
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const send = async (signedWith: string) => {
    const text = JSON.stringify({ type: "ping", timestamp: "2026-11-25T12:00:00.000Z", data: {} });
    const at = new Date();
    const headers = {
      "content-type": "application/json",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Signer(signedWith).sign("msg_1", at, text),
    };
    return (await fetch(`${url}/application/receiver/messages`, { method: "POST", headers, body: text })).status;
  };
  expect(await send(secret)).toBe(200);
  await call("POST", "/application/receiver", { secret });
  expect(await send(secret)).toBe(200);
  expect(await send(`whsec_${Buffer.alloc(32, 2).toString("base64")}`)).toBe(200);
  for (const status of [500, 410]) {
    await call("POST", "/application/receiver", { answer: String(status) });
    expect(await send(secret)).toBe(status);
  }
  const { body } = await call("GET", "/application/receiver");
  expect(body).toMatchObject({ url: `${url}/application/receiver/messages`, answer: "410" });
  const seen = body.messages.map(({ isSigned, answer }: any) => [isSigned, answer]);
  expect(seen).toEqual([
    [true, "410"],
    [true, "500"],
    [false, "200"],
    [true, "200"],
    [false, "200"],
  ]);
});

const verified = (authorization = ""): string =>
  JSON.parse(Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString()).sub;
