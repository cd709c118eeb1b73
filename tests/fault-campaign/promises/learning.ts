import type { mongo } from "mongoose";
import { type Promised, promise } from "./promise.js";

export const ofLearning: readonly Promised[] = [
  promise(
    "progress, ratings, time and attempts that were acknowledged are kept",
    async ({ system, journal }, expect) => {
      const { CourseProgress, CourseRating, TimeSession, QuizResult, ChatSession } = system.db;
      const isErased = (userId: string): boolean => journal.erasing.has(userId);
      const progress = new Map(
        (await CourseProgress.find().lean()).map((row) => [`${row.userId} ${row.courseId}`, row]),
      );
      for (const { userId, courseId, lectureId } of journal.lectures) {
        if (isErased(userId)) continue;
        const kept = progress.get(`${userId} ${courseId}`)?.lectureCompleted.includes(lectureId);
        expect(kept === true, () => `lecture ${lectureId} of ${userId} in ${courseId}`);
      }
      const ratings = new Map(
        (await CourseRating.find().lean()).map((row) => [`${row.userId} ${row.courseId}`, row.rating]),
      );
      for (const [key, { acknowledged, unanswered }] of journal.settingsOf<number>("rating")) {
        if (acknowledged === undefined || isErased(key.split(" ")[0] ?? "")) continue;
        const possible = [acknowledged, ...unanswered];
        expect(
          possible.includes(ratings.get(key) ?? 0),
          () => `rating ${key} is ${ratings.get(key)}, not one of ${possible}`,
        );
      }
      const seconds = sums((await TimeSession.find().lean()).map(({ userId, duration }) => [userId, duration]));
      const attempts = sums((await QuizResult.find().lean()).map((row) => [`${row.userId} ${row.courseId}`, 1]));
      for (const [what, stored] of [
        ["seconds", seconds],
        ["attempts", attempts],
      ] as const) {
        for (const [key, { acknowledged, unanswered }] of journal.additionsOf(what)) {
          if (isErased(key.split(" ")[0] ?? "")) continue;
          const sum = stored.get(key) ?? 0;
          const right = sum >= acknowledged && sum <= acknowledged + unanswered;
          expect(right, () => `${what} of ${key}: ${sum}, acknowledged ${acknowledged}, unanswered ${unanswered}`);
        }
      }
      const said = new Set(
        (await ChatSession.find().lean()).flatMap((chat) =>
          chat.messages.map(({ content }) => `${chat.userId} ${content}`),
        ),
      );
      for (const { userId, content } of journal.chats) {
        if (!isErased(userId)) expect(said.has(`${userId} ${content}`), () => `question of ${userId}: ${content}`);
      }
    },
  ),
  promise(
    "who completed a course has one certificate, and its file is stored once",
    async ({ system, journal }, expect) => {
      const { CourseProgress, Certificate } = system.db;
      const rows = await Certificate.find().lean();
      const assets = system.emulators.storage.assets();
      for (const { userId, courseId } of await CourseProgress.find({ completed: true }).lean()) {
        const own = rows.filter((row) => row.userId === userId && courseId.equals(row.courseId ?? ""));
        expect(
          own.length === 1 && own[0]?.status === "issued",
          () => `${userId} in ${courseId}: ${own.map(({ status }) => status)}`,
        );
      }
      for (const { certificateId, status, pdfUrl } of rows) {
        const files = assets.filter(({ publicId }) => publicId.includes(certificateId));
        if (status === "issued")
          expect(files.length === 1, () => `certificate ${certificateId} at ${pdfUrl}: ${files.length} files`);
      }
      for (const { userId, courseId } of journal.certificates) {
        if (journal.erasing.has(userId)) continue;
        const kept = rows.some(
          (row) => row.userId === userId && String(row.courseId) === courseId && row.status === "issued",
        );
        expect(kept, () => `the certificate of ${userId} in ${courseId} is gone`);
      }
    },
  ),
  promise(
    "posts, replies, votes and memberships that were acknowledged are kept",
    async ({ system, journal }, expect) => {
      const { CommunityPost, CommunityReply, Vote, GroupMembership } = system.db;
      const posts = idsOf(await CommunityPost.find({}, { _id: 1 }).lean());
      for (const { id } of journal.posts) expect(posts.has(id), () => `post ${id}`);
      const replies = idsOf(await CommunityReply.find({}, { _id: 1 }).lean());
      for (const { id } of journal.replies) expect(replies.has(id), () => `reply ${id}`);
      const votes = new Set((await Vote.find().lean()).map(({ userId, targetId }) => `${userId} ${targetId}`));
      const members = new Set(
        (await GroupMembership.find().lean()).map(({ userId, groupId }) => `${userId} ${groupId}`),
      );
      for (const [what, stored] of [
        ["vote", votes],
        ["membership", members],
      ] as const) {
        for (const [key, { acknowledged, unanswered }] of journal.settingsOf<boolean>(what)) {
          if (unanswered.length > 0 || journal.erasing.has(key.split(" ")[0] ?? "")) continue;
          expect(
            stored.has(key) === acknowledged,
            () => `${what} ${key} is ${stored.has(key)}, was answered ${acknowledged}`,
          );
        }
      }
    },
  ),
];

function sums(rows: readonly (readonly [key: string, amount: number])[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, amount] of rows) found.set(key, (found.get(key) ?? 0) + amount);
  return found;
}

const idsOf = (rows: readonly { _id: mongo.ObjectId }[]): Set<string> => new Set(rows.map(({ _id }) => String(_id)));
