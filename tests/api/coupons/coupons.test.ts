import { expect, test } from "vitest";
import { type CouponItem, findApplicableCoupon } from "../../../src/models/payments/coupon.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath } from "../../factories/paths.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const admin = await server.signedIn("admin");

const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

test("a coupon is answered as it is stored, with a random code unless one is given", async () => {
  const course = await buildCourse(server);
  const terms = { startsAt: inHours(-1), expiresAt: inHours(1), maxRedemptions: 5, maxPerUser: 2 };
  const given = { code: " summer-26 ", kind: "amount", value: 99.5, courseIds: [String(course._id)], ...terms };
  const { status, body } = await server.post("/api/admin/coupons", given, admin.token);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      success: true,
      coupon: {
        ...{ ...given, code: "SUMMER-26", _id: expect.stringMatching(/^[0-9a-f]{24}$/) },
        ...{ pathIds: null, active: true, reserved: 0, redeemed: 0, createdAt: expect.stringMatching(/Z$/) },
      },
    },
  });
  const random = await buildCoupon(server, admin);
  expect(random).toMatchObject({
    ...{ code: expect.stringMatching(/^[A-Z0-9]{10}$/), courseIds: null, startsAt: null, expiresAt: null },
    ...{ maxRedemptions: null, maxPerUser: 1, pathIds: null },
  });
  const again = await server.post("/api/admin/coupons", { ...given, code: "Sum mer\uff0d26\u00ad" }, admin.token);
  expect(again).toMatchObject(refusal(409, "Coupon code already exists"));
  const audited = await server.deps.db.AuditEntry.findOne({ targetId: body.coupon._id }).lean();
  expect(audited).toMatchObject({ actorId: admin.id, action: "coupon.create", after: { code: "SUMMER-26" } });
});

test.each<[string, object, ReturnType<typeof refusal>?]>([
  ["a course that does not exist", { courseIds: ["665f1c2ab7e4d90012ab34cd"] }, refusal(404, "Course not found")],
  ["a course that cannot exist", { courseIds: ["nonsense"] }, refusal(404, "Course not found")],
  ["no kind", { kind: undefined }],
  ["another kind", { kind: "gift" }],
  ["a percentage above 100", { value: 101 }],
  ["a percentage below 1", { value: 0.5 }],
  ["an amount of nothing", { kind: "amount", value: 0 }],
  ["an amount with three decimals", { kind: "amount", value: 1.005 }],
  ["a short code", { code: "ABC" }],
  ["a long code", { code: "A".repeat(33) }],
  ["a code with other characters", { code: "SAVE_10" }],
  ["no courses at all", { courseIds: [] }],
  ["a date that is none", { expiresAt: "tomorrow" }],
  ["an end before the start", { startsAt: inHours(2), expiresAt: inHours(1) }],
  ["no redemptions", { maxRedemptions: 0 }],
  ["more redemptions than allowed", { maxRedemptions: 1_000_001 }],
  ["more for one learner than allowed", { maxPerUser: 101 }],
])("a coupon with %s is refused", async (_, fields, refused = refusal(400, "Invalid request data")) => {
  const body = { kind: "percent", value: 10, ...fields };
  expect(await server.post("/api/admin/coupons", body, admin.token)).toMatchObject(refused);
});

test("an educator makes coupons for courses of their own alone, and sees these alone", async () => {
  const [educator, other] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const own = await buildCourse(server, { educatorId: educator.id });
  const foreign = await buildCourse(server, { educatorId: other.id });
  const make = (courseIds: unknown) =>
    server.post("/api/educator/coupons", { kind: "percent", value: 10, courseIds }, educator.token);
  expect(await make(undefined)).toMatchObject(refusal(400, "Invalid request data"));
  expect(await make([String(own._id), String(foreign._id)])).toMatchObject(refusal(403, "Unauthorized Access"));
  expect(await make(["665f1c2ab7e4d90012ab34cd"])).toMatchObject(refusal(403, "Unauthorized Access"));
  const made = (await make([String(own._id)])).body.coupon;
  const list = async (token: string) => (await server.get("/api/educator/coupons", token)).body;
  expect(await list(educator.token)).toEqual({ success: true, coupons: [made], nextCursor: null });
  expect((await list(other.token)).coupons).toEqual([]);
  const change = (token: string) => server.patch(`/api/educator/coupons/${made._id}`, { active: false }, token);
  expect(await change(other.token)).toMatchObject(refusal(404, "Coupon not found"));
  expect((await change(educator.token)).body).toEqual({ success: true, coupon: { ...made, active: false } });
  const { body } = await server.patch(`/api/admin/coupons/${made._id}`, { active: true }, admin.token);
  expect(body.coupon).toEqual(made);
});

