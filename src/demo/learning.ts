import type { DemoUserId } from "./users.js";

/** What a learner did with a course: how it was bought, how far they are (share of lectures), what they think of it. */
export interface DemoEnrollment {
  readonly learner: DemoUserId;
  readonly course: string;
  /** Days before the load. */
  readonly bought: number;
  /** 0 to 1. */
  readonly progress: number;
  readonly rating?: number;
}

export const enrollments: readonly DemoEnrollment[] = [
  { learner: "user_demo_asha", course: "typescript", bought: 30, progress: 1, rating: 5 },
  { learner: "user_demo_asha", course: "git", bought: 29, progress: 1, rating: 4 },
  { learner: "user_demo_asha", course: "react", bought: 6, progress: 0.5, rating: 4 },
  { learner: "user_demo_asha", course: "security", bought: 1, progress: 0 },
  { learner: "user_demo_devi", course: "python-data", bought: 21, progress: 1, rating: 5 },
  { learner: "user_demo_devi", course: "sql", bought: 5, progress: 0.7, rating: 5 },
  { learner: "user_demo_devi", course: "machine-learning", bought: 2, progress: 0.2 },
  { learner: "user_demo_liam", course: "typescript", bought: 14, progress: 0.6, rating: 4 },
  { learner: "user_demo_liam", course: "node-services", bought: 4, progress: 0.3 },
  { learner: "user_demo_liam", course: "git", bought: 13, progress: 0.8 },
  { learner: "user_demo_yuki", course: "react", bought: 12, progress: 0.9, rating: 5 },
  { learner: "user_demo_yuki", course: "ui-design", bought: 3, progress: 0.4, rating: 4 },
  { learner: "user_demo_yuki", course: "typescript", bought: 5, progress: 0.1 },
  { learner: "user_demo_sara", course: "machine-learning", bought: 9, progress: 0.6, rating: 3 },
  { learner: "user_demo_sara", course: "sql", bought: 6, progress: 0.2 },
  { learner: "user_demo_omar", course: "node-services", bought: 8, progress: 0.5, rating: 5 },
  { learner: "user_demo_omar", course: "security", bought: 3, progress: 0.2 },
  { learner: "user_demo_omar", course: "git", bought: 8, progress: 1, rating: 5 },
  { learner: "user_demo_nina", course: "ui-design", bought: 10, progress: 0.7, rating: 4 },
  { learner: "user_demo_nina", course: "ux-research", bought: 2, progress: 0.4, rating: 5 },
  { learner: "user_demo_ravi", course: "kubernetes", bought: 4, progress: 0.2 },
  { learner: "user_demo_ravi", course: "typescript", bought: 1, progress: 0 },
  { learner: "user_demo_ravi", course: "mobile", bought: 0, progress: 0 },
];

/** Purchases that did not end in an enrollment. */
export const otherPurchases = [
  { learner: "user_demo_nina", course: "marketing", days: 7, status: "refunded" },
  { learner: "user_demo_sara", course: "kubernetes", days: 4, status: "failed" },
  { learner: "user_demo_liam", course: "security", days: 0, status: "pending" },
  { learner: "user_demo_yuki", course: "mobile", days: 0, status: "created" },
] as const satisfies readonly { learner: DemoUserId; course: string; days: number; status: string }[];

/** Tracked time: label, path (the course's key is replaced by its id), seconds, days ago. */
export const sessions = [
  { learner: "user_demo_asha", page: "Learning", path: "/player/react", seconds: 1860, days: 0 },
  { learner: "user_demo_asha", page: "Learning", path: "/player/react", seconds: 1240, days: 1 },
  { learner: "user_demo_asha", page: "Quiz", path: "/quiz/typescript/ch1", seconds: 420, days: 1 },
  { learner: "user_demo_asha", page: "Learning", path: "/player/typescript", seconds: 2700, days: 3 },
  { learner: "user_demo_asha", page: "Community", path: "/community", seconds: 380, days: 3 },
  { learner: "user_demo_asha", page: "Lyceum AI", path: "/ai-chat", seconds: 510, days: 4 },
  { learner: "user_demo_asha", page: "Browse Courses", path: "/course-list", seconds: 130, days: 4 },
  { learner: "user_demo_asha", page: "Learning", path: "/player/git", seconds: 900, days: 9 },
  { learner: "user_demo_devi", page: "Learning", path: "/player/sql", seconds: 2100, days: 0 },
  { learner: "user_demo_devi", page: "Learning", path: "/player/machine-learning", seconds: 1500, days: 2 },
  { learner: "user_demo_devi", page: "Quiz", path: "/quiz/python-data/ch1", seconds: 360, days: 5 },
  { learner: "user_demo_liam", page: "Learning", path: "/player/typescript", seconds: 1320, days: 1 },
  { learner: "user_demo_liam", page: "Roadmap", path: "/roadmap", seconds: 240, days: 2 },
] as const satisfies readonly { learner: DemoUserId; page: string; path: string; seconds: number; days: number }[];

export const applications = [
  {
    applicant: "user_demo_grace",
    outcome: "approved",
    professionalTitle: "Data scientist and lecturer",
    bio: "Ten years of data work in public health, five of them teaching it.",
    expertise: ["Data Science", "AI & Machine Learning"],
    linkedinUrl: "https://www.linkedin.com/in/grace-okafor-demo",
  },
  {
    applicant: "user_demo_ravi",
    outcome: "pending",
    professionalTitle: "Platform engineer",
    bio: "I run clusters by day and explain them to my team on Fridays. I would like to do that properly.",
    expertise: ["DevOps & Cloud", "Cybersecurity"],
    linkedinUrl: "",
  },
  {
    applicant: "user_demo_omar",
    outcome: "rejected",
    professionalTitle: "Logistics coordinator",
    bio: "I would love to teach once I have learned enough.",
    expertise: ["Business"],
    linkedinUrl: "",
    reason: "Please apply again with a sample lecture of about five minutes.",
  },
] as const satisfies readonly {
  applicant: DemoUserId;
  outcome: "approved" | "pending" | "rejected";
  professionalTitle: string;
  bio: string;
  expertise: readonly string[];
  linkedinUrl: string;
  reason?: string;
}[];
