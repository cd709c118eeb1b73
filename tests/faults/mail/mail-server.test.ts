import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { newMail } from "../../../src/models/notices/mail.js";
import { createMailer, type MailSettings, type OutgoingMail } from "../../../src/providers/mail.js";
import { mailOf } from "../../server/emulators.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

const lines: Record<string, unknown>[] = [];
const log = pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) });
const server = await startTestServer({ own: "runs the job over all mails, and reads its log", log });
const { db } = server.deps;
const mailbox = mailOf(server);
const from = { name: "Lyceum", address: "no-reply@example.com" };
const signedIn = mailbox.smtpUrl.replace("//", "//us%40example.com:secret-password@");

afterEach(() => {
  mailbox.faults.clear();
  mailbox.forgetMails();
  lines.length = 0;
  vi.useRealTimers();
});

const warnings = () => lines.filter(({ eventId }) => eventId === "mail_not_taken");

function mailer(settings: Partial<MailSettings> = {}) {
  const created = createMailer({ url: mailbox.smtpUrl, from, ...settings }, log);
  onTestFinished(() => created.close());
  return (mail: Partial<OutgoingMail> = {}) => created.send({ ...letter, ...mail }, new AbortController().signal);
}

const letter: OutgoingMail = {
  id: "1",
  to: "asha@example.com",
  subject: "Hello",
  text: "Text",
  html: "<p>Text</p>",
  pictures: [],
  unsubscribeUrl: "https://api.example/unsubscribe/1",
};

const address = { kind: "refusedAddress" };
const refused = { kind: "refused" };
const later = { kind: "tryAgain", isAway: false };
const away = { kind: "tryAgain", isAway: true };

test.each([
  ["refuse-recipient", 550, "No such mailbox", address],
  ["refuse-recipient", 551, "Moved", address],
  ["refuse-recipient", 553, "Not allowed", address],
  ["refuse-recipient", 554, "5.1.1 Unknown", address],
  ["error", 550, "5.1.10 Null MX", address],
  ["refuse-recipient", 552, "Full", refused],
  ["refuse-recipient", 550, "5.4.5 Daily limit exceeded", refused],
  ["refuse-recipient", 554, "5.7.1 Relay access denied", refused],
  ["refuse-recipient", 550, "5.1.7 Bad sender", refused],
  ["refuse-recipient", 550, "5.1.8 Bad domain of the sender", refused],
  ["refuse-sender", 550, "5.1.1 Unknown sender", refused],
  ["error", 550, "Looks like spam", refused],
  ["refuse-recipient", 451, "4.7.1 Greylisted", later],
  ["error", 452, "4.3.1 Disk full", later],
  ["refuse-sender", 451, "4.7.1 Slow down", away],
  ["refuse-sender", 530, "5.7.0 Authentication required", away],
  ["refuse-recipient", 530, "5.7.0 Must issue a STARTTLS command first", away],
  ["refuse-sign-in", 535, "5.7.8 Wrong password", away],
  ["refuse-connection", 554, "No service here", away],
  ["cut-data", undefined, undefined, { kind: "unknown" }],
] as const)("%s %s %s", async (kind, status, text, outcome) => {
  mailbox.faults.add({ kind, ...(status && { status, text }) });
  expect(await mailer({ url: signedIn })()).toMatchObject(outcome);
  expect(warnings()).toMatchObject([
    { outcome: outcome.kind, failures: 1, reason: expect.stringContaining(text ?? "") },
  ]);
});

test("a mail that waits too long for a silent server may have left", async () => {
  mailbox.faults.add({ kind: "timeout" });
  const stop = new AbortController();
  const sending = createMailer({ url: mailbox.smtpUrl, from }, log).send(letter, stop.signal);
  await expect.poll(() => mailbox.mails().length).toBe(1);
  stop.abort();
  expect(await sending).toMatchObject({ kind: "unknown" });
});

test("warnings come the first, tenth … time, anew after a mail that was taken and for another reason", async () => {
  const send = mailer();
  const failing = async (times: number, text: string) => {
    const remove = mailbox.faults.add({ kind: "refuse-recipient", text });
    for (let i = 0; i < times; i++) await send({ to: `person-${i}@example.com` });
    remove();
  };
  await failing(11, "5.4.5 Limit of us@example.com exceeded");
  await failing(1, "5.7.1 Relay access denied");
  await failing(1, "5.4.5 Limit of us@example.com exceeded");
  await send();
  await failing(1, "5.4.5 Limit of us@example.com exceeded");
  expect(warnings().map(({ failures }) => failures)).toEqual([1, 10, 1, 1, 1]);
  expect(warnings()[1]).toMatchObject({ level: 40, reason: expect.stringContaining("5.4.5 Limit of [address]") });
});

test("a server that offers no TLS gets neither password nor mail, where TLS is required", async () => {
  mailbox.faults.add({ kind: "refuse-sign-in" });
  expect(await mailer({ url: signedIn, requireTls: true })()).toMatchObject(away);
  expect(lines).toMatchObject([{ eventId: "mail_not_taken", reason: expect.stringContaining("STARTTLS") }]);
  expect(mailbox.mails()).toEqual([]);
});

