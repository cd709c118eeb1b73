import { inForce } from "../../../src/models/enrollments/enrollment.js";
import { coursesOf, type Purchase, soldId } from "../../../src/models/payments/purchase.js";
import { isPseudonym } from "../../../src/services/privacy/pseudonym.js";
import { type Promised, promise } from "./promise.js";

const pairOf = (row: { userId: string | null; courseId: unknown }): string => `${row.userId} ${row.courseId}`;

export const ofAccess: readonly Promised[] = [
  promise("enrolled are those who bought the course or were granted it", async ({ system }, expect) => {
    const { Enrollment, Purchase, Grant } = system.db;
    const has = new Set((await Enrollment.find(inForce()).lean()).map(pairOf));
    const sales = await Purchase.find({ status: "completed" }).lean<Purchase[]>();
    const bought = sales.flatMap((sale) => coursesOf(sale).map((courseId) => ({ userId: sale.userId, courseId })));
    const granted = await Grant.find({ state: "active" }, { userId: 1, courseId: 1 }).lean();
    // An erased learner keeps the purchase under a pseudonym, and loses the access.
    const entitled = new Set([...bought, ...granted].filter(({ userId }) => !isPseudonym(userId ?? "")).map(pairOf));
    for (const pair of new Set([...has, ...entitled])) {
      expect(
        has.has(pair) && entitled.has(pair),
        () => `${pair} is ${has.has(pair) ? "enrolled without" : "not enrolled with"} a purchase or grant`,
      );
    }
  }),
  promise("a course, or a path, is bought once, or the second charge is flagged", async ({ system }, expect) => {
    const completed = await system.db.Purchase.find({ status: "completed" }).lean<Purchase[]>();
    const saleOf = (row: Purchase) => pairOf({ userId: row.userId, courseId: soldId(row) });
    for (const pair of new Set(completed.map(saleOf))) {
      const rows = completed.filter((row) => saleOf(row) === pair);
      const flagged = rows.some(({ reviews }) => reviews?.some(({ reason }) => reason === "duplicate_charge"));
      expect(rows.length === 1 || flagged, () => `${pair} was bought ${rows.length} times`);
    }
  }),
  promise(
    "a grant that was acknowledged is kept, and waits only for who is unknown",
    async ({ system, journal }, expect) => {
      const rows = await system.db.Grant.find().lean();
      const known = new Set(
        (await system.db.User.find({}, { verifiedEmail: 1 }).lean()).map((user) => user.verifiedEmail ?? null),
      );
      for (const { id } of journal.grants)
        expect(
          rows.some(({ _id }) => String(_id) === id),
          () => `grant ${id} is gone`,
        );
      for (const { _id, state, email } of rows) {
        expect(state !== "waiting" || !known.has(email), () => `grant ${_id} waits for ${email}, who is there`);
      }
    },
  ),
  promise("approved is who is an educator, here and at the identity provider", async ({ system, journal }, expect) => {
    const { EducatorApplication, RoleRecord } = system.db;
    const records = new Map((await RoleRecord.find().lean()).map(({ _id, role }) => [_id, role]));
    for (const { userId, status } of await EducatorApplication.find().lean()) {
      const isEducator = records.get(userId) === "educator";
      expect(
        (status === "approved") === isEducator,
        () => `the application of ${userId} is ${status}, the role ${records.get(userId)}`,
      );
    }
    for (const { userId } of journal.approved) {
      const there = system.emulators.identity.user(userId)?.publicMetadata.role;
      expect(records.get(userId) === "educator", () => `${userId} was approved and is no educator`);
      // After an erasure there is no user to write to the provider.
      if (journal.erasing.has(userId)) continue;
      expect(there === "educator", () => `${userId} was approved, the provider knows of ${there}`);
    }
  }),
];
