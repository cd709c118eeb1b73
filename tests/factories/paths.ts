import { Types } from "mongoose";
import { expect } from "vitest";
import type { Path } from "../../src/models/paths/path.js";
import type { SignedIn, TestServer } from "../server/test-server.js";

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

/** Buys a path of price 0 through the API. */
export async function getPath(server: TestServer, { token }: SignedIn, { _id }: Pick<Path, "_id">): Promise<void> {
  const { status, body } = await server.post("/api/user/purchase", { pathId: String(_id) }, token);
  expect({ status, success: body.success }).toEqual({ status: 200, success: true });
}
