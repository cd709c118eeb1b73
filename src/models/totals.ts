import { Schema } from "mongoose";
import { countedKeys } from "./counted-keys.js";

/** One document, `_id: "posts"`. */
export interface PostTotal {
  _id: string;
  /** Number of posts, in groups and in none. */
  posts: number;
}

export const postTotalSchema = new Schema<PostTotal>(
  { _id: { type: String, required: true }, posts: { type: Number, required: true }, ...countedKeys },
  { versionKey: false },
);
