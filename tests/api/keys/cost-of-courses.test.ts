import { Types } from "mongoose";
import { expect, test } from "vitest";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { createKey } from "../../factories/api-keys.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { addSales } from "../../factories/stored-sales.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "counts documents" });
const { db } = server.deps;
const admin = await server.signedIn("admin");
const [inside, outside] = [(await buildCourse(server))._id, (await buildCourse(server))._id];
const { secret } = await createKey(server, admin, "admin", {
  scopes: ["courses:read", "learners:read", "enrollments:read", "purchases:read", "coupons:read"],
  courseIds: [String(inside)],
});
const learner = await server.signedIn();
await enroll(server, learner.id, inside);
await addSales(db, inside, 5);
await buildCoupon(server, admin, { courseIds: [String(inside)] });

const paths = ["courses", "users", "purchases", "enrollments", "coupons"].map((list) => `/api/admin/${list}?limit=3`);

async function costs() {
  const found: unknown[] = [];
  for (const path of paths) {
    const commands = await commandsDuring(server, async () => {
      expect(await server.get(path, secret)).toMatchObject({ status: 200 });
    });
    const { documents, scans } = await effortOf(server, commands);
    found.push({ path, documents, scans });
  }
  return found;
}

// Another engine plans by other figures.
test.skipIf(process.env.MONGODB_URI)("a list for a key with `courseIds` costs the same among many others", async () => {
  await server.get("/api/key", secret);
  await expect.poll(() => db.ApiKey.exists({ lastUsedAt: { $ne: null } })).not.toBeNull();
  const few = await costs();
  await addSales(db, outside, 300);
  const coupon = await db.Coupon.findOne().orFail().lean();
  const course = { courseTitle: "x", courseDescription: "x", coursePrice: 1, createdAt: new Date() };
  const coupons = Array.from({ length: 300 }, (_, n) => ({ code: `C${n}`, _id: new Types.ObjectId() }));
  await db.Coupon.insertMany(coupons.map((one) => ({ ...coupon, ...one, courseIds: [outside] })));
  await db.Course.insertMany(coupons.map(({ code }) => ({ ...course, educatorId: code })));
  expect(await costs()).toEqual(few);
  expect(few.flatMap((one) => (one as { scans: string[] }).scans)).toEqual([]);
});
