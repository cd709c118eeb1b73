import { after, examplesOf, type Scene } from "./scene.js";

/** The learner, who has as many notices as there are others of everything. */
const theLearner = ({ learner }: Scene) => learner;

/** Missed notifications after which a stream ends. */
const missed = 500;

const withMissed = async ({ server }: Scene) => {
  const { db } = server.deps;
  const { id: userId, token } = await server.signedIn();
  const reserved = { $inc: { last: missed } };
  const { last } = await db.NoticeCounter.findOneAndUpdate({ _id: "notices" }, reserved, {
    upsert: true,
    returnDocument: "after",
  }).orFail();
  await db.Notice.insertMany(
    Array.from({ length: missed }, (_, n) => ({
      ...{ userId, type: "announcement", key: `${userId} ${n}`, seq: last - n, title: "x" },
      ...{ app: true, mail: false, createdAt: new Date() },
    })),
  );
  return { token };
};

const unsubscribeToken = "Hq3vN7wZk0Xb9mTfR2cYs5LdUe8JgAiP1oQtVnKxWy4";

const withAddress = async ({ server, learner: { id: userId } }: Scene) => {
  const { db } = server.deps;
  const { verifiedEmail: email } = await db.User.findById(userId).orFail().lean();
  const own = { userId, type: "announcement", email };
  await db.UnsubscribeToken.updateOne({ _id: unsubscribeToken }, { $setOnInsert: own }, { upsert: true });
  return { token: unsubscribeToken };
};

export const notifications = {
  ...examplesOf({
    "GET /api/user/notifications": after(theLearner, undefined, "?limit=1"),
    "POST /api/user/notifications/read": after(theLearner, () => ({})),
    "GET /api/user/notification-preferences": after(theLearner),
    "PUT /api/user/notification-preferences": after(theLearner, () => ({
      preferences: { announcement: { mail: false } },
    })),
    "POST /api/educator/courses/{id}/announcements": after(
      ({ educator, courseId }) => ({ token: educator.token, id: courseId }),
      () => ({ title: "Office hours", body: "I answer questions on **Friday**." }),
    ),
    "GET /unsubscribe/{token}": after(withAddress),
  }),
  "POST /unsubscribe/{token}": async (scene: Scene) => {
    const { token } = await withAddress(scene);
    return { path: `/unsubscribe/${token}`, headers: { accept: "application/json" } };
  },
  "GET /api/user/notifications/stream": async (scene: Scene) => {
    const { token } = await withMissed(scene);
    return { path: "/api/user/notifications/stream", token, headers: { "last-event-id": "0" } };
  },
};
