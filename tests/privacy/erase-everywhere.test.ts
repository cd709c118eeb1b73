import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import type { MutexKey } from "../../src/db/transaction.js";
import { collections, type ModelName } from "../../src/models/index.js";
import { secondPassAfterMs } from "../../src/services/privacy/erase-user-data.js";
import { ratingDiscrepancies } from "../assertions/recount.js";
import { buildCoupon } from "../factories/coupons.js";
import { buildCourse } from "../factories/courses.js";
import { csvForm } from "../factories/csv-form.js";
import { deliverIdentity, signUp, userData } from "../factories/identity-events.js";
import { writePost } from "../factories/posts.js";
import { runJob } from "../server/run-job.js";
import { type SignedIn, startTestServer, type TestServer } from "../server/test-server.js";
import { finishErasure, learnerEverywhere, placesOf } from "./learner-everywhere.js";

const server = await startTestServer({ own: "looks through all rows" });
const { db } = server.deps;

const erase = ({ id, token }: SignedIn) => server.call("DELETE", "/api/user/data", { token, body: { confirm: id } });

const collectionsOf = (places: readonly string[]) => new Set(places.map((place) => place.split(".")[0]));

test("name, address and id of a user with data in every collection are only where privacy.md says", async () => {
  const { learner, email, name } = await learnerEverywhere(server);
  const before = collectionsOf(
    [await placesOf(server, learner.id), await placesOf(server, email), await placesOf(server, name)].flat(),
  );
  const unnamed = Object.entries(collections).flatMap(([model, { userData }]) => {
    const { collectionName } = db[model as ModelName].collection;
    return userData !== "none" && !before.has(collectionName) ? [model] : [];
  });
  // The erasure begins later; replies are kept under a hash; no review was settled.
  expect(unnamed.sort()).toEqual(["Erasure", "IdempotentRequest", "PaymentEvent"]);

  expect((await erase(learner)).body).toEqual({ success: true, erased: true });
  await finishErasure(server, learner.id);

  expect(await ratingDiscrepancies(db)).toEqual([]);
  expect(await placesOf(server, email)).toEqual(["invoices.facts.buyer.email", "purchases.buyer.email"]);
  expect(await placesOf(server, name)).toEqual(["invoices.facts.buyer.name", "purchases.buyer.name"]);
  expect(await placesOf(server, learner.id)).toEqual([
    "accounts._id",
    "auditentries.actorId",
    "auditentries.after.createdBy",
    "auditentries.before.authorId",
    "auditentries.targetId",
    "certificatetemplates.educatorId",
    "coupons.createdBy",
    "courseresources.educatorId",
    "courses.educatorId",
    "educatorapplications.userId",
    "enrollmentimports.requestedBy",
    "events.data.userId",
    "events.educatorId",
    "grants.grantedBy",
    "paths.educatorId",
    "questions.educatorId",
    "rolerecords._id",
  ]);
}, 60_000);

/** Lets a request that needs a mutex of the server wait for it after its reads, until `release` is called. */
function hold(mutex: MutexKey): { release(): Promise<void> } {
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holding = db.transaction(() => held, { mutex, deadlineMs: 20_000 });
  return {
    async release() {
      end();
      await holding;
    },
  };
}

test("a purchase and a post that read the profile before the erasure keep nothing of it", async () => {
  const name = "Ottoline Underway";
  const learner = await server.signedIn("student", name);
  const { email } = await db.User.findById(learner.id).orFail().lean();
  const { code } = await buildCoupon(server, await server.signedIn("admin"));
  const courseId = String((await buildCourse(server))._id);
  const held = [hold(`coupon:${code}`), hold("ungrouped-posts")];
  const transaction = vi.spyOn(db, "transaction");
  const underWay = [
    server.post("/api/user/purchase", { courseId, coupon: code }, learner.token),
    server.post("/api/community/posts", { title: "Monads", content: "Why?", tags: [] }, learner.token),
  ];
  const waiting = () => transaction.mock.calls.map(([, options]) => options?.mutex);
  await expect.poll(waiting).toEqual(expect.arrayContaining([`coupon:${code}`, "ungrouped-posts"]));
  transaction.mockRestore();
  expect((await erase(learner)).body).toEqual({ success: true, erased: true });
  for (const mutex of held) await mutex.release();
  expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([200, 200]);
  expect(collectionsOf(await placesOf(server, name))).toEqual(new Set(["communityposts", "purchases"]));

  const { erasedAt, nextAttemptAt } = await db.Erasure.findById(learner.id).orFail().lean();
  expect(nextAttemptAt.getTime() - (erasedAt?.getTime() ?? 0)).toBe(secondPassAfterMs);
  await finishErasure(server, learner.id);
  expect(await placesOf(server, name)).toEqual([]);
  expect(await placesOf(server, email)).toEqual([]);
  expect(await placesOf(server, learner.id)).toEqual([
    ...["accounts._id", "auditentries.actorId", "auditentries.targetId", "events.data.userId"],
  ]);
});

test("the job does not come before the pause is over, and leaves a user alone who came back in it", async () => {
  const email = `${randomUUID()}@back.example`;
  const learner = await signUp(server, email);
  expect((await erase(learner)).body).toEqual({ success: true, erased: true });

  await runJob(server, "erase-user-data");
  const changed = userData(learner.id, email, { updated_at: Date.now() + 1_000 });
  expect(await deliverIdentity(server, changed, "user.updated")).toBe(200);
  const post = await writePost(server, learner);
  expect(await db.Erasure.exists({ _id: learner.id })).not.toBeNull();
  await finishErasure(server, learner.id);
  expect(await db.CommunityPost.findById(post._id).lean()).toMatchObject({ authorId: learner.id });
  expect(await db.User.findById(learner.id).lean()).toMatchObject({ verifiedEmail: email });
});

test("of an account that was deleted first the address is erased as well", async () => {
  const admin = await server.signedIn("admin");
  const removeAccount = async (on: TestServer, courseId: string) => {
    const email = `${randomUUID()}@deleted.example`;
    const learner = await signUp(server, email);
    const body = csvForm(`email,courseId,expiresAt\n${email.toUpperCase()},${courseId},`);
    expect((await server.call("POST", "/api/admin/enrollments/import", { token: admin.token, body })).status).toBe(200);
    await runJob(server, "import-enrollments");
    expect(await deliverIdentity(on, { id: learner.id }, "user.deleted")).toBe(200);
    expect(await placesOf(server, email)).not.toEqual([]);
    return { ...learner, email };
  };
  // The row of the table fails, so that nothing but the address leads from the user to it.
  const erased = await removeAccount(await server.another({ ERASE_DELETED_ACCOUNTS: "on" }), "nonsense");
  await finishErasure(server, erased.id);
  expect(await placesOf(server, erased.email)).toEqual([]);
  // The user requests it while the session token is still valid: the grant tells the address.
  const asking = await removeAccount(server, String((await buildCourse(server))._id));
  expect((await erase(asking)).body.erased).toBe(true);
  await finishErasure(server, asking.id);
  expect(await placesOf(server, asking.email)).toEqual([]);
});
