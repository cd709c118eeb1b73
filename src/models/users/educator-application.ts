import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { defineCollection, optional, rowTimes } from "../collection.js";

/** `approving` means that the identity provider does not know of the approval yet; it is shown as `approved`. */
export type ApplicationStatus = "pending" | "approving" | "approved" | "rejected";

export const shownStatuses = ["pending", "approved", "rejected"] as const;

/** One user's application to teach; a new one after a rejection is the same record. */
export interface EducatorApplication {
  _id: Types.ObjectId;
  userId: string;
  professionalTitle: string;
  bio: string;
  expertise: string[];
  linkedinUrl: string;
  status: ApplicationStatus;
  rejectionReason: string;
  /** Whether the applicant held the admin role when applying: the only trace of an admin whom only the token names. */
  appliedAsAdmin: boolean;
  /** While approving: when the next attempt at the identity provider is due, and how many there were. */
  nextAttemptAt: Date | null;
  attempts: number;
  createdAt: Date;
  updatedAt: Date;
}

const educatorApplicationSchema = new Schema<EducatorApplication>(
  {
    userId: { type: String, required: true },
    professionalTitle: { type: String, required: true },
    bio: { type: String, required: true },
    expertise: { type: [String], required: true },
    linkedinUrl: { type: String, default: "" },
    status: { type: String, enum: ["pending", "approving", "approved", "rejected"], required: true },
    rejectionReason: { type: String, default: "" },
    appliedAsAdmin: { type: Boolean, default: false },
    nextAttemptAt: { type: Date, default: null },
    attempts: { type: Number, default: 0 },
  },
  { timestamps: true },
);
educatorApplicationSchema.index({ userId: 1 }, { unique: true });
educatorApplicationSchema.index({ createdAt: -1, _id: -1 }); // the admin list, newest first
educatorApplicationSchema.index({ status: 1, createdAt: -1, _id: -1 }); // the filtered list, the count of pending ones
educatorApplicationSchema.index({ status: 1, nextAttemptAt: 1 }); // what the role job has to do
educatorApplicationSchema.index({ updatedAt: 1 }, { partialFilterExpression: { status: "approving" } }); // how long the oldest has waited

export const educatorApplicationCollection = defineCollection<EducatorApplication>({
  schema: educatorApplicationSchema,
  holds: "application to teach and its decision, one for each user",
  kept: "erasure; of an approved one the state stays",
  userData: {
    owner: "userId",
    section: "educatorApplications",
    row: z.object({
      professionalTitle: z.string(),
      bio: z.string(),
      expertise: optional.texts,
      linkedinUrl: optional.text,
      status: z.string(),
      rejectionReason: optional.text,
      ...rowTimes,
    }),
    erasure: "ownStep",
  },
});

/** How clients see the state of an application. */
export const shownStatus = ({ status }: Pick<EducatorApplication, "status">): (typeof shownStatuses)[number] =>
  status === "approving" ? "approved" : status;
