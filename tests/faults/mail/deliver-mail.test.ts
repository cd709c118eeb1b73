import { Types } from "mongoose";
import { afterEach, expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { type Mail, newMail } from "../../../src/models/notices/mail.js";
import { createMailer } from "../../../src/providers/mail.js";
import { applyIdentityEvent } from "../../../src/services/users/apply-identity-event.js";
import { deliverIdentity, unverifiedFirst, userData } from "../../factories/identity-events.js";
import { mailOf } from "../../server/emulators.js";
import { startServerProcess } from "../../server/server-process.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "runs the job over all mails" });
const { db } = server.deps;
const mailbox = mailOf(server);
const from = { name: "Lyceum", address: "no-reply@example.com" };

afterEach(() => mailbox.faults.clear());

async function deliver({ deps }: Pick<TestServer, "deps"> = server, signal = new AbortController().signal) {
  await backgroundJobs(deps)
    .find(({ name }) => name === "deliver-mail")
    ?.run(signal);
}

/** A mail to a user of its own. */
async function dueMail(text: Partial<Mail> = {}) {
  const { id: userId } = await server.signedIn();
  const about = { userId, type: "certificate_issued", title: "Your certificate", body: "Well done", link: null };
  const { _id } = await db.Mail.create({ ...newMail(about), ...text });
  const { email } = await db.User.findById(userId).orFail().lean();
  return {
    _id: new Types.ObjectId(String(_id)),
    userId,
    email: String(email),
    row: () => db.Mail.findById(_id).lean(),
    received: () => mailbox.mails(String(email)),
    /** Makes the next attempt due. */
    hurry: () => db.Mail.updateOne({ _id }, { $set: { nextAttemptAt: new Date() } }),
  };
}

test("a mail goes once to the verified address, as text and HTML, with the headers of a notice", async () => {
  const mail = await dueMail({ title: "Grüße\r\nBcc: eve@example.com", link: "https://app.example/#mine" });
  await deliver();
  await deliver();
  expect(mail.received()).toMatchObject([
    {
      from: "no-reply@example.com",
      to: [mail.email],
      subject: expect.stringMatching(/^Grüße +Bcc: eve@example.com$/),
      text: expect.stringContaining("Open your courses: https://app.example/#mine"),
      html: expect.stringMatching(/<img src="data:image\/png;base64,[\s\S]+Well done/),
    },
  ]);
  const headers = Object.fromEntries(mail.received()[0]?.headers.map(({ name, value }) => [name, value]) ?? []);
  expect(headers).toMatchObject({
    "message-id": `<${mail._id}@example.com>`,
    from: "Lyceum <no-reply@example.com>",
    "auto-submitted": "auto-generated",
    "content-type": expect.stringMatching(/^multipart\/alternative/),
  });
  expect(headers).not.toHaveProperty("bcc");
  expect(await mail.row()).toMatchObject({ state: "sent", attempts: 1 });
  expect(await mail.row()).not.toHaveProperty("nextAttemptAt");
});

test.each([
  ["refuse-recipient", 450],
  ["error", 451],
  ["error", 421],
  ["cut", undefined],
] as const)("after %s %s the mail is tried again later, until it is taken", async (kind, status) => {
  const mail = await dueMail();
  mailbox.faults.add({ kind, on: mail.email, ...(status ? { status } : {}) });
  await deliver();
  expect(await mail.row()).toMatchObject({ state: "waiting", attempts: 1, reason: expect.stringMatching(/./) });
  await deliver();
  expect(await mail.row()).toMatchObject({ attempts: 1 });
  mailbox.faults.clear();
  await mail.hurry();
  await deliver();
  expect([await mail.row(), mail.received()]).toMatchObject([{ state: "sent", attempts: 2 }, [{}]]);
});

test("while the server is away a run ends after some mails, and after a day a mail is dropped", async () => {
  const mails = await Promise.all(Array.from({ length: 20 }, () => dueMail()));
  const old = await dueMail({ createdAt: new Date(Date.now() - 86_400_001) });
  const away = createMailer({ url: "smtp://127.0.0.1:1", from }, server.deps.log);
  await deliver({ deps: { ...server.deps, mailer: away } });
  const tried = await db.Mail.countDocuments({ _id: { $in: mails.map(({ _id }) => _id) }, attempts: { $gt: 0 } });
  expect(tried).toBeGreaterThan(0);
  expect(tried).toBeLessThanOrEqual(10);
  await db.Mail.updateMany({ state: "waiting" }, { $set: { nextAttemptAt: new Date() } });
  await deliver();
  for (const mail of mails) expect(mail.received()).toHaveLength(1);
  expect(await old.row()).toMatchObject({ state: "dropped", reason: "too old", attempts: 0 });
});

test("receipts go before all other mails, and educators' announcements take turns with them", async () => {
  for (let n = 0; n < 60; n += 1) await dueMail({ type: "announcement", ownerId: "busy", title: `busy ${n}` });
  await dueMail({ title: "own" });
  const old = await dueMail({ title: "old" });
  await db.Mail.updateOne({ _id: old._id }, { $unset: { ownerId: 1 } });
  await dueMail({ type: "purchase_receipt", title: "receipt" });
  const before = mailbox.mails().length;
  await deliver();
  const subjects = mailbox
    .mails()
    .slice(before)
    .map(({ subject }) => subject);
  expect(subjects).toHaveLength(63);
  expect(subjects.indexOf("receipt")).toBe(0);
  for (const title of ["own", "old"]) expect(subjects.indexOf(title)).toBeLessThanOrEqual(12);
});

test("an address that is refused for good is suppressed, for its owner until the address changes", async () => {
  const mail = await dueMail();
  mailbox.faults.add({ kind: "refuse-recipient", on: mail.email, times: 1 });
  await deliver();
  expect(await mail.row()).toMatchObject({ state: "refused", reason: expect.stringContaining("550") });
  const second = newMail({ userId: mail.userId, type: "announcement", title: "Second", body: "", link: null });
  await db.Mail.create(second);
  await deliver();
  expect(await db.Mail.findById(second._id).lean()).toMatchObject({ state: "dropped", reason: "suppressed address" });
  const email = `New.${mail.email}`;
  await db.User.updateOne({ _id: mail.userId }, { $set: { email, verifiedEmail: email.toLowerCase() } });
  const third = newMail({ userId: mail.userId, type: "announcement", title: "Third", body: "", link: null });
  await db.Mail.create(third);
  await deliver();
  expect(mailbox.mails(email)).toMatchObject([{ subject: "Third" }]);
});

test("a suppressed address gets mail again when the user changes it and comes back", async () => {
  const mail = await dueMail();
  await db.SuppressedAddress.create({ _id: mail.email, userId: mail.userId, reason: "550" });
  const changeTo = (email: string) => {
    const addresses = [{ id: "1", email_address: email, verification: { status: "verified" } }];
    const data = { id: mail.userId, email_addresses: addresses, primary_email_address_id: "1", updated_at: Date.now() };
    return db.transaction((session) =>
      applyIdentityEvent(db, session, { type: "user.updated", data, sentAt: Date.now() }),
    );
  };
  await changeTo(mail.email.toUpperCase());
  expect(await db.SuppressedAddress.exists({ _id: mail.email })).not.toBeNull();
  await changeTo("elsewhere@example.com");
  await changeTo(mail.email);
  await deliver();
  expect(await mail.row()).toMatchObject({ state: "sent" });
});

test("an entry of a suppressed address ends after 90 days", async () => {
  const [index] = (await db.SuppressedAddress.listIndexes()).filter(({ key }) => key.createdAt);
  expect(index?.expireAfterSeconds).toBe(90 * 86_400);
});

test("a mail that is refused for good is not tried again, and its address is not suppressed", async () => {
  const mail = await dueMail();
  mailbox.faults.add({ kind: "error", status: 554, on: mail.email, times: 1 });
  await deliver();
  await deliver();
  expect([await mail.row(), mail.received()]).toMatchObject([{ state: "refused", attempts: 1 }, []]);
  expect(await db.SuppressedAddress.exists({ _id: mail.email })).toBeNull();
});

test("a mail whose answer never came is never sent again", async () => {
  const mail = await dueMail();
  mailbox.faults.add({ kind: "lost-reply", on: mail.email, times: 1 });
  await deliver();
  await deliver();
  expect([await mail.row(), mail.received()]).toMatchObject([{ state: "unknown", attempts: 1 }, [{}]]);
});

test("a mail can be switched off by its headers, unless its type cannot", async () => {
  const [mail, receipt] = [await dueMail(), await dueMail({ type: "purchase_receipt" })];
  await deliver();
  const unsubscribing = ({ received }: typeof mail) =>
    received()[0]?.headers.flatMap(({ name, value }) => (name.startsWith("list-unsubscribe") ? [value] : []));
  const token = await db.UnsubscribeToken.findOne({ userId: mail.userId }).orFail().lean();
  expect(token).toMatchObject({ type: "certificate_issued", email: mail.email });
  const url = `${server.deps.config.backendUrl}/unsubscribe/${token._id}`;
  expect(unsubscribing(mail)?.sort()).toEqual([`<${url}>`, "List-Unsubscribe=One-Click"]);
  expect(unsubscribing(receipt)).toEqual([]);
});

test("a mail goes to the verified primary address alone, from the event on that names it", async () => {
  const [mail, primary] = [await dueMail(), "own@example.com"];
  const listed = unverifiedFirst(mail.email, primary);
  await deliverIdentity(server, userData(mail.userId, primary, listed), "user.updated");
  const earlier = userData(mail.userId, mail.email, { updated_at: Date.now() - 60_000 });
  await deliverIdentity(server, earlier, "user.updated");
  await deliver();
  expect(mailbox.mails(primary)).toMatchObject([{ to: [primary] }]);
  expect(mail.received()).toEqual([]);
  expect(await db.User.findById(mail.userId).lean()).toMatchObject({ email: mail.email, verifiedEmail: primary });
});

test("nobody without a verified address gets a mail, nor a user who was erased or has left", async () => {
  const [unverified, erased] = [await dueMail(), await dueMail()];
  await db.User.updateOne({ _id: unverified.userId }, { $unset: { verifiedEmail: 1 } });
  await db.User.deleteOne({ _id: erased.userId });
  await deliver();
  for (const mail of [unverified, erased]) {
    expect([await mail.row(), mail.received()]).toMatchObject([{ state: "dropped" }, []]);
  }
});

test("an erasure takes the user's mails and suppressed address", async () => {
  const { id, token } = await server.signedIn();
  const { email } = await db.User.findById(id).orFail().lean();
  await db.SuppressedAddress.create([
    { _id: email, userId: "had-it-before", reason: "550" },
    { _id: "former@example.com", userId: id, reason: "550" },
  ]);
  await db.Mail.create(newMail({ userId: id, type: "announcement", title: "Hello", body: "", link: null }));
  expect(await server.call("DELETE", "/api/user/data", { token, body: { confirm: id } })).toMatchObject({
    status: 200,
  });
  await expect.poll(() => db.Mail.exists({ userId: id })).toBeNull();
  expect(await db.SuppressedAddress.countDocuments({ _id: { $in: [email, "former@example.com"] } })).toBe(0);
});

test("two instances at once send each mail once", async () => {
  const another = await server.another();
  const mails = await Promise.all(Array.from({ length: 40 }, () => dueMail()));
  await Promise.all([deliver(), deliver(another)]);
  await deliver();
  for (const mail of mails) expect(mail.received().length).toBeLessThanOrEqual(1);
  const states = await Promise.all(mails.map(async ({ row }) => (await row())?.state));
  expect(states.filter((state) => state === "waiting" || state === "sending")).toEqual([]);
});

test("a server that was killed during a call never sends that mail again", async () => {
  const mail = await dueMail();
  mailbox.faults.add({ kind: "slow", ms: 60_000, on: mail.email, times: 1 });
  const instance = await startServerProcess(server);
  await expect.poll(async () => (await mail.row())?.state).toBe("sending");
  await instance.kill();
  await deliver();
  expect([await mail.row(), mail.received()]).toMatchObject([{ state: "unknown", attempts: 1 }, []]);
});

test("a stop cuts off a mail server that hangs, and the mail stays unknown", async () => {
  const mail = await dueMail();
  mailbox.faults.add({ kind: "timeout", on: mail.email, times: 1 });
  const stopping = new AbortController();
  const run = deliver(server, stopping.signal);
  await expect.poll(() => mail.received().length).toBe(1);
  stopping.abort();
  await run;
  expect(await mail.row()).toMatchObject({ state: "unknown", reason: expect.stringMatching(/abort/i) });
});

test("a server without mail drops the mails", async () => {
  const mail = await dueMail();
  await deliver({ deps: { ...server.deps, mailer: undefined } });
  expect([await mail.row(), mail.received()]).toMatchObject([{ state: "dropped", reason: "mail is off" }, []]);
});

test("a mail server that nobody reaches is away, and an address is never a command", async () => {
  const text = {
    id: "1",
    to: "a@example.com",
    subject: "s",
    text: "t",
    html: "h",
    pictures: [],
    unsubscribeUrl: "https://api.example/u/1",
  };
  const { signal } = new AbortController();
  const unreachable = createMailer({ url: "smtp://127.0.0.1:1", from }, server.deps.log);
  expect(await unreachable.send(text, signal)).toMatchObject({ kind: "tryAgain", isAway: true });
  const mailer = createMailer({ url: mailbox.smtpUrl, from }, server.deps.log);
  for (const to of ["a@example.com\r\nRCPT TO:<eve@example.com>", "a@example.com, eve@example.com"]) {
    expect(await mailer.send({ ...text, to }, signal)).not.toMatchObject({ kind: "accepted" });
  }
  expect(mailbox.mails("eve@example.com")).toEqual([]);
  mailer.close();
});
