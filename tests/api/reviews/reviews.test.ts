import { beforeEach, expect, test } from "vitest";
import { counterDifferences } from "../../../ops/recount/counter-differences.js";
import { ratingDiscrepancies } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { enroll } from "../../factories/courses.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";
import { reviewRoom } from "./review-room.js";

const server = await startTestServer({ own: "recounts all rows" });
const { db } = server.deps;
const nothing = "665f1c2ab7e4d90012ab34cd";
const invalid = refusal(400, "Invalid request data");
const notFound = refusal(404, "Review not found");
let room: Awaited<ReturnType<typeof reviewRoom>>;
beforeEach(async () => {
  room = await reviewRoom(server);
});

const textsOf = ({ reviews }: any): string[] => reviews.map(({ review }: any) => review);
test("a rating with a text is listed, and every rating is counted", async () => {
  const [ada] = [await room.reviewer(4, "  Cle\u0301ar and short.  "), await room.reviewer(2), await room.reviewer(4)];
  expect(await room.list()).toEqual({
    success: true,
    reviews: [
      {
        _id: ada.reviewId,
        rating: 4,
        review: "Cl\u00e9ar and short.",
        authorName: ada.name,
        authorImage: expect.any(String),
        isAuthor: false,
        helpfulCount: 0,
        isHelpful: false,
        response: null,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    ],
    distribution: { 1: 0, 2: 1, 3: 0, 4: 2, 5: 0 },
    nextCursor: null,
  });
  expect(await room.list("", ada)).toMatchObject({ reviews: [{ isAuthor: true }] });
  expect(await ratingDiscrepancies(db)).toEqual([]);
});

test("a text is replaced, left and removed", async () => {
  const ada = await room.reviewer(3, "First");
  const shown = async (fields: object) => {
    expect(await room.rate(ada, fields)).toMatchObject({ status: 200, body: { message: "Rating Added" } });
    return (await room.list()).reviews.map(({ rating, review }: any) => [rating, review]);
  };
  expect(await shown({ rating: 3, review: "Second" })).toEqual([[3, "Second"]]);
  expect(await shown({ rating: 5 })).toEqual([[5, "Second"]]);
  expect(await shown({ rating: 5, review: " \u200b " })).toEqual([]);
  expect(await shown({ rating: 5, review: "😀".repeat(2000) })).toEqual([[5, "😀".repeat(2000)]]);
  expect(await shown({ rating: 4, review: "" })).toEqual([]);
  for (const review of ["x".repeat(2001), null, 5, ["x"], { $gt: "" }]) {
    expect(await room.rate(ada, { rating: 1, review })).toMatchObject(refusal(400, "Invalid Details"));
  }
  expect((await room.list()).distribution).toEqual({ 1: 0, 2: 0, 3: 0, 4: 1, 5: 0 });
});

test("lists are ordered, filtered and read in pages that stay whole while votes come in", async () => {
  const voters = [await server.signedIn(), await server.signedIn()] as const;
  const reviewers = [];
  for (const [index, rating] of [5, 4, 5, 5, 1, 5].entries())
    reviewers.push(await room.reviewer(rating, `Review ${index}`));
  const [first, , third, fourth] = reviewers as [SignedIn & { reviewId: string }, any, any, any];
  for (const voter of voters) await room.helpful(first.reviewId, voter);
  await room.helpful(third.reviewId, voters[0]);
  const texts = (...numbers: number[]) => numbers.map((n) => `Review ${n}`);
  expect(textsOf(await room.list())).toEqual(texts(0, 2, 5, 4, 3, 1));
  expect(textsOf(await room.list("?sort=newest"))).toEqual(texts(5, 4, 3, 2, 1, 0));
  expect(textsOf(await room.list("?rating=5"))).toEqual(texts(0, 2, 5, 3));
  expect(textsOf(await room.list("?rating=5&sort=newest"))).toEqual(texts(5, 3, 2, 0));
  expect((await room.list("", voters[0])).reviews.map(({ isHelpful }: any) => isHelpful)).toEqual([
    ...[true, true],
    ...[false, false, false, false],
  ]);
  const page = await room.list("?limit=2");
  await room.helpful(first.reviewId, fourth);
  const next = await room.list(`?limit=3&after=${page.nextCursor}`);
  expect([textsOf(page), textsOf(next)]).toEqual([texts(0, 2), texts(5, 4, 3)]);
  expect(textsOf(await room.list(`?limit=3&after=${next.nextCursor}`))).toEqual(texts(1));
  // A cursor is a review, so that it has a place in every order.
  expect(textsOf(await room.list(`?sort=newest&after=${next.nextCursor}`))).toEqual(texts(2, 1, 0));
  for (const query of ["rating=0", "rating=6", "rating=4.5", "sort=best"])
    expect(await server.get(`${room.path}?${query}`)).toMatchObject(invalid);
});

test("reviews are shown like their course", async () => {
  await room.reviewer(5, "Of a draft");
  await db.Course.updateOne({ _id: room._id }, { isPublished: false });
  await db.Enrollment.updateMany({ courseId: room._id }, { active: false });
  expect(textsOf(await room.list())).toEqual(["Of a draft"]);
  expect(await server.get(`/api/course/${nothing}/reviews`)).toMatchObject(refusal(404, "Course not found"));
  expect(await server.get("/api/course/x/reviews")).toMatchObject(refusal(500, "An unexpected error occurred"));
});

test("users mark reviews of others as helpful, each once, whatever races", async () => {
  const [ada, second] = [await room.reviewer(5, "Good"), await server.another()];
  const voters = await Promise.all(Array.from({ length: 4 }, () => server.signedIn()));
  const before = (await room.list()).reviews[0].updatedAt;
  const [bo] = voters as [SignedIn];
  expect((await room.helpful(ada.reviewId, bo)).body).toEqual({ success: true, helpfulCount: 1, isHelpful: true });
  expect((await room.helpful(ada.reviewId, bo)).body).toEqual({ success: true, helpfulCount: 0, isHelpful: false });
  expect(await room.helpful(ada.reviewId, ada)).toMatchObject(refusal(403, "Not authorized"));
  expect(await server.post(`${room.path}/${ada.reviewId}/helpful`)).toMatchObject(refusal(401, "Unauthorized Access"));
  const silent = await room.reviewer(5);
  const elsewhere = await (await reviewRoom(server)).reviewer(5, "Elsewhere");
  for (const id of [nothing, silent.reviewId, elsewhere.reviewId])
    expect(await room.helpful(id, bo)).toMatchObject(notFound);
  // Each voter votes three times at once, on two instances.
  const votes = voters.flatMap((voter) => [server, second, server].map((on) => room.helpful(ada.reviewId, voter, on)));
  expect((await Promise.all(votes)).map(({ status }) => status)).toEqual(votes.map(() => 200));
  expect((await room.list("", bo)).reviews[0]).toMatchObject({ helpfulCount: 4, isHelpful: true, updatedAt: before });
  expect(await ratingDiscrepancies(db)).toEqual([]);
});

test("the educator of the course responds", async () => {
  const ada = await room.reviewer(2, "Too fast");
  const path = room.response(ada.reviewId);
  const respond = (content: unknown, { token }: SignedIn = room.educator) =>
    server.call("PUT", path, { body: { content }, token });
  const [one, two] = await Promise.all([respond("Sorry"), respond("Sorry")]);
  const { response } = one.body;
  expect(response).toEqual({ content: "Sorry", createdAt: expect.stringMatching(/Z$/) });
  expect(two.body.response).toEqual(response);
  expect((await respond("Slower now")).body.response).toEqual({ ...response, content: "Slower now" });
  expect((await room.list()).reviews[0].response).toEqual({ ...response, content: "Slower now" });
  for (const content of ["", " ", "x".repeat(2001), undefined, 5])
    expect(await respond(content)).toMatchObject(invalid);
  const stranger = await server.signedIn("educator");
  expect(await respond("Hi", stranger)).toMatchObject(refusal(403, "Not authorized"));
  expect(await respond("Hi", ada)).toMatchObject(refusal(403, "Unauthorized Access"));
  const { token } = room.educator;
  expect(await server.call("PUT", room.response(nothing), { body: { content: "Hi" }, token })).toMatchObject(notFound);
  expect(await server.call("DELETE", room.response(nothing), { token })).toMatchObject(notFound);
  // The response to a text that is gone can still be removed.
  await room.rate(ada, { rating: 2, review: "" });
  expect(await respond("Where is it?")).toMatchObject(notFound);
  for (let turn = 0; turn < 2; turn += 1)
    expect((await server.call("DELETE", path, { token })).body).toEqual({ success: true });
  await room.rate(ada, { rating: 2, review: "Too fast" });
  expect((await room.list()).reviews[0].response).toBeNull();
});

test("a reported review is hidden, also after a rewrite, and shown again", async () => {
  const [admin, reporter] = [await server.signedIn("admin"), await server.signedIn()];
  const ada = await room.reviewer(1, "Buy at spam.example");
  const report = (reason: unknown, id = ada.reviewId) =>
    server.post(`${room.path}/${id}/report`, { reason }, reporter.token);
  for (const reason of ["", " ", "x".repeat(501), undefined]) expect(await report(reason)).toMatchObject(invalid);
  expect(await report("spam", nothing)).toMatchObject(notFound);
  for (const reason of ["spam", "spam again"]) expect((await report(reason)).body).toEqual({ success: true });
  const reports = async () =>
    (await server.get("/api/admin/community/reports?limit=100", admin.token)).body.reports.filter(
      ({ targetId }: any) => targetId === ada.reviewId,
    );
  const target = { authorId: ada.id, authorName: ada.name, title: null, content: "Buy at spam.example" };
  expect(await reports()).toEqual([
    expect.objectContaining({ targetKind: "review", courseId: room.courseId, reason: "spam", state: "open", target }),
  ]);

  const hide = (body: object, { token }: SignedIn = admin, id = ada.reviewId) =>
    server.post(`/api/admin/reviews/${id}/hide`, body, token);
  const hidden = { hidden: true, reason: "Advertisement" };
  expect(await hide(hidden, room.educator)).toMatchObject(refusal(403, "Unauthorized Access"));
  expect(await hide(hidden, admin, nothing)).toMatchObject(notFound);
  for (const body of [
    { reason: "x" },
    { hidden: true },
    { ...hidden, hidden: "true" },
    { ...hidden, reason: "x".repeat(201) },
  ])
    expect(await hide(body)).toMatchObject(invalid);
  // The author writes a new text meanwhile.
  const [answer] = await Promise.all([hide(hidden), room.rate(ada, { rating: 2, review: "Buy now" }), hide(hidden)]);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  await room.rate(ada, { rating: 2, review: "" });
  await room.rate(ada, { rating: 3, review: "Buy there" });
  expect(await room.list()).toMatchObject({ reviews: [], distribution: { 1: 0, 2: 0, 3: 0 } });
  expect(await report("spam")).toMatchObject(notFound);
  expect(await room.helpful(ada.reviewId, reporter)).toMatchObject(notFound);
  expect(await reports()).toMatchObject([{ state: "resolved", resolvedBy: admin.id }]);

  await hide({ hidden: false, reason: "Mended" });
  const shown = await room.list();
  expect([textsOf(shown), shown.distribution[3]]).toEqual([["Buy there"], 1]);
  const entries = await db.AuditEntry.find({ actorId: admin.id, action: "review.hide" }).sort({ _id: 1 }).lean();
  expect(entries.map(({ targetId, after }) => [targetId, after])).toEqual([
    [ada.reviewId, hidden],
    [ada.reviewId, { hidden: false, reason: "Mended" }],
  ]);
  expect(await ratingDiscrepancies(db)).toEqual([]);
});

test("a hidden review counts nowhere until it is shown again, whatever races", async () => {
  const [admin, second] = [await server.signedIn("admin"), await server.another()];
  const [spam, silent] = [await room.reviewer(1, "Spam"), await room.reviewer(2)];
  for (const rating of [4, 5]) await room.reviewer(rating);
  const hide = ({ reviewId }: { reviewId: string }, hidden: boolean, on = server) =>
    on.post(`/api/admin/reviews/${reviewId}/hide`, { hidden, reason: "x" }, admin.token);
  const shown = async () => {
    const { averageRating, totalRatings } = (await server.get(`/api/course/${room.courseId}`)).body.courseData;
    return [averageRating, totalRatings, Object.values((await room.list()).distribution).join("")];
  };
  expect(await shown()).toEqual([3, 4, "11011"]);
  for (const review of [spam, silent, spam]) await hide(review, true);
  expect(await shown()).toEqual([4.5, 2, "00011"]);
  await room.rate(spam, { rating: 5 });
  await hide(silent, false);
  expect(await shown()).toEqual([3.7, 3, "01011"]);
  for (const review of [spam, spam]) await hide(review, false);
  expect(await shown()).toEqual([4, 4, "01012"]);
  // The learner rates while administrators hide the review and show it.
  for (const isHidden of [true, false, true]) {
    const races = [1, 2, 3].flatMap((rating) => [
      room.rate(spam, { rating }, rating % 2 ? server : second),
      hide(spam, isHidden, rating % 2 ? second : server),
    ]);
    expect((await Promise.all(races)).map(({ status }) => status)).toEqual(races.map(() => 200));
    expect(await ratingDiscrepancies(db)).toEqual([]);
    expect((await shown())[1]).toBe(isHidden ? 3 : 4);
  }
  // The learner is erased, and the rating stays, while it is shown again.
  const erase = server.call("DELETE", "/api/user/data", { token: spam.token, body: { confirm: spam.id } });
  expect(await Promise.all([erase, hide(spam, false, second)])).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect([await ratingDiscrepancies(db), (await shown())[1]]).toEqual([[], 4]);
});

test("owners do not rate their own course, enrolled or not", async () => {
  const { educator, rate, courseId } = room;
  const own = refusal(403, "Not authorized");
  expect(await rate(educator, { rating: 5 })).toMatchObject(own);
  await enroll(server, educator.id, room._id);
  for (const fields of [{ rating: 5 }, { rating: 5, review: "Great" }])
    expect(await rate(educator, fields)).toMatchObject(own);
  expect(await db.CourseRating.countDocuments({ courseId })).toBe(0);
  const elsewhere = await reviewRoom(server);
  await enroll(server, educator.id, elsewhere._id);
  expect(await elsewhere.rate(educator, { rating: 5 })).toMatchObject({ status: 200 });
});

test("ratings of a former version are counted, and a recount stores their counters", async () => {
  const [ada] = [await room.reviewer(4), await room.reviewer(4), await room.reviewer(1)];
  await db.CourseRating.updateMany({ courseId: room._id }, { $unset: { helpfulCount: 1, hiddenAt: 1 } });
  await db.Course.updateOne({ _id: room._id }, { $unset: { ratings1: 1, ratings4: 1 } });
  expect((await room.list()).distribution).toEqual({ 1: 1, 2: 0, 3: 0, 4: 2, 5: 0 });
  await room.rate(ada, { rating: 5, review: "Better now" });
  await room.reviewer(1, "Worse");
  expect(await room.list("?limit=1")).toMatchObject({ distribution: { 1: 2, 2: 0, 3: 0, 4: 1, 5: 1 } });
  const { nextCursor } = await room.list("?limit=1");
  expect(textsOf(await room.list(`?after=${nextCursor}`))).toEqual(["Better now"]);
  const mended: string[] = [];
  for await (const { field, stored, counted } of counterDifferences(db, { fix: true, models: ["Course"] })) {
    // The factory enrolls without a purchase.
    if (field.startsWith("rating")) mended.push(`${field} ${stored} is ${counted}`);
  }
  expect(mended).toEqual(["ratings1 1 is 2", "ratings4 -1 is 1"]);
  expect(await ratingDiscrepancies(db)).toEqual([]);
});
