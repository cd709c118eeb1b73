import { randomBytes } from "node:crypto";
import type { Call } from "../measure/drive.js";
import type { Build, Builds } from "../processes/builds.js";
import { fillLists } from "./community.js";
import { addUsers, enrollIn, fillCatalog, outline, priceMinor } from "./plain-catalog.js";

/** What learners ask a platform for, each kind in the order of its turns. */
export interface Traffic {
  readonly courseIds: readonly string[];
  readonly postIds: readonly string[];
  read(): Call;
  /** A completed lecture or a tracked session. */
  study(): Call;
  /** A new purchase, or the payment of one that is open. */
  sale(): Call;
  /** A purchase by a new learner. */
  purchase(): Call;
  /** The payment of one more open purchase; undefined when none is left. */
  payment(): Call | undefined;
}

const learners = 200;
const asJson = { "content-type": "application/json" };

export interface TrafficSize {
  readonly courses?: number;
  /** Each may open ten purchases in a quarter of an hour. */
  readonly buyers?: number;
}

/** Fills a build with courses, posts and learners, and makes what these send. */
export async function startTraffic(
  builds: Builds,
  build: Build,
  { courses = 100, buyers = 5_000 }: TrafficSize = {},
): Promise<Traffic> {
  const { connection, db } = build;
  const courseIds = await fillCatalog(connection, courses);
  const userIds = Array.from({ length: learners }, (_, i) => `user_learner_${i}`);
  const buyerIds = Array.from({ length: buyers }, (_, i) => `user_buyer_${i}`);
  await addUsers(connection, [...userIds, ...buyerIds]);
  await enrollIn(connection, userIds, courseIds.slice(0, 5));
  await fillLists(db, { posts: 500, groups: 4, memberId: userIds[0] ?? "" });
  const posts = await db.CommunityPost.find({}, { _id: 1 }).lean();
  const open: string[] = [];
  let turn = 0;
  let bought = 0;
  const user = (n: number) => builds.signedAs(userIds[n % learners] ?? "");
  const own = (n: number) => courseIds[n % 5] ?? "";
  const reads: ((n: number) => Omit<Call, "kind">)[] = [
    () => ({ path: "/api/course/all", headers: { "accept-encoding": "br" } }),
    (n) => ({ path: `/api/course/${courseIds[n % courses]}` }),
    (n) => ({ path: "/api/user/enrolled-courses", headers: user(n) }),
    (n) => ({ path: "/api/user/data", headers: user(n) }),
    () => ({ path: "/api/community/posts?limit=20&page=1" }),
  ];
  const post = (kind: string, path: string, headers: object, body: object): Call => ({
    ...{ kind, path, method: "POST", headers: { ...asJson, ...headers }, body: JSON.stringify(body) },
  });
  const payment = (): Call | undefined => {
    const entity = open.shift();
    if (entity === undefined) return undefined;
    const headers = { ...asJson, ...builds.emulators.razorpay?.signWebhook(entity) };
    return { kind: "webhook", path: "/razorpay", method: "POST", headers, body: entity };
  };
  const purchase = (): Call => {
    const [lap, n] = [Math.floor(bought / buyers), bought % buyers];
    bought += 1;
    const buyer = builds.signedAs(buyerIds[n] ?? "");
    const then = (status: number, text: string): void => {
      if (status === 200) open.push(captured(JSON.parse(text)));
    };
    return { ...post("purchase", "/api/user/purchase", buyer, { courseId: courseIds[(n + lap) % courses] }), then };
  };
  return {
    courseIds,
    postIds: posts.map(({ _id }) => String(_id)),
    read() {
      turn += 1;
      const [first = () => ({ path: "/" })] = reads;
      return { kind: "read", ...(reads[turn % reads.length] ?? first)(Math.floor(turn / reads.length)) };
    },
    study() {
      turn += 1;
      const [chapter, lecture] = [1 + (turn % outline[0]), 1 + (turn % (outline[1] - 1))];
      const lectureId = `ch${chapter}-l${lecture}`;
      const courseId = own(turn);
      return turn % 2 === 0
        ? post("study", "/api/user/update-course-progress", user(turn), { courseId, lectureId })
        : post("study", "/api/user/track-time", user(turn), {
            ...{ page: "Learning", path: `/player/${courseId}`, duration: 30 },
          });
    },
    payment,
    purchase,
    sale: () => payment() ?? purchase(),
  };
}

function captured({ purchaseId, orderId }: { purchaseId: string; orderId: string }): string {
  const id = `pay_${randomBytes(7).toString("hex")}`;
  const entity = { id, amount: priceMinor, currency: "INR", order_id: orderId, notes: { purchaseId } };
  return JSON.stringify({ event: "payment.captured", payload: { payment: { entity } } });
}

/** Kinds in fixed turns by their shares of a hundred, spread evenly. */
export function inShares(shares: readonly (readonly [number, () => Call])[]): () => Call {
  const due = shares.map(() => 0);
  return () => {
    for (const [i, [share]] of shares.entries()) due[i] = (due[i] ?? 0) + share;
    const chosen = due.indexOf(Math.max(...due));
    due[chosen] = (due[chosen] ?? 0) - 100;
    const make = shares[chosen]?.[1];
    if (!make) throw new Error("no kinds");
    return make();
  };
}

/** Four of five requests read, three of twenty are learners' progress and time, one of twenty is of a sale. */
export const mixedRequests = (traffic: Traffic): (() => Call) =>
  inShares([
    [80, traffic.read],
    [15, traffic.study],
    [5, traffic.sale],
  ]);
