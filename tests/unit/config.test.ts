import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { envExample } from "../../development/env-example.js";
import { ConfigError, checkGivenValues, parseConfig } from "../../src/config.js";
import { variables } from "../../src/env.js";
import { environment } from "../../src/process.js";
import { frontendLinks } from "../../src/services/notices/frontend-links.js";

const spki = { type: "spki", format: "pem" } as const;

const complete = {
  MONGODB_URI: "mongodb://127.0.0.1/lyceum",
  CLERK_PUBLISHABLE_KEY: "pk_test_Y2xlcmsuZXhhbXBsZSQ=",
  CLERK_SECRET_KEY: "sk_test_abc",
  CLERK_WEBHOOK_SECRET: "whsec_YWJj",
  RAZORPAY_KEY_ID: "rzp_test_1",
  RAZORPAY_KEY_SECRET: "secret",
  RAZORPAY_WEBHOOK_SECRET: "new,old",
  CLOUDINARY_URL: "cloudinary://key:secret@cloud",
  OPENAI_API_KEY: "sk-1",
};

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

function linksWith(env: Record<string, string>, FRONTEND_URL = "https://app.example") {
  const { post, course, player, ...others } = frontendLinks(parseConfig({ ...complete, ...env, FRONTEND_URL }));
  return { post: post("p/1"), course: course("c1"), player: player("c1"), ...others };
}

test("in production one message names every missing variable", () => {
  const problems = problemsOf({ NODE_ENV: "production" });
  const named = problems.map((problem) => problem.split(" ")[0]);
  expect(named).toEqual(["FRONTEND_URL", "BACKEND_URL", ...Object.keys(complete)]);
});

test.each([
  [undefined, false],
  [" ", false],
  ["development", false],
  ["Test", false],
  ["production", true],
  ["production ", true],
  ["\tProduction\r", true],
])("NODE_ENV=%j is read without its padding and letter case", (NODE_ENV, production) => {
  const urls = { FRONTEND_URL: "https://app.example", BACKEND_URL: "https://api.example" };
  expect(parseConfig({ ...complete, ...urls, NODE_ENV }).production).toBe(production);
});

test("the environment is trimmed in place, so that libraries read it as the server does", () => {
  const url = `${complete.CLOUDINARY_URL}\r`;
  const padded = { NODE_ENV: " Production", DEMO_DATA: "off ", CLOUDINARY_URL: url, PORT: " " };
  for (const [name, value] of Object.entries(padded)) vi.stubEnv(name, value);
  try {
    const trimmed = { NODE_ENV: "production", DEMO_DATA: "off", CLOUDINARY_URL: complete.CLOUDINARY_URL };
    expect(environment()).toMatchObject(trimmed);
    expect(environment().PORT).toBeUndefined();
  } finally {
    vi.unstubAllEnvs();
  }
});

test("RATE_LIMITS=relaxed is for development: in production the start is refused", () => {
  expect(parseConfig(complete).relaxedRateLimits).toBe(false);
  expect(parseConfig({ ...complete, RATE_LIMITS: "relaxed" }).relaxedRateLimits).toBe(true);
  const problems = problemsOf({ NODE_ENV: "production", RATE_LIMITS: "relaxed" });
  expect(problems).toContain("RATE_LIMITS must not be relaxed in production: unset it");
  expect(problemsOf({ NODE_ENV: "production" }).join()).not.toContain("RATE_LIMITS");
});

test.each([
  ["smtp://mail.example", "no-reply@example.com", { name: "Lyceum", address: "no-reply@example.com" }],
  ["smtps://user%40x:p%2Fw@mail.example:465", "Ask Us <us@example.com>", { name: "Ask Us", address: "us@example.com" }],
  ["smtp://[::1]:2525/", "us@example.com", { name: "Lyceum", address: "us@example.com" }],
])("mail leaves through %s", (url, MAIL_FROM, from) => {
  expect(parseConfig({ ...complete, SMTP_URL: url, MAIL_FROM }).mail).toMatchObject({ url, from });
});

