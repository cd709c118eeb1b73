import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { apply } from "../../factories/applications.js";
import { courseForm } from "../../factories/course-forms.js";
import { buildCourse } from "../../factories/courses.js";
import { startWebServer } from "../../server/after-use.js";
import { startServerProcess } from "../../server/server-process.js";
import { startTestServer } from "../../server/test-server.js";

const secrets = {
  payments: "razor+secret/1",
  ai: 'sk-"quoted"-secret',
  identity: "sk_test_clerk_secret_3",
  storage: "cloud-secret-4",
};

/** A provider that refuses everything and repeats, in plain words, whatever it was sent to know the caller by. */
async function talkativeProvider(): Promise<string> {
  const told = ({ headers: { authorization = "" }, url }: IncomingMessage) => {
    const credentials = authorization.split(" ")[1] ?? "";
    return `not for ${authorization} (${Buffer.from(credentials, "base64")}) at ${url} nor for ${secrets.storage}`;
  };
  const { url } = await startWebServer((req, res) => {
    const message = told(req);
    const error = { message, description: message, code: "refused", long_message: message };
    req.resume().on("end", () => {
      res.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error, errors: [error] }));
    });
  });
  return url;
}

test("no secret is in the log, whatever a provider that was sent it says", async () => {
  const server = await startTestServer({ own: "reads the whole log" });
  const address = await talkativeProvider();
  const { url, lines } = await startServerProcess(server, {
    RAZORPAY_API_URL: address,
    RAZORPAY_KEY_SECRET: secrets.payments,
    OPENAI_BASE_URL: `${address}/v1`,
    OPENAI_API_KEY: secrets.ai,
    CLERK_API_URL: address,
    CLERK_SECRET_KEY: secrets.identity,
    CLOUDINARY_URL: `cloudinary://123:${secrets.storage}@lyceum?upload_prefix=${encodeURIComponent(address)}`,
  });
  const learner = await server.signedIn();
  const educator = await server.signedIn("educator");
  const admin = await server.signedIn("admin");
  const course = await buildCourse(server);
  const there = (path: string, token: string, body: FormData | string) =>
    fetch(url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
      },
      body,
    });
  const answers = await Promise.all([
    there("/api/user/purchase", learner.token, JSON.stringify({ courseId: course._id })),
    there("/api/user/ai-chat", learner.token, JSON.stringify({ content: "Hello?" })),
    there("/api/educator/add-course", educator.token, courseForm()),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  const application = await apply(server, learner);
  await fetch(`${url}/api/admin/educator-applications/${application}/approve`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${admin.token}` },
  });
  await expect.poll(() => lines.filter((line) => line.includes("[secret]")).length).toBeGreaterThanOrEqual(4);
  const basic = Buffer.from(`${server.deps.config.payments.keyId}:${secrets.payments}`).toString("base64");
  for (const secret of [...Object.values(secrets), basic, learner.token, admin.token]) {
    const forms = [secret, JSON.stringify(secret).slice(1, -1)];
    expect(lines.filter((line) => forms.some((form) => line.includes(form)))).toEqual([]);
  }
  expect(lines.filter((line) => line.includes("not for")).length).toBeGreaterThanOrEqual(4);
});
