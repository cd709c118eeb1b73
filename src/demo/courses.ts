import type { DemoPersonId } from "./people.js";

/** A course of the demo data; lectures are `title | minutes`, the first two are free previews. */
export interface DemoCourse {
  readonly key: string;
  readonly title: string;
  readonly educator: DemoPersonId;
  /** Major units. */
  readonly price: number;
  readonly discount: number;
  readonly draft?: boolean;
  readonly colours: readonly [string, string];
  readonly about: string;
  readonly outcomes: readonly string[];
  readonly chapters: readonly { readonly title: string; readonly lectures: readonly string[] }[];
}

export const courses: readonly DemoCourse[] = [
  {
    key: "typescript",
    title: "TypeScript for Working Developers",
    educator: "user_demo_meera",
    price: 3499,
    discount: 20,
    colours: ["#0f766e", "#2dd4bf"],
    about:
      "Types are a conversation with your future self. This course starts where a JavaScript developer stands and ends with a codebase whose compiler catches the mistakes that used to reach production.",
    outcomes: [
      "Model a domain so that wrong states cannot be written",
      "Read and write generics without fear",
      "Migrate an existing project file by file",
    ],
    chapters: [
      {
        title: "Thinking in types",
        lectures: ["What the compiler knows | 9", "Narrowing, step by step | 12", "Unions that describe reality | 14"],
      },
      { title: "Generics and beyond", lectures: ["Generics by example | 16", "Mapped and conditional types | 18"] },
      {
        title: "A real migration",
        lectures: ["Turning on strict mode | 11", "Types at the edges: JSON, forms, APIs | 17"],
      },
    ],
  },
  {
    key: "node-services",
    title: "Node.js Services That Stay Up",
    educator: "user_demo_meera",
    price: 4499,
    discount: 25,
    colours: ["#166534", "#4ade80"],
    about:
      "Anybody can start a server. This course is about the third year: timeouts, queues that drain, deployments nobody notices, and the logs you will be glad to have.",
    outcomes: [
      "Set deadlines on everything that leaves the process",
      "Make handlers idempotent",
      "Shut down without dropping a request",
    ],
    chapters: [
      {
        title: "The event loop in practice",
        lectures: ["What blocks and what waits | 13", "Streams without tears | 15", "Measuring before guessing | 10"],
      },
      {
        title: "Failure is normal",
        lectures: ["Retries, backoff, idempotency | 19", "Graceful shutdown | 12", "Logs, metrics, traces | 16"],
      },
    ],
  },
  {
    key: "react",
    title: "React from First Principles",
    educator: "user_demo_tomas",
    price: 3999,
    discount: 15,
    colours: ["#1d4ed8", "#38bdf8"],
    about:
      "Build a small renderer yourself, then use the real one knowing why it behaves as it does. State, effects and data fetching, with the accessibility that usually comes last coming first.",
    outcomes: [
      "Explain when and why a component renders",
      "Keep server state out of your stores",
      "Ship forms that work with a keyboard",
    ],
    chapters: [
      {
        title: "Rendering",
        lectures: [
          "A renderer in forty lines | 17",
          "Keys, identity and lists | 9",
          "State that belongs together | 13",
        ],
      },
      { title: "Effects and data", lectures: ["What effects are for | 14", "Fetching, caching, refetching | 18"] },
      { title: "Forms for everybody", lectures: ["Labels, errors, focus | 12"] },
    ],
  },
  {
    key: "sql",
    title: "SQL You Will Actually Use",
    educator: "user_demo_grace",
    price: 2499,
    discount: 10,
    colours: ["#7c2d12", "#fb923c"],
    about:
      "From the first SELECT to window functions, always on the same small shop database, always with the question first and the query second.",
    outcomes: [
      "Join tables without losing or doubling rows",
      "Answer 'per month, compared with last month' in one query",
      "Read a query plan",
    ],
    chapters: [
      {
        title: "Asking questions",
        lectures: ["Rows, columns, nulls | 8", "Filtering and sorting | 9", "Grouping without surprises | 13"],
      },
      { title: "Combining tables", lectures: ["Joins as pictures | 15", "Subqueries and CTEs | 14"] },
      { title: "Going further", lectures: ["Window functions | 18", "Indexes and plans | 16"] },
    ],
  },
  {
    key: "python-data",
    title: "Data Analysis with Python",
    educator: "user_demo_grace",
    price: 3299,
    discount: 30,
    colours: ["#4338ca", "#a5b4fc"],
    about:
      "Clean a messy export, find what is in it and show it to somebody who has two minutes. Notebooks you could hand over, charts that do not lie.",
    outcomes: ["Clean and reshape real-world tables", "Choose a chart for a question", "Say how sure you are"],
    chapters: [
      {
        title: "Getting data into shape",
        lectures: ["Tables in memory | 11", "Missing, wrong, doubled | 15", "Dates and time zones | 12"],
      },
      {
        title: "Finding the story",
        lectures: ["Distributions first | 14", "Comparing groups fairly | 17", "One chart, one message | 10"],
      },
    ],
  },
  {
    key: "machine-learning",
    title: "Machine Learning, Honestly",
    educator: "user_demo_grace",
    price: 4999,
    discount: 20,
    colours: ["#581c87", "#d8b4fe"],
    about:
      "The models are the easy part. Baselines, leakage, evaluation and the moment to say that a rule would do: everything that decides whether a model helps anybody.",
    outcomes: [
      "Build a baseline worth beating",
      "Spot leakage before your users do",
      "Evaluate with the metric that matters",
    ],
    chapters: [
      {
        title: "Before the model",
        lectures: ["Is this a learning problem? | 9", "Baselines | 12", "Splits and leakage | 16"],
      },
      { title: "Models", lectures: ["Linear models that work | 18", "Trees and ensembles | 20"] },
      { title: "After the model", lectures: ["Choosing a metric | 13", "Monitoring drift | 14"] },
    ],
  },
  {
    key: "ui-design",
    title: "Interface Design for Engineers",
    educator: "user_demo_tomas",
    price: 2999,
    discount: 15,
    colours: ["#be185d", "#f9a8d4"],
    about:
      "Spacing, type, colour and hierarchy as rules you can follow, not as talent you must have. Every lesson improves one and the same plain screen.",
    outcomes: [
      "Lay out a screen on a grid",
      "Choose a type scale and keep to it",
      "Pick colours that everybody can read",
    ],
    chapters: [
      { title: "Structure", lectures: ["What the eye does first | 8", "Spacing as grammar | 11", "Hierarchy | 12"] },
      {
        title: "Surface",
        lectures: ["Type that reads well | 13", "Colour and contrast | 12", "Motion with a reason | 9"],
      },
    ],
  },
  {
    key: "ux-research",
    title: "User Research in a Week",
    educator: "user_demo_tomas",
    price: 2799,
    discount: 10,
    colours: ["#9f1239", "#fda4af"],
    about:
      "Five conversations beat five hundred opinions. Plan, recruit, ask, listen and report within one working week.",
    outcomes: [
      "Write an interview guide without leading questions",
      "Run a usability test on a prototype",
      "Turn notes into decisions",
    ],
    chapters: [
      { title: "Prepare", lectures: ["The question behind the question | 10", "Finding five people | 9"] },
      { title: "Listen", lectures: ["Interviewing | 16", "Usability tests | 14"] },
      { title: "Report", lectures: ["From notes to insight | 13"] },
    ],
  },
  {
    key: "kubernetes",
    title: "Kubernetes Without the Fog",
    educator: "user_demo_meera",
    price: 4799,
    discount: 20,
    colours: ["#0c4a6e", "#7dd3fc"],
    about:
      "Pods, services, probes and rollouts explained by breaking a small cluster on purpose and putting it back together.",
    outcomes: [
      "Deploy and roll back with confidence",
      "Write probes that tell the truth",
      "Debug a pod that will not start",
    ],
    chapters: [
      {
        title: "The moving parts",
        lectures: ["A cluster on your laptop | 12", "Pods and deployments | 15", "Services and ingress | 16"],
      },
      {
        title: "Keeping it running",
        lectures: ["Probes and restarts | 13", "Requests and limits | 14", "Reading what went wrong | 17"],
      },
    ],
  },
  {
    key: "security",
    title: "Web Security by Attacking It",
    educator: "user_demo_meera",
    price: 4299,
    discount: 30,
    colours: ["#7f1d1d", "#f87171"],
    about:
      "You attack a deliberately weak shop, then you mend it: injection, broken access control, forged requests, and the quiet mistakes around money.",
    outcomes: [
      "Find broken access control in any API",
      "Store secrets and passwords properly",
      "Write a threat model in an hour",
    ],
    chapters: [
      {
        title: "Breaking in",
        lectures: ["How attackers read your app | 11", "Injection of every kind | 18", "Whose order is this? | 14"],
      },
      { title: "Keeping out", lectures: ["Sessions and tokens | 16", "Signatures and webhooks | 13"] },
      { title: "Thinking ahead", lectures: ["Threat modelling | 15"] },
    ],
  },
  {
    key: "mobile",
    title: "Mobile Apps with One Codebase",
    educator: "user_demo_tomas",
    price: 3799,
    discount: 25,
    colours: ["#3f6212", "#bef264"],
    about:
      "One app, two stores. Navigation, offline data and the review process, built around a habit tracker that you will keep using.",
    outcomes: ["Structure navigation people can predict", "Work offline and sync later", "Get through store review"],
    chapters: [
      {
        title: "First screens",
        lectures: ["Running on a real phone | 9", "Layout on any size | 13", "Navigation | 14"],
      },
      { title: "Data", lectures: ["Offline first | 18", "Notifications with manners | 10"] },
    ],
  },
  {
    key: "marketing",
    title: "Marketing for Makers",
    educator: "user_demo_grace",
    price: 2599,
    discount: 10,
    colours: ["#a16207", "#fde047"],
    about:
      "You built it; now somebody has to hear of it. Positioning, a page that converts and a mailing list that people are glad to be on.",
    outcomes: ["Say what you do in one sentence", "Write a landing page", "Measure what matters and ignore the rest"],
    chapters: [
      { title: "Message", lectures: ["Positioning | 12", "A page that answers | 14", "Prices and promises | 10"] },
      { title: "Reach", lectures: ["The first hundred readers | 13", "Measuring without creeping | 11"] },
    ],
  },
  {
    key: "git",
    title: "Git, Calmly",
    educator: "user_demo_tomas",
    price: 0,
    discount: 0,
    colours: ["#334155", "#94a3b8"],
    about:
      "A free course for everybody who has ever deleted a folder and cloned it again. Three ideas explain every command.",
    outcomes: ["Know what a commit really is", "Undo almost anything", "Work on branches without fear"],
    chapters: [
      { title: "Three ideas", lectures: ["Snapshots | 7", "Names for snapshots | 8", "The three places | 9"] },
      { title: "Daily work", lectures: ["Branches and merges | 12", "Undoing things | 11"] },
    ],
  },
  {
    key: "rust",
    title: "A First Month of Rust",
    educator: "user_demo_meera",
    price: 4199,
    discount: 20,
    draft: true,
    colours: ["#78350f", "#fbbf24"],
    about: "A draft in the making: ownership first, syntax second.",
    outcomes: ["Read compiler errors as advice", "Own, borrow, move"],
    chapters: [
      { title: "Ownership", lectures: ["Moves and borrows | 14", "Lifetimes in plain words | 16"] },
      {
        title: "Projects",
        lectures: ["A command-line tool | 19", "Tests and documentation | 12", "Errors as values | 13"],
      },
    ],
  },
];

/** Openly licensed films on a public video site: any of them plays. */
const videos = [
  "aqz-KE-bpKQ",
  "eRsGyueVLvQ",
  "R6MlUcmOul8",
  "TLkA0RELQ1g",
  "WhWc3b3KhnY",
  "mN0zPOpADL4",
  "SkVqJ1SGeL0",
  "_cMxraX_5RE",
];

export const videoUrl = (index: number): string => `https://www.youtube.com/watch?v=${videos[index % videos.length]}`;

/** The course's description as an educator would write it, in Markdown. */
export function description({ about, outcomes, chapters }: DemoCourse): string {
  const list = outcomes.map((outcome) => `- ${outcome}`).join("\n");
  const parts = chapters.map(
    ({ title, lectures }, i) => `${i + 1}. **${title}**: ${lectures.map((l) => l.split(" | ")[0]).join(", ")}`,
  );
  return `${about}\n\n## What you will be able to do\n\n${list}\n\n## What is inside\n\n${parts.join("\n")}\n\n*No previous knowledge beyond the basics is assumed. Ask in the community when you are stuck.*\n`;
}