describe("a mail as it is sent", () => {
  const long = `${"wide ".repeat(400)}${"x".repeat(3_000)}`;

  test("keeps the rules of RFC 5322, and says who sent it", async () => {
    const pdf = {
      filename: 'Rechnung "Größe"\r\nX-Evil: 1.pdf',
      contentType: "application/pdf",
      content: Buffer.alloc(9_000),
    };
    const fromName = `Eve" <eve@example.com>\r\nBcc: all@example.com ${"É".repeat(200)}`;
    await mailer()({ subject: long.slice(0, 900), text: long, html: `<p>${long}</p>`, fromName, attachments: [pdf] });
    const [mail] = mailbox.mails();
    const lengths = mail?.raw.split("\r\n").map((line) => Buffer.byteLength(line)) ?? [];
    expect(Math.max(...lengths)).toBeLessThanOrEqual(998);
    expect(mail?.raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    const headers = Object.fromEntries(mail?.headers.map(({ name, value }) => [name, value]) ?? []);
    expect(headers).toMatchObject({
      "message-id": "<1@example.com>",
      date: expect.stringMatching(/^\w{3}, \d\d? \w{3} \d{4} /),
      from: expect.stringMatching(/<no-reply@example\.com>$/),
      "content-type": expect.stringMatching(/^multipart\/mixed/),
      "list-unsubscribe": "<https://api.example/unsubscribe/1>",
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    });
    expect(Object.keys(headers)).not.toContain("bcc");
    expect(mail).toMatchObject({ from: "no-reply@example.com", to: ["asha@example.com"] });
    expect(mail?.raw).toMatch(/multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html[\s\S]*application\/pdf/);
    expect(mail?.raw).not.toMatch(/^(X-Evil|Bcc):/m);
  });

  test("offers no unsubscribing when nothing switches it off", async () => {
    await mailer()({ unsubscribeUrl: null });
    expect(mailbox.mails()[0]?.headers.filter(({ name }) => name.startsWith("list-"))).toEqual([]);
  });
});

/** Mails to as many users. */
async function dueMails(count: number) {
  const mails = [];
  for (let i = 0; i < count; i++) {
    const { id: userId } = await server.signedIn();
    const { email = "" } = await db.User.findById(userId).orFail().lean();
    const row = newMail({ userId, type: "certificate_issued", title: "Hello", body: "You", link: null });
    const { _id } = await db.Mail.create(row);
    mails.push({ email, row: () => db.Mail.findById(_id).lean(), received: () => mailbox.mails(email).length });
  }
  return mails;
}

const deliver = ({ deps }: Pick<TestServer, "deps">) =>
  backgroundJobs(deps)
    .find(({ name }) => name === "deliver-mail")
    ?.run(new AbortController().signal);

const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

/** A way to the mail server that counts its connections. */
async function countedWay() {
  const { port, hostname } = new URL(mailbox.smtpUrl);
  let connections = 0;
  const way = createServer((socket) => {
    connections += 1;
    const target = connect(Number(port), hostname);
    socket.on("error", () => target.destroy()).pipe(target);
    target.on("error", () => socket.destroy()).pipe(socket);
  });
  await once(way.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void way.close());
  return { port: (way.address() as AddressInfo).port, connections: () => connections };
}

test("a server that refuses the sign-in is left alone, and an operator sees why", { timeout: 60_000 }, async () => {
  const way = await countedWay();
  const instance = await server.another({ SMTP_URL: `smtp://us:wrong@127.0.0.1:${way.port}` });
  const mails = await dueMails(60);
  mailbox.faults.add({ kind: "refuse-sign-in" });
  for (let seconds = 0; seconds < 45; seconds += 5) {
    await deliver(instance);
    letPass(5_000);
  }
  const calls = async (outcome: string) => {
    const text = await instance.deps.metrics.getSingleMetricAsString("lyceum_provider_request_duration_seconds");
    return Number(new RegExp(`_count\\{.*provider="mail".*outcome="${outcome}".*\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  const figures = { connections: way.connections(), errors: await calls("error"), oks: await calls("ok") };
  console.info("45 s of 535:", figures, warnings().length, "warnings");
  expect(figures.connections).toBeLessThanOrEqual(10);
  expect(figures.errors).toBeGreaterThan(0);
  expect(figures.oks).toBe(0);
  expect(warnings()).toMatchObject([{ failures: 1, reason: expect.stringContaining("535") }]);
  mailbox.faults.clear();
  for (let round = 0; round < 20 && (await db.Mail.exists({ state: "waiting" })); round++) {
    letPass(5 * 60_000);
    await deliver(instance);
  }
  expect(mails.map(({ received }) => received())).toEqual(mails.map(() => 1));
  expect(await calls("ok")).toBe(60);
});
