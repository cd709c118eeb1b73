import type { Db } from "../../db/db.js";
import { cursorLimitMs } from "../../models/command-limit.js";
import { inCreationOrder } from "../../models/courses/course.js";
import { findFreeSlug } from "../courses/find-free-slug.js";

/** Gives slugs to the courses that a version without slugs has stored. */
export async function giveSlugs(db: Db, lost?: AbortSignal): Promise<void> {
  const slugs = { $exists: false };
  const nameless = db.Course.find({ slugs }, { courseTitle: 1 }).sort(inCreationOrder).maxTimeMS(cursorLimitMs).lean();
  for await (const course of nameless) {
    lost?.throwIfAborted();
    await db.transaction(
      async (session) => {
        const { slug } = await findFreeSlug(db, course, session);
        const options = { session, timestamps: false };
        await db.Course.updateOne({ _id: course._id, slugs }, { $set: { slugs: [slug] } }, options);
      },
      { mutex: "catalog" },
    );
  }
}
