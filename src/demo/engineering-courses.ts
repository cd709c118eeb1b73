import type { DemoCourse } from "./course.js";

export const engineeringCourses: readonly DemoCourse[] = [
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
