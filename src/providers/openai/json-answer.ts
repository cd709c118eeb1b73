/**
 * The JSON in a model's answer: alone, in a code fence, or inside prose (from the first opening to the last closing
 * brace or bracket). Undefined when there is none.
 */
export function jsonIn(answer: string): unknown {
  const fenced = /```(?:json)?\s*\n?([\s\S]*?)```/i.exec(answer)?.[1];
  for (const candidate of [answer, fenced, between(answer, "{", "}"), between(answer, "[", "]")]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate.trim());
    } catch {
      // The next reading may do.
    }
  }
  return undefined;
}

function between(text: string, open: string, close: string): string | undefined {
  const from = text.indexOf(open);
  const to = text.lastIndexOf(close);
  return from >= 0 && to > from ? text.slice(from, to + 1) : undefined;
}
