import type { PromptFacts } from "./prompt-facts.js";

export interface QuizQuestion {
  question: string;
  /** Four distinct options. */
  options: string[];
  /** Index of the correct option, from 0 to 3. */
  correctIndex: number;
  explanation: string;
}

interface Draft {
  question: string;
  right: string;
  wrong: readonly string[];
  explanation: string;
}

/** Number of questions. Each has its own wording, so that no two are equal. */
const drafts: readonly ((lecture: string, others: readonly string[], chapter: string) => Draft)[] = [
  (lecture, others, chapter) => ({
    question: `Which lecture of “${chapter}” would you revisit to refresh “${lecture}”?`,
    right: lecture,
    wrong: [...others, "The course introduction only", "A lecture of another course", "The closing summary only"],
    explanation: `“${lecture}” is treated in the lecture of that name.`,
  }),
  (lecture) => ({
    question: `What should you be able to do after “${lecture}”?`,
    right: "Explain its main idea and use it in a small example",
    wrong: [
      "Recite its title without using it",
      "Skip the exercises that build on it",
      "Replace every other technique with it",
    ],
    explanation: `A lecture is learned when its idea can be explained and applied; that holds for “${lecture}” too.`,
  }),
  (lecture) => ({
    question: `Which way of practising “${lecture}” works best?`,
    right: "Build something small with it and compare the result with what you expected",
    wrong: ["Watch the lecture twice at double speed", "Copy the finished code", "Memorise the slides"],
    explanation: "Practice with feedback beats passive repetition.",
  }),
  (lecture, _others, chapter) => ({
    question: `How does “${lecture}” relate to the rest of “${chapter}”?`,
    right: "It is a building block that other lectures of the chapter rely on or extend",
    wrong: [
      "It contradicts the other lectures",
      "It is an advertisement for another course",
      "It has nothing to do with the chapter",
    ],
    explanation: `“${lecture}” belongs to “${chapter}” because the topics build on one another.`,
  }),
  (lecture) => ({
    question: `A colleague is stuck with “${lecture}”. What helps first?`,
    right: "Reduce the problem to the smallest case that still fails",
    wrong: ["Start the project again from nothing", "Change several things at once", "Ignore the error message"],
    explanation: "A minimal case shows which step behaves differently from what was expected.",
  }),
  (lecture) => ({
    question: `When is “${lecture}” worth applying in a project?`,
    right: "When the problem it solves is really there",
    wrong: ["In every file, for consistency", "Only on the last day", "Never outside of a course"],
    explanation: "A technique is chosen for the problem, not for its own sake.",
  }),
  (lecture) => ({
    question: `What is a sign that you have understood “${lecture}”?`,
    right: "You can predict what happens when one part of an example changes",
    wrong: ["You finished the video", "You remember who presented it", "You own a book about it"],
    explanation: "Being able to predict is the test of a working mental model.",
  }),
  (lecture) => ({
    question: `Which mistake is most common with “${lecture}”?`,
    right: "Applying it without checking the assumptions it rests on",
    wrong: ["Reading the documentation", "Writing a test first", "Asking for a review"],
    explanation: `The conditions under which “${lecture}” works matter as much as the technique.`,
  }),
  (lecture) => ({
    question: `“${lecture}” gives an unexpected result. What do you check first?`,
    right: "The inputs and the assumptions about them",
    wrong: ["The colour theme of the editor", "The age of the computer", "The length of the file names"],
    explanation: "Most surprises come from inputs that differ from what was assumed.",
  }),
  (lecture) => ({
    question: `What makes an explanation of “${lecture}” a good one?`,
    right: "It names the idea, shows an example and says where it stops working",
    wrong: ["It uses as many terms as possible", "It avoids examples", "It is longer than the lecture"],
    explanation: "Idea, example and limits are what another user needs to use it.",
  }),
];

/** Writes ten questions about the lectures in the prompt. @param random returns a number from 0 to below 1. */
export function quizQuestions(facts: PromptFacts, random: () => number): QuizQuestion[] {
  const chapter = facts.chapter ?? facts.courses[0]?.title ?? facts.topic ?? "this chapter";
  const lectures = facts.lectures.length > 0 ? facts.lectures : [chapter];
  const below = (limit: number): number => Math.floor(random() * limit);
  const first = below(lectures.length);
  return drafts.map((draft, position) => {
    const lecture = lectures[(first + position) % lectures.length] ?? chapter;
    const others = shuffle(
      lectures.filter((other) => other !== lecture),
      random,
    );
    return finishQuestion(draft(lecture, others, chapter), below(4));
  });
}

function finishQuestion({ question, right, wrong, explanation }: Draft, correctIndex: number): QuizQuestion {
  const options = [...new Set(wrong)].filter((option) => option !== right).slice(0, 3);
  options.splice(correctIndex, 0, right);
  return { question, options, correctIndex, explanation };
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}
