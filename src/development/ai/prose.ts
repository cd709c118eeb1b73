import type { CourseFact, PromptFacts } from "./prompt-facts.js";

/** Writes a tutor's answer in Markdown that uses the prompt's facts about the learner. */
export function chatAnswer(facts: PromptFacts): string {
  const greeting = facts.learner === null ? "Good question." : `Good question, ${facts.learner}.`;
  const asked = `> ${facts.question.replace(/\s+/g, " ").slice(0, 160)}`;
  if (
    /\b(answer key|correct ?index|correct (answers?|options?)|quiz (answers?|key|solutions?))\b/i.test(facts.question)
  ) {
    return `${greeting}\n\n${asked}\n\nI do not know the answers of your quizzes and could not share them. I can explain the topics behind them instead: which one shall we start with?`;
  }
  const lecture = bestMatch(facts.lectures, (title) => title, facts.question);
  const course = bestMatch(facts.courses, ({ title }) => title, facts.question) ?? openCourse(facts.courses);
  const subject = lecture ?? course?.title ?? "the topic";
  return [
    greeting,
    asked,
    `### The short version\n\n**${subject}** is easiest to grasp in three steps: name the idea, try it in a small example, then change one thing and predict what happens.`,
    ...(facts.courses.length === 0 ? [] : [`### Where you stand\n\n${facts.courses.map(describeProgress).join("\n")}`]),
    `### What to do next\n\n1. ${nextStep(course)}\n2. Write a small example about *${subject}* in your own words.\n3. Take the chapter quiz and look at what surprised you.`,
    `\`\`\`text\nidea → example → change → prediction\n\`\`\``,
    "Tell me where you get stuck and we take it from there.",
  ].join("\n\n");
}

/** Writes five lines of advice, each with a bullet. */
export function recommendations(facts: PromptFacts): string {
  const chapter = facts.chapter ?? facts.courses[0]?.title ?? "this chapter";
  const [first = chapter, second = chapter] = facts.lectures;
  const goal =
    facts.percentage !== null && facts.percentage > 75
      ? `Keep “${chapter}” fresh by explaining it to another learner.`
      : `Plan a second attempt at the quiz of “${chapter}” in two days.`;
  const missed = facts.missed[0];
  return [
    missed
      ? `Go back to “${missed.slice(0, 120)}” and say in your own words what it asks.`
      : `Review “${first}” and note its main idea in one sentence.`,
    `Work through a small example for “${second}” without looking at the solution.`,
    "Read the explanation of every question you missed and say why your choice was wrong.",
    "Ask one open question in the community; other learners have it too.",
    goal,
  ]
    .map((line) => `• ${line}`)
    .join("\n");
}

function describeProgress({ title, percent }: CourseFact): string {
  return percent === null ? `- **${title}**` : `- **${title}**: ${percent}% complete`;
}

function openCourse(courses: readonly CourseFact[]): CourseFact | undefined {
  return courses.find(({ percent }) => percent !== 100) ?? courses[0];
}

function nextStep(course: CourseFact | undefined): string {
  if (!course) return "Pick a course that interests you.";
  const { title, percent, chapters } = course;
  if (percent === 100) return `Go through your notes of **${title}** once more.`;
  const chapter = chapters[Math.floor(((percent ?? 0) / 100) * chapters.length)];
  return chapter ? `Continue **${title}** with the chapter *${chapter}*.` : `Open **${title}** and continue there.`;
}

/** Finds the item whose title shares the most words with the question. */
function bestMatch<Item>(items: readonly Item[], titleOf: (item: Item) => string, question: string): Item | undefined {
  const asked = new Set(significantWords(question));
  const scored = items.map((item) => ({
    item,
    score: significantWords(titleOf(item)).filter((word) => asked.has(word)).length,
  }));
  return scored.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score)[0]?.item;
}

function significantWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}
