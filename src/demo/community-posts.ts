import type { DemoUserId } from "./users.js";

/**
 * A post of the demo data. `accepted` is the index of the accepted reply; `resolved` alone means resolved without one.
 */
export interface DemoPost {
  readonly key: string;
  readonly author: DemoUserId;
  readonly group: "web-development" | "data-science-ai" | "ui-ux-design" | "career-jobs" | null;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly votes: readonly DemoUserId[];
  readonly replies: readonly {
    readonly author: DemoUserId;
    readonly content: string;
    readonly votes: readonly DemoUserId[];
  }[];
  readonly accepted?: number;
  readonly resolved?: boolean;
}

export const posts: readonly DemoPost[] = [
  {
    key: "narrowing",
    author: "user_demo_asha",
    group: "web-development",
    title: "Why does TypeScript forget that my variable is not null?",
    content:
      "I check `if (user)` and two lines later, inside a callback, it is possibly null again. What am I missing?",
    tags: ["typescript", "narrowing"],
    votes: ["user_demo_liam", "user_demo_yuki", "user_demo_nina"],
    replies: [
      { author: "user_demo_liam", content: "Had the same yesterday. Following.", votes: [] },
      {
        author: "user_demo_meera",
        content: "Because a `let` may change before the callback runs. Put it in a `const` first and the check holds.",
        votes: ["user_demo_asha", "user_demo_yuki"],
      },
    ],
    accepted: 1,
  },
  {
    key: "useeffect",
    author: "user_demo_yuki",
    group: "web-development",
    title: "Effect runs twice in development",
    content: "My effect posts to the server and in development I see two requests. Is that a bug?",
    tags: ["react"],
    votes: ["user_demo_sara"],
    replies: [
      {
        author: "user_demo_tomas",
        content:
          "It is on purpose: it shows that your effect is not safe to repeat. Move the post into the event handler.",
        votes: ["user_demo_yuki"],
      },
    ],
    accepted: 0,
  },
  {
    key: "webhook-twice",
    author: "user_demo_omar",
    group: "web-development",
    title: "Webhook arrived twice, order shipped twice",
    content: "How do you make sure that a payment webhook is only applied once?",
    tags: ["payments", "webhooks", "idempotency"],
    votes: ["user_demo_asha", "user_demo_ravi", "user_demo_meera", "user_demo_nina"],
    replies: [
      {
        author: "user_demo_ravi",
        content: "Unique index on the event id, insert first, apply after.",
        votes: ["user_demo_omar", "user_demo_asha", "user_demo_meera"],
      },
      {
        author: "user_demo_nina",
        content: "And make applying it harmless when repeated, for the crash in between.",
        votes: ["user_demo_omar"],
      },
    ],
  },
  {
    key: "window-functions",
    author: "user_demo_devi",
    group: "data-science-ai",
    title: "Running total per customer?",
    content: "I can do it with a subquery but it takes minutes. Is there a better way?",
    tags: ["sql"],
    votes: ["user_demo_sara"],
    replies: [
      {
        author: "user_demo_grace",
        content: "`SUM(amount) OVER (PARTITION BY customer_id ORDER BY paid_at)`: lecture six shows it.",
        votes: ["user_demo_devi", "user_demo_sara"],
      },
    ],
    accepted: 0,
  },
  {
    key: "leakage",
    author: "user_demo_sara",
    group: "data-science-ai",
    title: "99 % accuracy on the first try",
    content: "Should I be happy or worried?",
    tags: ["machine-learning", "evaluation"],
    votes: ["user_demo_devi", "user_demo_liam"],
    replies: [
      {
        author: "user_demo_devi",
        content: "Worried. Check whether a column knows the answer.",
        votes: ["user_demo_sara"],
      },
      {
        author: "user_demo_grace",
        content: "What is the share of the larger class? If it is 99 %, you have a baseline, not a model.",
        votes: [],
      },
    ],
  },
  {
    key: "chart",
    author: "user_demo_liam",
    group: "data-science-ai",
    title: "Pie chart or bar chart for seven categories?",
    content: "My manager loves pies. I do not. Arguments welcome 🥧",
    tags: ["charts"],
    votes: [],
    replies: [],
    resolved: true,
  },
  {
    key: "contrast",
    author: "user_demo_nina",
    group: "ui-ux-design",
    title: "Is light grey on white ever fine?",
    content: "For placeholders, say. The brand guide insists.",
    tags: ["contrast", "accessibility"],
    votes: ["user_demo_yuki", "user_demo_tomas"],
    replies: [
      {
        author: "user_demo_tomas",
        content: "If somebody needs to read it, 4.5 to 1. If nobody needs to read it, leave it out.",
        votes: ["user_demo_nina", "user_demo_yuki"],
      },
    ],
    accepted: 0,
  },
  {
    key: "prototype",
    author: "user_demo_ravi",
    group: "ui-ux-design",
    title: "How finished must a prototype be for a test?",
    content: "We have boxes and arrows. Is that enough to put in front of people?",
    tags: ["prototyping"],
    votes: ["user_demo_nina"],
    replies: [
      {
        author: "user_demo_sara",
        content: "Paper works for flows. For wording it has to have the real words.",
        votes: [],
      },
    ],
  },
  {
    key: "first-job",
    author: "user_demo_omar",
    group: "career-jobs",
    title: "First job at 38: what to show?",
    content: "I come from logistics. Two finished courses here, one small project. What would convince you?",
    tags: ["career-change", "portfolio"],
    votes: ["user_demo_asha", "user_demo_liam", "user_demo_sara", "user_demo_ravi", "user_demo_nina"],
    replies: [
      {
        author: "user_demo_meera",
        content:
          "The project, deployed, with a README that says what you would do next. And say what logistics taught you.",
        votes: ["user_demo_omar", "user_demo_asha", "user_demo_liam"],
      },
      {
        author: "user_demo_liam",
        content: "I was 41. It works. Write to people, not to portals.",
        votes: ["user_demo_omar"],
      },
    ],
    accepted: 0,
  },
  {
    key: "take-home",
    author: "user_demo_liam",
    group: "career-jobs",
    title: "Take-home task of ten hours, unpaid",
    content: "Normal these days?",
    tags: ["interviews"],
    votes: ["user_demo_omar"],
    replies: [
      {
        author: "user_demo_omar",
        content: "I ask which part they would like to see most and do two hours of that.",
        votes: ["user_demo_liam"],
      },
    ],
  },
  {
    key: "study-plan",
    author: "user_demo_yuki",
    group: null,
    title: "How do you keep going after work?",
    content: "I manage Monday and Tuesday, then it falls apart.",
    tags: ["habits"],
    votes: ["user_demo_asha", "user_demo_devi"],
    replies: [
      {
        author: "user_demo_asha",
        content: "Twenty minutes, same chair, every day. The daily chart on the analytics page keeps me honest.",
        votes: ["user_demo_yuki"],
      },
      { author: "user_demo_devi", content: "साथ में पढ़ने से आसान होता है। Find a partner.", votes: [] },
    ],
  },
  {
    key: "certificate",
    author: "user_demo_devi",
    group: null,
    title: "Does anybody check the certificates?",
    content: "Has an employer ever scanned the code on yours?",
    tags: [],
    votes: [],
    replies: [
      {
        author: "user_demo_asha",
        content: "Mine did, in the interview, with a phone. It opened the verification page.",
        votes: ["user_demo_devi"],
      },
    ],
  },
  {
    key: "welcome",
    author: "user_demo_tomas",
    group: null,
    title: "Welcome! Say hello here",
    content: "What are you learning, and what do you want to build with it?",
    tags: ["welcome"],
    votes: ["user_demo_asha", "user_demo_liam", "user_demo_yuki"],
    replies: [],
  },
];
