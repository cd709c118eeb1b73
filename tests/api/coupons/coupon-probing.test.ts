import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const admin = await server.signedIn("admin");
const { code: taken } = await buildCoupon(server, admin, { code: "SECRET-SALE" });

const exists = refusal(409, "Coupon code already exists");
const tooMany = refusal(429, "Too many requests. Please try again later.");

async function educatorWithCourse(on = server) {
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id });
  const body = { kind: "percent", value: 10, courseIds: [String(course._id)] };
  return (code?: string) => on.post("/api/educator/coupons", code ? { ...body, code } : body, educator.token);
}

test("after ten conflicts within an hour an educator creates no further coupon, whatever its code", async () => {
  const create = await educatorWithCourse();
  for (let n = 0; n < 4; n += 1) expect(await create(taken)).toMatchObject(exists);
  // It does not tell how many are left.
  expect((await create(taken)).headers.get("ratelimit-policy")).toBe("600;w=600");
  expect((await create("FREE-CODE-1")).status).toBe(200);
  expect(await create("nonsense_code")).toMatchObject(refusal(400, "Invalid request data"));
  for (let n = 0; n < 5; n += 1) expect(await create(taken)).toMatchObject(exists);
  for (const code of [taken, "FREE-CODE-2", undefined]) {
    const refused = await create(code);
    expect([code, refused]).toMatchObject([code, tooMany]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
  }
  expect(await server.deps.db.Coupon.countDocuments({ code: "FREE-CODE-2" })).toBe(0);
  const other = await educatorWithCourse();
  expect((await other("FREE-CODE-2")).status).toBe(200);
});

test("conflicts at once are answered ten times, and say nothing afterwards", async () => {
  const create = await educatorWithCourse();
  const answers = await Promise.all(Array.from({ length: 14 }, () => create(taken)));
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
});

test("creations without a conflict are not limited by it, and an administrator's are not at all", async () => {
  const create = await educatorWithCourse();
  const made = await Promise.all(Array.from({ length: 14 }, () => create()));
  expect(made.filter(({ status }) => status === 200)).toHaveLength(14);
  const again = { kind: "percent", value: 10, code: taken };
  for (let n = 0; n < 12; n += 1)
    expect(await server.post("/api/admin/coupons", again, admin.token)).toMatchObject(exists);
});

test("while the shared store is away, an instance counts conflicts itself", async () => {
  const alone = await server.another({ REDIS_URL: "redis://127.0.0.1:9" });
  const create = await educatorWithCourse(alone);
  for (let n = 0; n < 10; n += 1) expect(await create(taken)).toMatchObject(exists);
  expect(await create("FREE-CODE-3")).toMatchObject(tooMany);
});
