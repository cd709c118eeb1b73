import { mongo } from "mongoose";
import type { InOrder } from "../find-in-order.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { Enrollment } from "./enrollment.js";

const { parseToElements, ByteUtils } = mongo.BSON.onDemand;
const [text, document, array] = [2, 3, 4];

type Stored = Pick<Enrollment, "_id" | "enrolledAt" | "purchasedAt">;

/**
 * An enrollment and its learner in a list of very many. What is written of each is read from the bytes that the database
 * sent; the rest is decoded when it is asked for, which it is of few.
 */
export class EnrolledStudent implements Stored {
  readonly userId: string;
  /** Undefined when there is no such user. */
  readonly name: string | undefined;
  readonly imageUrl: string | undefined;
  readonly #bytes: Uint8Array;
  #decoded: Stored | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const { userId, user } = fieldsOf(bytes, 0);
    this.userId = userId;
    const first = user === 0 ? 0 : fieldsOf(bytes, user).user;
    if (first === 0) return;
    const { name, imageUrl } = fieldsOf(bytes, first);
    this.name = name;
    this.imageUrl = imageUrl;
  }

  get _id() {
    return this.#stored._id;
  }
  get enrolledAt() {
    return this.#stored.enrolledAt;
  }
  get purchasedAt() {
    return this.#stored.purchasedAt ?? null;
  }

  get #stored(): Stored {
    this.#decoded ??= mongo.BSON.deserialize(this.#bytes) as Stored;
    return this.#decoded;
  }
}

/**
 * What is read of a document in these bytes. A text is known by the length of its name, and `user` is where the one part
 * of the document begins: 0 when it has none.
 */
function fieldsOf(bytes: Uint8Array, from: number) {
  const found = { userId: "", name: "", imageUrl: "", user: 0 };
  for (const [type, , nameLength, at, length] of parseToElements(bytes, from)) {
    if (type === document || type === array) found.user = at;
    if (type !== text) continue;
    // A text is its length in four bytes, its characters and a NUL.
    const value = ByteUtils.toUTF8(bytes, at + 4, at + length - 1, false);
    if (nameLength === "userId".length) found.userId = value;
    else if (nameLength === "name".length) found.name = value;
    else if (nameLength === "imageUrl".length) found.imageUrl = value;
  }
  return found;
}

/** The first enrollments that fit, each with its learner, by one command. */
export async function findEnrolledStudents(
  db: Models,
  { filter, sort, limit }: Omit<InOrder, "fields">,
): Promise<EnrolledStudent[]> {
  const users = { from: db.User.collection.name, localField: "userId", foreignField: "_id", as: "user" };
  const shown = { userId: 1, enrolledAt: 1, purchasedAt: 1, "user.name": 1, "user.imageUrl": 1 };
  const pipeline = [{ $match: filter }, { $sort: sort }, { $limit: limit }, { $lookup: users }, { $project: shown }];
  const found = await nativeCollection(db.Enrollment)
    .aggregate<Uint8Array>(pipeline, { batchSize: limit + 1, raw: true })
    .toArray();
  return found.map((bytes) => new EnrolledStudent(bytes));
}
