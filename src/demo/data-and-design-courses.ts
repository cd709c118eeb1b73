import type { DemoCourse } from "./course.js";

export const dataAndDesignCourses: readonly DemoCourse[] = [
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
];
