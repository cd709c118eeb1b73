import OpenAI from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Emulators } from "../src/index.js";

/** Creates the provider's SDK on the emulator. */
export function openaiFor({ env }: Emulators): OpenAI {
  return new OpenAI({
    apiKey: env.OPENAI_API_KEY ?? "",
    baseURL: env.OPENAI_BASE_URL ?? "",
    maxRetries: 0,
    timeout: 2000,
  });
}

export const model = "gpt-4o-mini";
export const tutor: ChatCompletionMessageParam[] = [
  {
    role: "system",
    content: `You are the tutor of a learning platform.
Learner: Asha Rao
Enrolled courses:
- Rust from Zero: 40% complete
- SQL Basics: 100% complete
Quiz results:
- Ownership: 60% (on_track)
Newest recommendations:
• Review borrowing once more.`,
  },
  { role: "user", content: "How do lifetimes work in Rust?" },
];
export const author: ChatCompletionMessageParam[] = [
  { role: "system", content: "Write a quiz of 10 multiple-choice questions about the given material as JSON." },
  {
    role: "user",
    content: JSON.stringify({
      courseTitle: "Rust",
      chapterTitle: "Ownership",
      lectures: ["Moves", "Borrowing", "Slices"],
    }),
  },
];

export async function ask(openai: OpenAI, messages: ChatCompletionMessageParam[]) {
  const { choices, usage } = await openai.chat.completions.create({ model, messages });
  return { content: choices[0]?.message.content ?? "", finish: choices[0]?.finish_reason, usage };
}
