/** The search reads an answer at most this often, so that no answer is dear. */
const maxReadings = 4;

/**
 * Finds the first whole JSON object or list of the expected shape in a model's answer, whatever stands before or behind
 * it: prose, a code fence, other JSON.
 * @param read returns undefined for a value of another shape.
 */
export function findJson<T>(answer: string, read: (value: unknown) => T | undefined): T | undefined {
  let unread = maxReadings * answer.length;
  for (let start = nextStart(answer, 0); start >= 0 && unread > 0; ) {
    const end = endOfValue(answer, start);
    unread -= (end ?? answer.length) - start;
    const value = end === undefined ? undefined : parse(answer.slice(start, end));
    const found = value === undefined ? undefined : read(value);
    if (found !== undefined) return found;
    // Brackets in prose can enclose a JSON value, so the search goes on behind the first bracket.
    start = nextStart(answer, value === undefined || end === undefined ? start + 1 : end);
  }
  return undefined;
}

/** The next bracket behind which JSON can follow. */
function nextStart(text: string, from: number): number {
  const start = /\{(?=\s*["}])|\[(?=\s*[\]{["\dtfn-])/g;
  start.lastIndex = from;
  return start.exec(text)?.index ?? -1;
}

/** Where the object or list ends that begins here. Brackets in strings do not count. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (isString) {
      if (char === "\\") at += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** @returns undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
