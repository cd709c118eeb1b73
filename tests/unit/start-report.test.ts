import { expect, test } from "vitest";
import { describeStart } from "../../development/cli/start-report.js";

const started = {
  url: "http://localhost:3000",
  console: "http://127.0.0.1:3100",
  rows: [{ provider: "ai", kind: "emulator", address: "http://127.0.0.1:3104" }],
  wantedPorts: { server: 3000, console: 3100, ai: 3104 },
  seconds: 1.23,
  frontendOrigin: "http://localhost:5173",
};

test("the start names the browser origin that is allowed, and relaxed rate limits", () => {
  const usual = describeStart({ ...started, relaxedRateLimits: false });
  expect(usual).toMatch(/Allowed origin +http:\/\/localhost:5173 \(FRONTEND_URL\)/);
  expect(usual).not.toContain("RATE_LIMITS");
  const relaxed = describeStart({ ...started, relaxedRateLimits: true });
  expect(relaxed).toMatch(/Rate limits +ten times the real ones \(RATE_LIMITS=relaxed\)/);
});
