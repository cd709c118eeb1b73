import { Types } from "mongoose";
import { type Finding, within } from "./findings.js";
import { addCourses } from "./freezing.js";
import type { Person, Target } from "./target.js";
import { growth, timed } from "./watch.js";

/** Rows that one command stores. */
const together = 5_000;

async function store(
  name: string,
  count: number,
  insert: (rows: object[]) => Promise<unknown>,
  row: (n: number) => object,
) {
  const start = performance.now();
  for (let from = 0; from < count; from += 4 * together) {
    const batches = [0, 1, 2, 3].map((part) => from + part * together).filter((first) => first < count);
    await Promise.all(
      batches.map((first) =>
        insert(Array.from({ length: Math.min(together, count - first) }, (_, n) => row(first + n))),
      ),
    );
  }
  const seconds = (performance.now() - start) / 1_000;
  process.stderr.write(`${count} ${name} stored in ${seconds.toFixed(0)} s\n`);
}

/** Fills every list with so many rows, then has each one written to a reader that takes all of it. */
export async function largeLists(target: Target, rows: number): Promise<Finding[]> {
  const educator = await target.person("educator");
  const admin = await target.person("admin");
  await fill(target, rows, educator);
  const paths: [string, Person][] = [
    ["/api/admin/users", admin],
    ["/api/admin/purchases", admin],
    ["/api/admin/purchases.csv", admin],
    ["/api/community/posts", admin],
    ["/api/community/groups", admin],
    ["/api/educator/dashboard", educator],
    ["/api/educator/enrolled-students", educator],
    ["/api/educator/enrolled-students.csv", educator],
  ];
  const findings: Finding[] = [];
  for (const [path, { token }] of paths) {
    let [bytes, status] = [0, 0];
    const headers = { authorization: `Bearer ${token}` };
    // What comes once and stays, such as compiled code, is there before.
    await fetch(`${target.url}${path}`, { headers }).then((reply) => reply.body?.cancel());
    let seconds = 0;
    const more = await growth(target, async () => {
      seconds = await timed(async () => {
        const reply = await fetch(target.url + path, { headers });
        status = reply.status;
        for await (const piece of reply.body ?? []) bytes += piece.length;
      }).then((ms) => ms / 1_000);
    });
    const size = `${status}, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`;
    findings.push(within(`${path} of ${rows.toLocaleString("en")} rows: memory`, more, 50, "MB", size));
  }
  return findings;
}

async function fill({ db, ...target }: Target, rows: number, educator: Person): Promise<void> {
  const [courseId] = await addCourses({ db, ...target }, [{ educatorId: educator.id }]);
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000);
  const plain = { ordered: false, writeConcern: { w: 1 } } as const;
  const into = (name: keyof Target["db"]) => (batch: object[]) =>
    (db[name] as typeof db.User).collection.insertMany(batch as never[], plain);
  const userId = (n: number) => `user_${n.toString(36).padStart(27, "0")}`;
  await store("users", rows, into("User"), (n) => ({
    ...{ _id: userId(n), name: `Learner number ${n}`, email: `learner${n}@example.com` },
    ...{ imageUrl: "https://img.clerk.example/a-picture.png", createdAt: at(n), updatedAt: at(n) },
  }));
  await store("purchases", rows, into("Purchase"), (n) => ({
    ...{ userId: userId(n), courseId, amount: 999, currency: "INR", status: "completed", completedAt: at(n) },
    ...{ providerOrderId: `order_${n}`, providerPaymentId: `pay_${n}`, refundedAt: null, refundedMinor: 0 },
    ...{ reviewReason: null, checks: 0, createdAt: at(n), updatedAt: at(n) },
  }));
  await store("enrollments", rows, into("Enrollment"), (n) => ({
    ...{ userId: userId(n), courseId, active: true, enrolledAt: at(n), purchases: 1, purchasedAt: at(n) },
    ...{ revokedAt: null, createdAt: at(n), updatedAt: at(n) },
  }));
  await store("posts", rows, into("CommunityPost"), (n) => ({
    ...{ authorId: userId(n), authorName: "Asha Rao", authorImage: "", title: `Question ${n}`, tags: ["types"] },
    ...{ content: "What I think about it, in a sentence or two.", groupId: null, upvoteCount: 0, replyCount: 0 },
    ...{ isResolved: false, acceptedReplyId: null, createdAt: at(n), updatedAt: at(n) },
  }));
  await db.UngroupedPosts.updateOne({}, { $inc: { postCount: rows } }, { upsert: true });
  await store("groups", rows, into("CommunityGroup"), (n) => ({
    ...{ _id: new Types.ObjectId(), name: `Group ${n}`, nameKey: `group ${n}`, slug: `group-${n}`, icon: "x" },
    ...{ description: "What it is about.", memberCount: n % 100, postCount: 0, isOfficial: false, createdBy: "u" },
    ...{ createdAt: at(n), updatedAt: at(n) },
  }));
}
