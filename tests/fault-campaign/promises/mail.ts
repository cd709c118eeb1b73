import { type Promised, promise } from "./promise.js";

/** Number of received copies that a mail may have, by its state. */
const copies: Readonly<Record<string, readonly number[]>> = { sent: [1], unknown: [0, 1], refused: [0], dropped: [0] };

export const ofMail: readonly Promised[] = [
  promise("no mail came twice", async ({ system: { emulators } }, expect) => {
    const ids = emulators.mail.mails().map(({ headers }) => headers.find(({ name }) => name === "message-id")?.value);
    for (const [at, id] of ids.entries()) expect(ids.indexOf(id) === at, () => `the mail ${id} came twice`);
  }),
  promise("every mail was sent, or is unknown, or has a reason", async ({ system: { db, emulators } }, expect) => {
    const received = emulators.mail
      .mails()
      .flatMap(({ headers }) =>
        headers.flatMap(({ name, value }) => (name === "message-id" ? (/^<([^@]+)@/.exec(value)?.[1] ?? []) : [])),
      );
    for await (const { _id, state = "waiting", reason } of db.Mail.find().lean()) {
      const count = received.filter((id) => id === String(_id)).length;
      const isRight = copies[state]?.includes(count) && (state === "sent" || reason !== undefined);
      expect(isRight === true, () => `the mail ${_id} is ${state} (${reason}) and came ${count} times`);
    }
  }),
];
