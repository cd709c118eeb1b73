import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, rowTimes } from "../collection.js";

export interface QuizQuestion {
  question: string;
  /** Four, all different. */
  options: string[];
  /** Index of the one right option. Never leaves the server before an attempt is submitted, except to the educator. */
  correctIndex: number;
  explanation: string;
}

/** One version of a chapter's quiz. It never changes: a regenerated quiz is a new version, and the highest is in force. */
export interface Quiz {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  chapterId: string;
  chapterTitle: string;
  courseTitle: string;
  /** 1 to 20. */
  questions: QuizQuestion[];
  /** From 1. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const questionSchema = new Schema<QuizQuestion>(
  {
    question: { type: String, required: true },
    options: { type: [String], required: true },
    correctIndex: { type: Number, required: true },
    explanation: { type: String, default: "" },
  },
  { _id: false },
);

const quizSchema = new Schema<Quiz>(
  {
    courseId: { type: Schema.Types.ObjectId, required: true },
    chapterId: { type: String, required: true },
    chapterTitle: { type: String, required: true },
    courseTitle: { type: String, required: true },
    questions: [questionSchema],
    version: { type: Number, required: true },
  },
  { timestamps: true },
);
quizSchema.index({ courseId: 1, chapterId: 1, version: -1 }, { unique: true }); // also finds the version in force

export const quizCollection = defineCollection<Quiz>({
  schema: quizSchema,
  holds: "questions of a chapter; a version never changes",
  kept: "for good",
  userData: "none",
});

/** The version that a learner saw last. The next attempt is graded on it. It never goes back. */
export interface LastServedQuiz {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  chapterId: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const lastServedQuizSchema = new Schema<LastServedQuiz>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    chapterId: { type: String, required: true },
    version: { type: Number, required: true },
  },
  { timestamps: true },
);
lastServedQuizSchema.index({ userId: 1, courseId: 1, chapterId: 1 }, { unique: true });

export const lastServedQuizCollection = defineCollection<LastServedQuiz>({
  schema: lastServedQuizSchema,
  holds: "the version of a quiz that a learner saw last",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "quizzesSeen",
    row: z.object({ courseId: id, chapterId: z.string(), version: z.number(), ...rowTimes }),
    erasure: "delete",
  },
});