test("a coupon for paths names the educator's own, and applies to no course", async () => {
  const educator = await server.signedIn("educator");
  const { _id: courseId } = await buildCourse(server, { educatorId: educator.id });
  const [path, foreign] = [
    await buildPath(server, [], { courseIds: [courseId], educatorId: educator.id }),
    await buildPath(server, [], { courseIds: [courseId] }),
  ];
  const make = (role: "admin" | "educator", lists: object) =>
    server.post(`/api/${role}/coupons`, { kind: "percent", value: 10, ...lists }, { admin, educator }[role].token);
  const [pathIds, courseIds] = [[String(path._id)], [String(courseId)]];
  expect(await make("educator", { pathIds: [String(foreign._id)] })).toMatchObject(refusal(403, "Unauthorized Access"));
  expect(await make("admin", { pathIds: ["nonsense"] })).toMatchObject(refusal(404, "Path not found"));
  expect(await make("admin", { pathIds: [] })).toMatchObject(refusal(400, "Invalid request data"));
  const ofPath = (await make("educator", { pathIds })).body.coupon;
  expect(ofPath).toMatchObject({ courseIds: null, pathIds });
  const ofBoth = (await make("educator", { pathIds, courseIds })).body.coupon;
  const ofAll = (await make("admin", {})).body.coupon;
  const { db } = server.deps;
  const applies = async (item: CouponItem) => {
    const found = [ofPath, ofBoth, ofAll].map(({ code }) => findApplicableCoupon(db, code, item));
    return (await Promise.all(found)).map(Boolean);
  };
  expect(await applies({ courseId })).toEqual([false, true, true]);
  expect(await applies({ pathId: path._id })).toEqual([true, true, true]);
  expect(await applies({ pathId: foreign._id })).toEqual([false, false, true]);
  // A row of a former version.
  await db.Coupon.collection.updateMany({ code: { $in: [ofAll.code] } }, { $unset: { pathIds: "" } });
  expect(await applies({ pathId: path._id })).toEqual([true, true, true]);
  expect((await server.get("/api/admin/coupons?limit=1", admin.token)).body.coupons).toEqual([ofAll]);
});

test("a coupon's end and number of redemptions can be changed and lifted", async () => {
  const coupon = await buildCoupon(server, admin);
  const change = (changes: object) => server.patch(`/api/admin/coupons/${coupon._id}`, changes, admin.token);
  const expiresAt = inHours(1);
  expect((await change({ expiresAt, maxRedemptions: 3 })).body.coupon).toMatchObject({ expiresAt, maxRedemptions: 3 });
  expect((await change({})).body.coupon).toMatchObject({ expiresAt, maxRedemptions: 3 });
  const lifted = { expiresAt: null, maxRedemptions: null };
  expect((await change(lifted)).body.coupon).toMatchObject(lifted);
  expect(await change({ maxRedemptions: 0 })).toMatchObject(refusal(400, "Invalid request data"));
  const unknown = await server.patch("/api/admin/coupons/665f1c2ab7e4d90012ab34cd", {}, admin.token);
  expect(unknown).toMatchObject(refusal(404, "Coupon not found"));
});

test("coupons are listed newest first, a page at a time", async () => {
  const fresh = await startTestServer({ own: "lists all coupons" });
  const boss = await fresh.signedIn("admin");
  const made: string[] = [];
  for (let i = 0; i < 5; i += 1) made.unshift((await buildCoupon(fresh, boss)).code);
  const page = async (query: string) => (await fresh.get(`/api/admin/coupons${query}`, boss.token)).body;
  const codes = ({ coupons }: { coupons: { code: string }[] }) => coupons.map(({ code }) => code);
  const first = await page("?limit=2");
  const second = await page(`?limit=2&after=${first.nextCursor}`);
  const third = await page(`?limit=2&after=${second.nextCursor}`);
  expect([...codes(first), ...codes(second), ...codes(third)]).toEqual(made);
  expect(third.nextCursor).toBeNull();
  expect(codes(await page(""))).toEqual(made);
});

test("a check says what is left to pay, and refuses in one way whatever the reason", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 1000, discount: 10 });
  const other = await buildCourse(server);
  const courseId = String(course._id);
  const check = (code: unknown) => server.post("/api/user/coupon/check", { courseId, code }, learner.token);

  const good = await buildCoupon(server, admin, { code: "HALF", maxRedemptions: 1 });
  expect((await check("  half ")).body).toEqual({
    ...{ success: true, amount: 450, discountAmount: 450, currency: "INR" },
  });
  await server.deps.db.Coupon.updateOne({ _id: good._id }, { redeemed: 1 });
  await buildCoupon(server, admin, { code: "OTHER", courseIds: [String(other._id)] });
  await buildCoupon(server, admin, { code: "LATER", startsAt: inHours(1) });
  await buildCoupon(server, admin, { code: "EARLIER", expiresAt: inHours(-1) });
  const off = await buildCoupon(server, admin, { code: "RETIRED" });
  await server.patch(`/api/admin/coupons/${off._id}`, { active: false }, admin.token);
  for (const code of ["HALF", "OTHER", "LATER", "EARLIER", "RETIRED", "UNKNOWN", "", "$ne"]) {
    expect({ code, ...(await check(code)) }).toMatchObject({ code, ...refusal(404, "Coupon not valid") });
  }
});

test("a check reads its body, finds its course and counts as a payment request", async () => {
  const learner = await server.signedIn();
  const check = (body: unknown) => server.post("/api/user/coupon/check", body, learner.token);
  const answer = await check({ courseId: "665f1c2ab7e4d90012ab34cd", code: "ANY" });
  expect(answer).toMatchObject(refusal(404, "Course not found"));
  expect(answer.headers.get("ratelimit-policy")).toBe("10;w=900");
  for (const body of [{}, { courseId: "x" }, { courseId: "x", code: { $ne: "" } }]) {
    expect(await check(body)).toMatchObject(refusal(400, "Invalid request data"));
  }
});

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
