import type { QuizQuestion } from "../models/learning/quiz.js";
import type { DemoUserId } from "./users.js";

const ask = (
  question: string,
  right: string,
  wrong: [string, string, string],
  at: 0 | 1 | 2 | 3,
  explanation: string,
): QuizQuestion => {
  const options: string[] = [...wrong];
  options.splice(at, 0, right);
  return { question, options, correctIndex: at, explanation };
};

/** Quizzes of the demo data by course and chapter, and how many questions of them each learner got right. */
export const quizzes: readonly {
  readonly course: string;
  readonly chapterId: string;
  readonly questions: readonly QuizQuestion[];
  readonly attempts: readonly { readonly learner: DemoUserId; readonly right: number; readonly days: number }[];
}[] = [
  {
    course: "typescript",
    chapterId: "ch1",
    questions: [
      ask(
        "What does narrowing do?",
        "It makes a type more specific where a check holds",
        ["It removes types at run time", "It shortens variable names", "It turns errors into warnings"],
        1,
        "Control flow tells the compiler what is left of a type.",
      ),
      ask(
        'Which type has exactly the values "on" and "off"?',
        '"on" | "off"',
        ["string", "{ on: true; off: true }", '["on", "off"]'],
        2,
        "A union of literal types lists its values.",
      ),
      ask(
        "What is `unknown` good for?",
        "Values that must be checked before use",
        ["Values that need no check", "Values that are never there", "Functions that never return"],
        0,
        "Unlike `any`, `unknown` allows nothing until it is narrowed.",
      ),
      ask(
        "What tells members of a discriminated union apart?",
        "A property with a different literal in each",
        ["Their order", "Their file", "The number of their properties"],
        3,
        "The compiler narrows by that property.",
      ),
      ask(
        "When do types exist?",
        "While compiling only",
        ["While running only", "Always", "In strict mode only"],
        1,
        "They are erased from the program.",
      ),
    ],
    attempts: [
      { learner: "user_demo_asha", right: 5, days: 12 },
      { learner: "user_demo_asha", right: 3, days: 14 },
      { learner: "user_demo_liam", right: 2, days: 6 },
      { learner: "user_demo_yuki", right: 3, days: 3 },
    ],
  },
  {
    course: "python-data",
    chapterId: "ch1",
    questions: [
      ask(
        "What do you look at first in a new table?",
        "Types, missing values and ranges of the columns",
        ["The prettiest chart", "The last row", "The file's name"],
        0,
        "Everything later rests on that.",
      ),
      ask(
        "Two rows are the same in every column. What now?",
        "Find out why before dropping one",
        ["Drop both", "Keep both, always", "Average them"],
        2,
        "A doubled row can be an error or two real events.",
      ),
    ],
    attempts: [{ learner: "user_demo_devi", right: 2, days: 15 }],
  },
  {
    course: "sql",
    chapterId: "ch1",
    questions: [
      ask(
        "What is `NULL = NULL`?",
        "Neither true nor false: unknown",
        ["True", "False", "An error"],
        1,
        "Comparing with an unknown value is unknown.",
      ),
      ask(
        "Which clause filters groups?",
        "HAVING",
        ["WHERE", "ORDER BY", "LIMIT"],
        3,
        "WHERE filters rows before they are grouped.",
      ),
      ask(
        "What does `COUNT(column)` count?",
        "Rows where the column is not null",
        ["All rows", "Different values", "Null values"],
        0,
        "`COUNT(*)` counts all rows.",
      ),
      ask(
        "What is a row's order without ORDER BY?",
        "Not defined",
        ["By primary key", "By insertion", "Alphabetical"],
        2,
        "The server may return rows in any order.",
      ),
    ],
    attempts: [
      { learner: "user_demo_devi", right: 4, days: 2 },
      { learner: "user_demo_sara", right: 1, days: 1 },
    ],
  },
];

/** The demo's one chat with the tutor. */
export const chat = {
  learner: "user_demo_asha",
  question: "I keep mixing up unions and intersections. Is there a way to remember?",
  answer:
    "Think of **values**, not of properties:\n\n- `A | B` accepts a value that is an A *or* a B, so you may only use what both have.\n- `A & B` accepts a value that is both at once, so you may use everything.\n\nThe lecture *Unions that describe reality* in your course has an exercise on exactly that.",
} as const satisfies { learner: DemoUserId; question: string; answer: string };
