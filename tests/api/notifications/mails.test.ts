import { expect, test } from "vitest";
import { recordEvents } from "../../../src/services/events/record-event.js";
import { giveNumbers } from "../../../src/services/invoices/number-invoices.js";
import { applicant, apply, decide } from "../../factories/applications.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { makeDueNotices } from "../../factories/notices.js";
import { buildPath } from "../../factories/paths.js";
import { deliver, disputeEvent, refundEvent } from "../../factories/payment-events.js";
import { paidPurchase } from "../../factories/purchases.js";
import { buy } from "../../factories/sales.js";
import { dieInWork } from "../../server/dying-instance.js";
import { mailOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({
  own: "makes the notices of all rows",
  env: { TAX_NAME: "GST", TAX_PERCENT: "18" },
});
const { db, config } = server.deps;
const admin = await server.signedIn("admin");

const number = (own = db) => giveNumbers({ db: own, settings: config.invoices }, new Date(Date.now() + 60_000));
const mailsTo = (userId: string) => db.Mail.find({ userId }).sort({ _id: 1 }).lean();
const typesOf = async (userId: string) => (await mailsTo(userId)).map(({ type }) => type);

/** Numbers documents, makes notices and sends the mails. @returns what the user received. */
async function receivedBy({ id }: SignedIn) {
  await number();
  await makeDueNotices(server);
  await runJob(server, "deliver-mail");
  const { email = "" } = await db.User.findById(id).orFail().lean();
  return mailOf(server).mails(email);
}
const headerOf = (mail: { headers: readonly { name: string; value: string }[] } | undefined, wanted: string) =>
  mail?.headers.find(({ name }) => name === wanted)?.value;

/** Bytes of a line that RFC 5322 recommends at most. */
const maxLine = 78;
const longestLine = ({ raw } = { raw: "" }) =>
  // An address in the head cannot be folded.
  Math.max(
    ...raw
      .slice(raw.indexOf("\r\n\r\n"))
      .split("\r\n")
      .map((line) => Buffer.byteLength(line)),
  );

test("a buyer gets a receipt with the numbered invoice, which nothing switches off", async () => {
  const { learner, course, purchaseId, paymentId, orderId } = await paidPurchase(server);
  await makeDueNotices(server);
  expect(await typesOf(learner.id)).toEqual([]);
  const [mail, ...others] = await receivedBy(learner);
  expect(others).toEqual([]);
  const { number: invoiceNumber } = await db.Invoice.findOne({ purchaseId }).orFail().lean();
  expect(mail?.subject).toBe(`Your receipt for “${course.courseTitle}”`);
  for (const part of [invoiceNumber, orderId, paymentId, "₹", "Total", "Includes 18 % GST", "Seller: Lyceum"]) {
    expect(mail?.text).toContain(part);
  }
  expect(mail?.raw).toMatch(new RegExp(`Content-Type: application/pdf; name=${invoiceNumber}\\.pdf`));
  // The first bytes of a PDF in base64.
  expect(mail?.raw).toMatch(/Content-Disposition: attachment[\s\S]*?\r?\n\r?\nJVBERi0xLjc/);
  expect([headerOf(mail, "list-unsubscribe"), headerOf(mail, "list-unsubscribe-post")]).toEqual([undefined, undefined]);
  expect(mail?.text).not.toContain("Switch off");
  expect(headerOf(mail, "content-type")).toMatch(/^multipart\/mixed/);
  expect(longestLine(mail)).toBeLessThanOrEqual(maxLine);
  expect(await db.UnsubscribeToken.exists({ userId: learner.id })).toBeNull();
});

test("the receipt of a path leads to the learner's courses", async () => {
  const learner = await server.signedIn();
  const courses = await Promise.all([buildCourse(server), buildCourse(server)]);
  const path = await buildPath(server, { courseIds: courses.map(({ _id }) => _id) });
  const { body } = await server.post("/api/user/purchase", { pathId: String(path._id) }, learner.token);
  await server.emulators.razorpay?.pay(body.orderId);
  await server.emulators.razorpay?.settled();
  expect((await receivedBy(learner))[0]?.text).toMatch(/Start learning: \S+\/my-enrollments\s/);
});

test("what costs nothing has no receipt", async () => {
  const learner = await server.signedIn();
  await buy(server, learner, (await buildCourse(server, { coursePrice: 0 }))._id);
  const [course, { code }] = [await buildCourse(server), await buildCoupon(server, admin, { value: 100 })];
  const body = { courseId: String(course._id), coupon: code };
  expect(await server.post("/api/user/purchase", body, learner.token)).toMatchObject({ status: 200 });
  expect(await receivedBy(learner)).toEqual([]);
});

test("each refund, and a lost chargeback, is one mail with its credit note", async () => {
  const { learner, paymentId, amount, course } = await paidPurchase(server);
  await receivedBy(learner);
  await deliver(server, refundEvent({ id: `rfnd_${paymentId}`, paymentId, amount: 10_000 }));
  await receivedBy(learner);
  await deliver(server, disputeEvent("lost", { id: `disp_${paymentId}`, paymentId, amount: amount - 10_000 }));
  const [, first, second, ...others] = await receivedBy(learner);
  expect(others).toEqual([]);
  const notes = await db.Invoice.find({ kind: "credit-note", "facts.paymentId": paymentId }).sort({ _id: 1 }).lean();
  for (const [at, mail] of [first, second].entries()) {
    expect(mail?.subject).toBe(`Your refund for “${course.courseTitle}”`);
    expect(mail?.text).toContain(`Credit note: ${notes[at]?.number}`);
    expect(mail?.raw).toContain(`name=${notes[at]?.number}.pdf`);
  }
  expect(first?.text).toContain("₹100.00 was paid back.");
});

test("each document is one mail, wherever the jobs die and whatever runs beside them", async () => {
  const { learner, paymentId, purchaseId } = await paidPurchase(server);
  for (let writes = 0; await dieInWork(server, writes, number); writes += 1);
  await deliver(server, refundEvent({ id: `rfnd_${paymentId}`, paymentId, amount: 5_000 }));
  const work = async (own: typeof db) => {
    await number(own);
    await runJob({ deps: { ...server.deps, db: own } }, "make-notices");
  };
  for (let writes = 0; await dieInWork(server, writes, work); writes += 1);
  const another = await server.another();
  await Promise.all([server, another].map(({ deps }) => work(deps.db)));
  expect(await typesOf(learner.id)).toEqual(["purchase_receipt", "purchase_refunded"]);
  const documents = await db.Invoice.find({ purchaseId }).sort({ _id: 1 }).lean();
  expect((await mailsTo(learner.id)).map(({ cause }) => cause)).toEqual(documents.map(({ _id }) => String(_id)));
  expect(documents.filter(({ noticeDueAt }) => noticeDueAt)).toEqual([]);
}, 60_000);

test("documents of version 1.0, which sent no mail, bring none, but a later refund does", async () => {
  const { learner, paymentId, purchaseId } = await paidPurchase(server);
  await number();
  await db.Invoice.updateOne({ purchaseId }, { $unset: { noticeDueAt: 1 } });
  expect(await receivedBy(learner)).toEqual([]);
  await deliver(server, refundEvent({ id: `rfnd_${paymentId}`, paymentId, amount: 5_000 }));
  expect(await receivedBy(learner)).toMatchObject([{ subject: expect.stringContaining("Your refund for") }]);
});

test("an announcement names course and educator, by the name that the educator has when it is sent", async () => {
  const [learner, educator] = [await server.signedIn(), await server.signedIn("educator")];
  const courses = await Promise.all(
    ["Rust", "Ruby"].map((courseTitle) => buildCourse(server, { courseTitle, educatorId: educator.id })),
  );
  for (const { _id } of courses) {
    await enroll(server, learner.id, _id);
    const body = { title: "Your account needs attention", body: `Hello\n\n${"word ".repeat(900)}` };
    await server.post(`/api/educator/courses/${_id}/announcements`, body, educator.token);
  }
  await makeDueNotices(server);
  await db.User.updateOne({ _id: educator.id }, { name: "Asha Rao" });
  const received = await receivedBy(learner);
  const subjects = ["Ruby: Your account needs attention", "Rust: Your account needs attention"];
  expect(received.map(({ subject }) => subject).sort()).toEqual(subjects);
  for (const mail of received) {
    expect(longestLine(mail)).toBeLessThanOrEqual(maxLine);
    expect(headerOf(mail, "from")).toBe("Asha Rao via Lyceum <no-reply@example.com>");
    expect(mail.text).toMatch(/^Announcement by Asha Rao in “Ru(st|by)”\n\nYour account needs attention\n\nHello/);
  }
  expect(await db.Mail.countDocuments({ userId: learner.id, $or: [{ title: /Asha/ }, { body: /Asha/ }] })).toBe(0);
});

test("a refused applicant reads the reason and a link, in the mail alone", async () => {
  const user = await applicant(server);
  await decide(server, admin, await apply(server, user), "reject", { reason: "Please add your <i>experience</i>." });
  const [mail] = await receivedBy(user);
  expect(mail?.text).toContain("Reason: Please add your <i>experience</i>.");
  expect(mail?.html).toContain("Please add your &lt;i&gt;experience&lt;/i&gt;.");
  expect(mail?.text).toContain(`Open your application: ${config.frontendUrl}/become-educator`);
  expect(JSON.stringify(await db.Notice.find({ userId: user.id }).lean())).not.toContain("experience");
});

test("the mail about a certificate links its PDF and the page that verifies it", async () => {
  const [learner, course] = [await server.signedIn(), await buildCourse(server)];
  const pdfUrl = "https://media.example.com/certificate.pdf";
  const data = {
    certificateId: "c0ffee",
    userId: learner.id,
    courseId: String(course._id),
    pdfUrl,
    edition: 1,
    expiresAt: null,
  };
  await db.transaction((session) => recordEvents(db, session, [{ type: "certificate.issued", data }]));
  const [mail] = await receivedBy(learner);
  for (const url of [pdfUrl, `${config.backendUrl}/api/certificate/verify/c0ffee`, `${config.frontendUrl}/my-enroll`]) {
    expect(mail?.text).toContain(url);
    expect(mail?.html).toContain(`href="${url}`);
  }
});