test.each([
  ["production", "smtp://us:secret@mail.example", true],
  ["production", "smtp://127.0.0.1:25", false],
  ["production", "smtp://LOCALHOST", false],
  ["production", "smtp://[::1]:2525/", false],
  ["production", "smtp://localhost.mail.example", true],
  ["development", "smtp://us:secret@mail.example", false],
])("in %s %s requires TLS: %s", (NODE_ENV, SMTP_URL, requireTls) => {
  const urls = { FRONTEND_URL: "https://app.example", BACKEND_URL: "https://api.example" };
  const env = { ...complete, ...urls, NODE_ENV, SMTP_URL, MAIL_FROM: "us@example.com" };
  expect(parseConfig(env).mail?.requireTls).toBe(requireTls);
});

test("without SMTP_URL no mail is sent, and with it the sender is mandatory", () => {
  expect(parseConfig({ ...complete, MAIL_FROM: "us@example.com" }).mail).toBeNull();
  const sender = "MAIL_FROM is missing (sender of mails, mandatory with SMTP_URL)";
  expect(problemsOf({ ...complete, SMTP_URL: "smtp://mail.example" })).toEqual([sender]);
  for (const MAIL_FROM of ["us", "a@b <us@example.com>", "Us\n<us@example.com>", "us@example.com, x@example.com"]) {
    expect(problemsOf({ ...complete, SMTP_URL: "smtp://mail.example", MAIL_FROM })).toHaveLength(1);
  }
  for (const SMTP_URL of ["mail.example", "http://mail.example", "smtp://u:%zz@h", "smtp://h?pool=0", "smtp://a b"]) {
    expect(problemsOf({ ...complete, SMTP_URL, MAIL_FROM: "us@example.com" })).toHaveLength(1);
  }
});

test("outside production the addresses have defaults", () => {
  const config = parseConfig(complete);
  expect(config).toMatchObject({
    production: false,
    port: 3000,
    frontendUrl: "http://localhost:5173",
    frontendOrigin: "http://localhost:5173",
    backendUrl: "http://localhost:3000",
    currency: "INR",
    trustProxyHops: 0,
  });
  expect(config.ai.model).toBe("gpt-4o-mini");
});

test.each([
  [{}, "Asia/Kolkata"],
  [{ CURRENCY: "EUR" }, "UTC"],
  [{ CURRENCY: "EUR", INVOICE_TIME_ZONE: "Europe/Berlin" }, "Europe/Berlin"],
])("with %j invoices have the dates of %s", (env, timeZone) => {
  expect(parseConfig({ ...complete, ...env }).invoices.timeZone).toBe(timeZone);
});

