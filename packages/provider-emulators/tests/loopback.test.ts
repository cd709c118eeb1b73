import { request } from "node:http";
import { expect, test } from "vitest";
import { order, razorpayFor } from "./payments-client.js";
import { started, startedEmulators } from "./start.js";

/** Sends a Host header, which `fetch` does not allow. */
function statusFor(url: string, headers: Record<string, string>, method = "GET"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const req = request(url, { method, headers }, (res) => {
      res.resume();
      resolve(res.statusCode);
    });
    req.on("error", reject);
    req.end();
  });
}

test("the console and every emulator refuse a foreign Host and a foreign Origin on every path", async () => {
  const FRONTEND_URL = "https://learn.example/app/";
  const emulators = await startedEmulators({ frontendUrl: FRONTEND_URL, console: true });
  const { clerk: identity, razorpay: payments, cloudinary: storage, openai: ai } = emulators;
  const { id } = await razorpayFor(emulators).orders.create(order);
  const addresses: [method: string, url: string][] = [
    ["GET", `${started(identity).url}/v1/jwks`],
    ["GET", `${started(identity).url}/dev/users`],
    ["GET", `${started(payments).url}/v1/checkout.js`],
    ["POST", `${started(payments).url}/checkout/${id}`],
    ["GET", `${started(payments).url}/dev/records`],
    ["POST", `${started(storage).url}/v1_1/lyceum/image/upload`],
    ["GET", `${started(storage).url}/lyceum/image/upload/absent.png`],
    ["POST", `${started(ai).url}/v1/chat/completions`],
    ["GET", `${started(emulators.smtp).url}/dev/mails`],
    ["GET", `${started(emulators.console).url}/`],
  ];
  for (const [method, url] of addresses) {
    const fromNowhere = method === "POST" ? [{ origin: "null" }] : [];
    const refused = [
      { host: "rebound.example" },
      { host: "127.0.0.1.rebound.example" },
      { origin: "https://other.example" },
      { origin: "http://localhost.other.example" },
      ...fromNowhere,
    ];
    for (const headers of refused)
      expect([url, headers, await statusFor(url, headers, method)]).toEqual([url, headers, 403]);
    expect([url, await statusFor(url, {}, method)]).not.toEqual([url, 403]);
    expect([url, await statusFor(url, { host: "localhost:80" }, method)]).not.toEqual([url, 403]);
  }
  const script = `${started(payments).url}/v1/checkout.js`;
  for (const origin of ["https://learn.example", "http://localhost:5173", "http://127.0.0.1:8080"]) {
    expect([origin, await statusFor(script, { origin })]).toEqual([origin, 200]);
  }
});
