import { randomUUID } from "node:crypto";
import type { Course } from "../../../src/models/courses/course.js";
import type { Path } from "../../../src/models/paths/path.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath } from "../../factories/paths.js";
import type { System } from "../system/system.js";
import { Client, type Tally } from "./client.js";
import type { Journal } from "./journal.js";

/** The data that all learners of a run share. */
export interface Scene {
  readonly system: System;
  readonly journal: Journal;
  readonly tally: Tally;
  /** Addresses of the servers. */
  readonly urls: readonly string[];
  /** Courses with a price. */
  readonly courses: readonly Course[];
  readonly freeCourse: Course;
  /** A path of two of the courses. */
  readonly path: Path;
  readonly coupon: string;
  readonly groupId: string;
  /** Posts that learners vote on and reply to. The list grows. */
  readonly posts: string[];
  /** Errors of steps other than the payment provider's refusals. They are errors of the campaign. */
  readonly defects: string[];
  /** Returns an administrator with few requests so far, because each has a limit of 100. */
  administrator(): Client;
}

export interface Learner {
  readonly scene: Scene;
  readonly id: string;
  readonly email: string;
  readonly client: Client;
  /** An administrator for actions on the learner. */
  readonly administrator: Client;
  /** Acknowledged courses, newest last. */
  readonly courses: string[];
  /** Paid purchases, newest last. */
  readonly paid: { purchaseId: string; paymentId: string }[];
}

const administratorsAtHand = 12;
/** Requests of one administrator before a replacement. */
const asksOfOne = 60;
const tokenSeconds = 6 * 3_600;
/** A run exhausts this number. */
const maxRedemptions = 15;

/** Stores courses and administrators directly in the database. It creates a coupon and posts through the servers. */
export async function prepareScene(
  system: System,
  journal: Journal,
  tally: Tally,
  urls: readonly string[],
): Promise<Scene> {
  const { db, emulators } = system;
  const deps = { db };
  const courses: Course[] = [];
  for (const coursePrice of [999, 1_499, 2_999.5, 49]) courses.push(await buildCourse({ deps }, { coursePrice }));
  const freeCourse = await buildCourse({ deps }, { coursePrice: 0, discount: 0 });
  const path = await buildPath({ deps }, { courseIds: courses.slice(1, 3).map(({ _id }) => _id), price: 1_799 });

  const administrators: { client: Client; left: number }[] = [];
  for (let n = 0; n < administratorsAtHand; n += 1) administrators.push(await newAdministrator());
  async function newAdministrator() {
    const id = `user_admin_${randomUUID().replaceAll("-", "")}`;
    await db.User.create({ _id: id, name: "Ines Admin", email: `${id}@example.com` });
    await db.RoleRecord.create({ _id: id, role: "admin", writtenAt: new Date() });
    const token = emulators.identity.issueToken(id, { role: "admin", expiresInSeconds: tokenSeconds });
    return { client: new Client(urls, token, tally, administrators.length), left: asksOfOne };
  }
  const administrator = (): Client => {
    const [next] = administrators.sort((a, b) => b.left - a.left);
    if (!next) throw new Error("there is no administrator");
    next.left -= 1;
    if (next.left < asksOfOne / 2) {
      newAdministrator().then(
        (fresh) => administrators.push(fresh),
        () => undefined,
      );
      next.left = 0;
    }
    return next.client;
  };

  const code = "CAMPAIGN-30";
  const offered = { code, kind: "percent", value: 30, maxRedemptions };
  const made = await administrator().insist("POST", "/api/admin/coupons", offered);
  if (made?.status === 200) journal.coupons.push({ id: made.body.coupon._id });
  const group = await administrator().insist("POST", "/api/community/groups", { name: "Campaign" });
  const posts: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const post = { title: `Question ${n}`, content: "How?", groupId: group?.body.group._id };
    const written = await administrator().insist("POST", "/api/community/posts", post);
    if (written?.status !== 200) throw new Error(`the scene has no post: ${JSON.stringify(written)}`);
    posts.push(written.body.post._id);
  }
  const shared = { system, journal, tally, urls, courses, freeCourse, path, posts, defects: [], administrator };
  return { ...shared, coupon: code, groupId: group?.body.group._id };
}
