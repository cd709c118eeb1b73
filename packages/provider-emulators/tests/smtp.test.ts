import { createTransport, type Transporter } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";
import type { Emulators } from "../src/index.js";
import { started, startedEmulators } from "./start.js";

function clientOf(emulators: Emulators): Transporter {
  const client = createTransport({
    url: emulators.env.SMTP_URL,
    auth: { user: "any", pass: "any" },
    socketTimeout: 300,
  });
  onTestFinished(() => client.close());
  return client;
}

const letter = { from: "Lyceum <no-reply@example.com>", to: "asha@example.com", subject: "Grüße", text: "Plain" };

test("a mail is kept as it was sent, with its pictures inside", async () => {
  const emulators = await startedEmulators();
  const mail = started(emulators.smtp);
  const picture = { cid: "logo", content: Buffer.from("picture"), filename: "logo.png" };
  await clientOf(emulators).sendMail({ ...letter, html: '<img src="cid:logo">', attachments: [picture] });
  await clientOf(emulators).sendMail({ ...letter, to: "ben@example.com" });
  expect(mail.mails("asha@example.com")).toMatchObject([
    {
      from: "no-reply@example.com",
      to: ["asha@example.com"],
      subject: "Grüße",
      text: "Plain",
      html: `<img src="data:image/png;base64,${Buffer.from("picture").toString("base64")}">`,
      headers: expect.arrayContaining([{ name: "mime-version", value: "1.0" }]),
    },
  ]);
  const listed = await fetch(`${mail.url}/dev/mails?to=ben@example.com`);
  expect(await listed.json()).toMatchObject({ mails: [{ subject: "Grüße", to: ["ben@example.com"] }] });
  const page = await fetch(`${mail.url}/dev/mails/${mail.mails()[0]?.id}/html`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await page.text()).toContain("<img");
  expect((await fetch(`${mail.url}/dev/mails/absent`)).status).toBe(404);
  await fetch(`${mail.url}/dev/mails`, { method: "DELETE" });
  expect(mail.mails()).toEqual([]);
});

test.each([
  [{ kind: "away" }, undefined, 0],
  [{ kind: "refuse-connection" }, 554, 0],
  [{ kind: "refuse-sign-in" }, 535, 0],
  [{ kind: "refuse-sender", status: 553, text: "5.7.1 Not yours" }, 553, 0],
  [{ kind: "refuse-recipient" }, 550, 0],
  [{ kind: "refuse-recipient", status: 450 }, 450, 0],
  [{ kind: "error" }, 451, 0],
  [{ kind: "error", status: 554 }, 554, 0],
  [{ kind: "cut" }, undefined, 0],
  [{ kind: "cut-data" }, undefined, 0],
  [{ kind: "lost-reply" }, undefined, 1],
  [{ kind: "timeout" }, undefined, 1],
] as const)("the client meets %o once, for the named recipient", async (fault, responseCode, kept) => {
  const emulators = await startedEmulators();
  const mail = started(emulators.smtp);
  const knowsRecipient = !/^away|connection|sign-in|sender/.test(fault.kind);
  mail.faults.add({ ...fault, times: 1, ...(knowsRecipient && { on: letter.to }) });
  const client = clientOf(emulators);
  if (knowsRecipient) await client.sendMail({ ...letter, to: "ben@example.com" });
  const failed = await client.sendMail(letter).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect((failed as { responseCode?: number }).responseCode).toBe(responseCode);
  expect(mail.mails(letter.to)).toHaveLength(kept);
  await client.sendMail(letter);
  expect(mail.mails(letter.to)).toHaveLength(kept + 1);
});
