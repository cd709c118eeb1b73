/**
 * The JSON in a model's answer: alone, in a code fence, or inside prose (from the first opening to the last closing
 * brace or bracket). Undefined when there is none.
 */
export function jsonIn(answer: string): unknown {
  for (const candidate of [answer, fencedIn(answer), between(answer, "{", "}"), between(answer, "[", "]")]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate.trim());
    } catch {
      // The next reading may do.
    }
  }
  return undefined;
}

const fence = "```";

/** What the first code fence holds, without the name of its language. */
function fencedIn(text: string): string | undefined {
  const from = text.indexOf(fence) + fence.length;
  const to = text.indexOf(fence, from);
  return from < fence.length || to < 0 ? undefined : text.slice(from, to).replace(/^json/i, "");
}

function between(text: string, open: string, close: string): string | undefined {
  const from = text.indexOf(open);
  const to = text.lastIndexOf(close);
  return from >= 0 && to > from ? text.slice(from, to + 1) : undefined;
}
