import { Types } from "mongoose";
import { openDatabase } from "../../src/db/connection.js";
import { createModels } from "../../src/models/index.js";
import { type Finding, within } from "./findings.js";
import { addCourses } from "./freezing.js";
import type { BenchUser, Target } from "./target.js";
import { growth, longestBlock, timed } from "./watch.js";

type Name = "User" | "Purchase" | "Enrollment" | "CommunityPost" | "CommunityGroup";

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
export async function largeLists(target: Target, rows: number, only: string): Promise<Finding[]> {
  const educator = await target.user("educator");
  const admin = await target.user("admin");
  const ofStudents: Name[] = ["User", "Purchase", "Enrollment"];
  const all: [string, BenchUser, Name[]][] = [
    ["/api/admin/users", admin, ["User"]],
    ["/api/admin/purchases", admin, ["Purchase"]],
    ["/api/admin/purchases.csv", admin, ["Purchase"]],
    ["/api/community/posts", admin, ["CommunityPost"]],
    ["/api/community/groups", admin, ["CommunityGroup"]],
    ["/api/educator/dashboard", educator, ofStudents],
    ["/api/educator/enrolled-students", educator, ofStudents],
    ["/api/educator/enrolled-students.csv", educator, ofStudents],
  ];
  const paths = all.filter(([path]) => path.includes(only));
  await fill(target, rows, educator, new Set(paths.flatMap(([, , names]) => names)));
  const findings: Finding[] = [];
  for (const [path, { token }] of paths) {
    let [bytes, status] = [0, 0];
    const headers = { authorization: `Bearer ${token}` };
    // What comes once and stays, such as compiled code, is there before.
    await fetch(`${target.url}${path}`, { headers }).then((reply) => reply.body?.cancel());
    let seconds = 0;
    let more = 0;
    const block = await longestBlock(target, async () => {
      more = await growth(target, async () => {
        seconds = await timed(async () => {
          const reply = await fetch(target.url + path, { headers });
          status = reply.status;
          for await (const piece of reply.body ?? []) bytes += piece.length;
        }).then((ms) => ms / 1_000);
      });
    });
    const size = `${status}, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`;
    process.stderr.write(`${path}: +${more.toFixed(0)} MB, ${block.toFixed(0)} ms (${size})\n`);
    const list = `${path} of ${rows.toLocaleString("en")} rows`;
    findings.push(within(`${list}: memory`, more, 50, "MiB", size));
    // A batch takes up to 20 ms; the collection of garbage that comes with a process's first long list takes as long.
    findings.push(within(`${list}: event loop blocked`, block, 50, "ms"));
  }
  return findings;
}

async function fill({ db: reading, ...target }: Target, rows: number, educator: BenchUser, names: Set<Name>) {
  const [courseId] = await addCourses({ db: reading, ...target }, [{ educatorId: educator.id }]);
  const connection = await openDatabase(target.env.MONGODB_URI ?? "", { patient: true });
  const db = createModels(connection);
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000);
  const userId = (n: number) => `user_${n.toString(36).padStart(27, "0")}`;
  const made: Readonly<Record<Name, (n: number) => object>> = {
    User: (n) => ({
      ...{ _id: userId(n), name: `Learner number ${n}`, email: `learner${n}@example.com` },
      ...{ imageUrl: "https://img.clerk.example/a-picture.png", createdAt: at(n), updatedAt: at(n) },
    }),
    Purchase: (n) => ({
      ...{ userId: userId(n), courseId, amount: 999, currency: "INR", status: "completed", completedAt: at(n) },
      ...{ providerOrderId: `order_${n}`, providerPaymentId: `pay_${n}`, refundedAt: null, refundedMinor: 0 },
      ...{ reviewReason: null, checks: 0, createdAt: at(n), updatedAt: at(n) },
    }),
    Enrollment: (n) => ({
      ...{ userId: userId(n), courseId, active: true, enrolledAt: at(n), purchases: 1, purchasedAt: at(n) },
      ...{ revokedAt: null, createdAt: at(n), updatedAt: at(n) },
    }),
    CommunityPost: (n) => ({
      ...{ authorId: userId(n), authorName: "Asha Rao", authorImage: "", title: `Question ${n}`, tags: ["types"] },
      ...{ content: "What I think about it, in a sentence or two.", groupId: null, upvoteCount: 0, replyCount: 0 },
      ...{ isResolved: false, acceptedReplyId: null, createdAt: at(n), updatedAt: at(n) },
    }),
    CommunityGroup: (n) => ({
      ...{ _id: new Types.ObjectId(), name: `Group ${n}`, nameKey: `group ${n}`, slug: `group-${n}`, icon: "x" },
      ...{ description: "What it is about.", memberCount: n % 100, postCount: 0, isOfficial: false, createdBy: "u" },
      ...{ createdAt: at(n), updatedAt: at(n) },
    }),
  };
  for (const name of names) {
    const { collection } = db[name] as typeof db.User;
    await store(name, rows, (batch) => collection.insertMany(batch as never[], { ordered: false }), made[name]);
  }
  const inNone = names.has("CommunityPost") ? rows : 0;
  await db.UngroupedPosts.updateOne({}, { $inc: { postCount: inNone } }, { upsert: true });
  await connection.close();
}
