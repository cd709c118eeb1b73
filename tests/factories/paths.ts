import { Types } from "mongoose";
import type { Path } from "../../src/models/paths/path.js";
import type { TestServer } from "../server/test-server.js";

/** Stores a published path of these courses that costs 500 by default. */
export async function buildPath(
  { deps: { db } }: { readonly deps: Pick<TestServer["deps"], "db"> },
  { courseIds, ...fields }: Partial<Path> & Pick<Path, "courseIds">,
): Promise<Path> {
  const _id = fields._id ?? new Types.ObjectId();
  await db.Path.create({
    _id,
    educatorId: "user_educator",
    title: "From zero to types",
    subtitle: null,
    courseIds,
    inOrder: false,
    price: 500,
    isPublished: true,
    slugs: [`path-${_id}`],
    ...fields,
  });
  return db.Path.findById(_id).orFail().lean<Path>();
}
