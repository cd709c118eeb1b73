import { Schema } from "mongoose";
import { defineCollection } from "./collection.js";

/** One change of the stored data that a version brought, and that was made here. */
export interface Migration {
  /** Its name in src/db/migrations, which begins with its number. */
  _id: string;
  startedAt: Date;
  /** Null while it is running, or after a crash: then it runs again. */
  finishedAt: Date | null;
  /** Documents that were changed so far. */
  changed: number;
  /** Where the next step begins. */
  place: unknown;
}

const migrationSchema = new Schema<Migration>(
  {
    _id: { type: String, required: true },
    startedAt: { type: Date, required: true },
    finishedAt: { type: Date, default: null },
    changed: { type: Number, default: 0 },
    place: { type: Schema.Types.Mixed, default: null },
  },
  { versionKey: false },
);

export const migrationCollection = defineCollection<Migration>({
  schema: migrationSchema,
  holds: "which changes of stored data were made",
  kept: "for good",
  userData: "none",
});
