import { z } from "zod";
import { courseLevels } from "../../src/models/courses/course.js";
import { questionContent } from "../../src/services/questions/question-kinds.js";
import community from "./content/community.json" with { type: "json" };
import courseList from "./content/courses.json" with { type: "json" };
import learning from "./content/learning.json" with { type: "json" };
import { demoUsers } from "./users.js";

/* The schemas reject a misspelt user, group or state when a file of demo/content is loaded. */

const User = z.enum(demoUsers.map(({ id }) => id));
const daysAgo = z.int().nonnegative();

const Course = z.strictObject({
  key: z.string(),
  title: z.string(),
  educator: User,
  /** In major units. */
  price: z.number(),
  discount: z.number(),
  draft: z.boolean().optional(),
  colours: z.tuple([z.string(), z.string()]),
  about: z.string(),
  subtitle: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  level: z.enum(courseLevels),
  language: z.string(),
  requirements: z.array(z.string()),
  outcomes: z.array(z.string()),
  chapters: z.array(
    z.strictObject({
      title: z.string(),
      lectures: z.array(
        z.strictObject({
          title: z.string(),
          minutes: z.number(),
          /** Markdown. */
          text: z.string().optional(),
          /** A file in `media` that learners can download. */
          file: z.string().optional(),
          /** True when the lecture ends with a link to the assessment of its chapter. */
          assessment: z.boolean().optional(),
        }),
      ),
    }),
  ),
});
export type DemoCourse = z.output<typeof Course>;
export const courses = z.array(Course).parse(courseList);

const Group = z.enum(["web-development", "data-science-ai", "ui-ux-design", "career-jobs"]);
const Post = z.strictObject({
  author: User,
  group: Group.nullable(),
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  votes: z.array(User),
  replies: z.array(z.strictObject({ author: User, content: z.string(), votes: z.array(User) })),
  /** Index of the accepted reply. */
  accepted: z.number().optional(),
  /** True when the author closed the post without accepting a reply. */
  resolved: z.boolean().optional(),
});
export type DemoPost = z.output<typeof Post>;
export const { memberships, posts } = z
  .strictObject({ memberships: z.record(Group, z.array(User)), posts: z.array(Post) })
  .parse(community);

const Enrollment = z.strictObject({
  learner: User,
  course: z.string(),
  bought: daysAgo,
  /** Share of the lectures that the learner has completed, from 0 to 1. */
  progress: z.number(),
  rating: z.number().optional(),
  review: z.string().optional(),
  /** Users who find the review helpful. */
  helpful: z.array(User).optional(),
  /** The educator's answer to the review. */
  response: z.string().optional(),
});
export type DemoEnrollment = z.output<typeof Enrollment>;
const Purchase = z.strictObject({
  learner: User,
  course: z.string(),
  days: daysAgo,
  status: z.enum(["refunded", "failed", "pending", "created"]),
});
/** `path` holds a course key where the application's own path holds a course id. */
const Session = z.strictObject({
  learner: User,
  page: z.string(),
  path: z.string(),
  seconds: z.number(),
  days: daysAgo,
});
const Application = z.strictObject({
  applicant: User,
  outcome: z.enum(["approved", "pending", "rejected"]),
  professionalTitle: z.string(),
  bio: z.string(),
  expertise: z.array(z.string()),
  linkedinUrl: z.string(),
  reason: z.string().optional(),
});
const Question = z.strictObject({
  question: z.string(),
  options: z.array(z.string()),
  correctIndex: z.number(),
  explanation: z.string(),
});
const Quiz = z.strictObject({
  course: z.string(),
  chapterId: z.string(),
  questions: z.array(Question),
  /** `right` is the number of questions that the learner answered correctly. */
  attempts: z.array(z.strictObject({ learner: User, right: z.number(), days: daysAgo })),
});
const Assessment = z.strictObject({
  course: z.string(),
  chapterId: z.string(),
  title: z.string(),
  passPercent: z.number(),
  questions: z.array(questionContent),
  /** `answers` in the order of the questions. */
  attempts: z.array(z.strictObject({ learner: User, answers: z.array(z.unknown()) })),
});
export type DemoAssessment = z.output<typeof Assessment>;
export const { enrollments, otherPurchases, sessions, applications, quizzes, assessments, chat } = z
  .strictObject({
    enrollments: z.array(Enrollment),
    otherPurchases: z.array(Purchase),
    sessions: z.array(Session),
    applications: z.array(Application),
    quizzes: z.array(Quiz),
    assessments: z.array(Assessment),
    chat: z.strictObject({ learner: User, question: z.string(), answer: z.string() }),
  })
  .parse(learning);
