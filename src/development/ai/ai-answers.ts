import type { Prompt, PromptMessage } from "@lyceum/provider-emulators";
import { factsIn, type PromptFacts } from "./prompt-facts.js";
import { chatAnswer, recommendations } from "./prose.js";
import { quizQuestions } from "./quiz.js";
import { customRoadmap, personalRoadmap, type Roadmap } from "./roadmap.js";

/**
 * Answers the server's prompts in development: quizzes, roadmaps, recommendations and the tutor. Equal requests get equal
 * answers.
 */
export function answerPrompt({ messages, format, random }: Prompt): string | object {
  const facts = factsIn(messages);
  if (format === "schema") return plausibleValues(facts, messages, random);
  switch (taskOf(messages, format === "json")) {
    case "quiz":
      return { questions: quizQuestions(facts, random) };
    case "roadmap":
      return roadmapFor(facts, messages);
    case "recommendations":
      return recommendations(facts);
    case "object":
      return { answer: chatAnswer(facts) };
    case "chat":
      return chatAnswer(facts);
  }
}

type Task = "quiz" | "roadmap" | "recommendations" | "object" | "chat";

/**
 * Chooses the kind of answer by the instructions, or by the whole prompt without instructions. It ignores quoted facts,
 * because a learner can write anything there.
 */
function taskOf(messages: readonly PromptMessage[], object: boolean): Task {
  const instructions = messages.filter(({ role }) => role === "system" || role === "developer");
  const text = (instructions.length > 0 ? instructions : messages)
    .map((message) => withoutQuotations(message.text))
    .join("\n");
  if (object || /\b(as|in|only|one|valid|return|with)\b[^.\n]{0,20}\bJSON\b/i.test(text)) {
    if (/correctIndex|multiple[- ]choice|"?questions"?\s*:/i.test(text)) return "quiz";
    if (/\bstages\b|roadmap/i.test(text)) return "roadmap";
  }
  if (object) return "object";
  const bulleted = (phrase: string) => phrase.includes("•") && /start|begin|prefix|bullet/i.test(phrase);
  return text.split(/[.\n]/).some(bulleted) ? "recommendations" : "chat";
}

/** Removes the text between a tag and its closing tag. */
function withoutQuotations(text: string): string {
  const tags = [...text.matchAll(/<(\/?)(\w+)>/g)].map(({ 0: tag, 1: slash, 2: name = "", index }) => {
    return {
      name,
      closes: slash === "/",
      start: index,
      end: index + tag.length,
      closedAt: undefined as number | undefined,
    };
  });
  const closings = new Map<string, number>();
  for (const tag of tags.toReversed()) {
    if (tag.closes) closings.set(tag.name, tag.end);
    else tag.closedAt = closings.get(tag.name);
  }
  let [kept, from] = ["", 0];
  for (const { start, closedAt } of tags) {
    if (closedAt === undefined || start < from) continue;
    kept += text.slice(from, start);
    from = closedAt;
  }
  return kept + text.slice(from);
}

function roadmapFor(facts: PromptFacts, messages: readonly PromptMessage[]): Roadmap {
  const text = messages.map((message) => message.text).join("\n");
  const custom = facts.topic !== null || (/core_skills|foundations/.test(text) && !/next_steps|in_progress/.test(text));
  return custom ? customRoadmap(facts.topic ?? facts.question.slice(0, 120)) : personalRoadmap(facts);
}

/** Lists values for the property names that a schema can use. */
function plausibleValues(
  facts: PromptFacts,
  messages: readonly PromptMessage[],
  random: () => number,
): Record<string, unknown> {
  const prose = chatAnswer(facts);
  return {
    ...roadmapFor(facts, messages),
    questions: quizQuestions(facts, random),
    recommendations: recommendations(facts),
    answer: prose,
    response: prose,
    content: prose,
  };
}
