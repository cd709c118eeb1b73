import { Schema } from "mongoose";
import { countedKeys } from "./counted-keys.js";

/** Money of purchases by the UTC day they completed; a refunded one leaves its day. */
export interface RevenueDay {
  /** `YYYY-MM-DD`. */
  _id: string;
  /** Minor units. */
  revenueMinor: number;
}

export const revenueDaySchema = new Schema<RevenueDay>(
  { _id: { type: String, required: true }, revenueMinor: { type: Number, default: 0 }, ...countedKeys },
  { versionKey: false },
);

/** One document, `_id: "platform"`. */
export interface PlatformTotals {
  _id: string;
  /** Minor units over completed purchases. */
  revenueMinor: number;
  /** Number of active enrollments. */
  enrollments: number;
}

export const platformTotalsSchema = new Schema<PlatformTotals>(
  {
    _id: { type: String, required: true },
    revenueMinor: { type: Number, default: 0 },
    enrollments: { type: Number, default: 0 },
    ...countedKeys,
  },
  { versionKey: false },
);

/** One document, `_id: "people"`. */
export interface PeopleTotal {
  _id: string;
  /** Number of user records that are marked as counted. */
  people: number;
  /** Raised whenever it moves. */
  changes: number;
  countedKeys?: string[];
}

export const peopleTotalSchema = new Schema<PeopleTotal>(
  {
    _id: { type: String, required: true },
    people: { type: Number, default: 0 },
    changes: { type: Number, default: 0 },
    ...countedKeys,
  },
  { versionKey: false },
);