test.each([
  ["PORT", "http"],
  ["PORT", "70000"],
  ["PORT", "0x1F90"],
  ["NODE_ENV", "live"],
  ["NODE_ENV", "staging"],
  ["METRICS", "closed"],
  ["INVOICE_PREFIX", "INVB"],
  ["INVOICE_PREFIX", "inv"],
  ["INVOICE_TIME_ZONE", "Asia/Bengaluru"],
  ["INVOICE_TIME_ZONE", "+05:30"],
  ["DEMO_DATA", "no"],
  ["FRONTEND_URL", "localhost"],
  ["FRONTEND_URL", "https://app.example/#/"],
  ["FRONTEND_LINKS", "[]"],
  ["FRONTEND_LINKS", '{"courses":"/c"}'],
  ["FRONTEND_LINKS", '{"course":"c/{courseId}"}'],
  ["FRONTEND_LINKS", '{"course":"//c/{courseId}"}'],
  ["FRONTEND_LINKS", '{"course":"/c/{postId}"}'],
  ["FRONTEND_LINKS", '{"course":"/c/{courseId"}'],
  ["FRONTEND_LINKS", '{"students":"/s/{courseId}"}'],
  ["FRONTEND_LINKS", '{"post":7}'],
  ["FRONTEND_LINKS", '{"post":"/a b"}'],
  ["FRONTEND_LINKS", "oops"],
  ["BACKEND_URL", "ftp://host"],
  ["MONGODB_URI", "postgres://x"],
  ["TRUST_PROXY_HOPS", "true"],
  ["LOG_LEVEL", "loud"],
  ["RATE_LIMITS", "off"],
  ["CURRENCY", "rupees"],
  ["CLERK_JWT_KEY", "not a key"],
  ["CLERK_JWT_KEY", "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----"],
  ["CLERK_JWT_KEY", generateKeyPairSync("rsa", { modulusLength: 3072 }).publicKey.export(spki).toString()],
  ["CLERK_WEBHOOK_SECRET", "whsec_a-b"],
  ["CLERK_WEBHOOK_SECRET", "whsec_YWJj,oops"],
  ["CLOUDINARY_URL", "https://cloudinary.com"],
  ["CLOUDINARY_URL", "cloudinary://key:se%cret@cloud"],
  ["CLOUDINARY_URL", "cloudinary://key:secret@cloud?upload_prefix=storage.example"],
  ["REDIS_URL", "localhost:6379"],
  ["REDIS_URL", "redis://:secret@[host"],
])("a malformed %s is refused and its value is not repeated", (name, value) => {
  const problems = problemsOf({ ...complete, [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} is malformed`));
  expect(problems[0]).not.toContain(value);
});

test("before emulators fill in what is missing, what is set must be well-formed", () => {
  expect(() => checkGivenValues({ RAZORPAY_WEBHOOK_SECRET: "secret", CLERK_JWT_KEY: " " })).not.toThrow();
  expect(() => checkGivenValues({ CLERK_WEBHOOK_SECRET: "oops", PORT: "x" })).toThrow(
    /PORT is malformed[\s\S]*CLERK_WEBHOOK_SECRET is malformed/,
  );
});

test("links follow the public frontend, its path and FRONTEND_LINKS", () => {
  expect(linksWith({})).toEqual({
    post: "https://app.example/community/post/p%2F1",
    course: "https://app.example/course/c1",
    player: "https://app.example/player/c1",
    ownCourses: "https://app.example/my-enrollments",
    application: "https://app.example/become-educator",
    students: "https://app.example/educator/students-enrolled",
    preferences: null,
  });
  const changed = { course: "/#c={courseId}&again={courseId}", students: null, preferences: "/settings?tab=mail" };
  expect(linksWith({ FRONTEND_LINKS: JSON.stringify(changed) }, "https://app.example/academy/")).toMatchObject({
    course: "https://app.example/academy/#c=c1&again=c1",
    player: "https://app.example/academy/player/c1",
    students: null,
    preferences: "https://app.example/academy/settings?tab=mail",
  });
});

test("secrets rotate as lists, keys may be written with \\n, one trailing slash is dropped", () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = publicKey.export(spki).toString().trim();
  const config = parseConfig({
    ...complete,
    BACKEND_URL: "https://api.example/",
    FRONTEND_URL: "https://app.example/path/",
    CLERK_JWT_KEY: pem.replaceAll("\n", "\\n"),
  });
  // A comma may be part of one secret: a list has parts of 16 characters at least.
  expect(config.payments.webhookSecrets).toEqual(["new,old"]);
  const both = ["a-secret-of-today", "a-secret-of-before"];
  expect(parseConfig({ ...complete, RAZORPAY_WEBHOOK_SECRET: both.join(", ") }).payments.webhookSecrets).toEqual(both);
  const [first, second] = ["whsec_AAAAAAAAAAAAAAAA", "whsec_BBBBBBBBBBBBBBBB"];
  const rotating = parseConfig({ ...complete, CLERK_WEBHOOK_SECRET: `${first},${second}` });
  expect(rotating.identity.webhookSecrets).toEqual([first, second]);
  expect(() => parseConfig({ ...complete, CLERK_WEBHOOK_SECRET: `${first},whsec_AAAA` })).toThrow(
    /CLERK_WEBHOOK_SECRET/,
  );
  expect(config.identity.jwtKey).toBe(pem);
  expect(config.backendUrl).toBe("https://api.example");
  expect(config.frontendUrl).toBe("https://app.example/path");
  expect(config.frontendOrigin).toBe("https://app.example");
});

test(".env.example is current and names every variable", async () => {
  expect(await readFile(".env.example", "utf8")).toBe(envExample());
  for (const name of Object.keys(variables)) expect(envExample()).toContain(`${name}=`);
});
