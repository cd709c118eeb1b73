import type { PromptMessage } from "@lyceum/provider-emulators";

export interface CourseFact {
  title: string;
  /** Progress from 0 to 100, or null when the prompt has none. */
  percent: number | null;
  /** Titles in order, empty when the prompt has none. */
  chapters: string[];
}

/** The facts of a prompt about the learner and the material. */
export interface PromptFacts {
  learner: string | null;
  courses: CourseFact[];
  chapter: string | null;
  /** Lecture titles, or else the items of any list in the prompt. */
  lectures: string[];
  topic: string | null;
  /** Questions that the learner answered wrongly. */
  missed: string[];
  /** Result of a quiz, from 0 to 100. */
  percentage: number | null;
  /** The newest user message. */
  question: string;
}

/** Collects one kind of fact under the names that a prompt can use for it. */
const names = {
  learner: /^(learner|student|user|learner'?s? ?name|student ?name|user ?name|name|first ?name)$/i,
  course: /^(course|courses|course ?title|enrolled courses?)$/i,
  chapter: /^(chapter|chapter ?title)$/i,
  lecture: /^(lecture|lectures|lecture ?titles?|relevant ?lectures)$/i,
  topic: /^(topic|subject)$/i,
  missed: /^(missed|wrong)( ?(questions?|topics?))?$/i,
  percent: /^(percent(age)?|completion|progress|completion ?percent|percent ?complete|score)$/i,
  lists: /^(chapters|chapter ?titles|chapter ?content|course ?content|questions|options|skills)$/i,
  results: /^(results|quiz ?results)$/i,
} as const satisfies Record<string, RegExp>;

export function factsIn(messages: readonly PromptMessage[]): PromptFacts {
  const reader = new FactReader();
  for (const { role, text } of messages) {
    if (role !== "assistant") reader.readText(text);
  }
  const question = messages.findLast(({ role }) => role === "user")?.text.trim() ?? "";
  return { ...reader.facts(), question };
}

class FactReader {
  #learner: string | null = null;
  #courses = new Map<string, CourseFact>();
  #chapter: string | null = null;
  #lectures = new Set<string>();
  #listed = new Set<string>();
  #topic: string | null = null;
  #missed = new Set<string>();
  #percentage: number | null = null;

  facts(): Omit<PromptFacts, "question"> {
    return {
      learner: this.#learner,
      courses: [...this.#courses.values()],
      chapter: this.#chapter,
      lectures: [...(this.#lectures.size > 0 ? this.#lectures : this.#listed)],
      topic: this.#topic,
      missed: [...this.#missed],
      percentage: this.#percentage,
    };
  }

  readText(text: string): void {
    for (const value of jsonIn(text)) this.#readValue(value, "");
    for (const [, tag = "", content = ""] of text.matchAll(/<(\w+)>([^<>]{1,200})<\/\1>/g)) {
      this.#note(tag.replaceAll("_", " "), content.trim());
    }
    let heading = "";
    for (const line of text.split("\n").map((raw) => raw.trim())) {
      const bullet = /^(?:[-*]|\d+[.)])\s+(\S.*)$/s.exec(line)?.[1];
      if (bullet !== undefined) this.#readBullet(bullet, heading);
      else heading = this.#readLine(line) ?? (line === "" ? heading : "");
    }
  }

  /** Reads the heading of a line, for example `lectures` in `Lectures:`. */
  #readLine(line: string): string | undefined {
    const [, label = "", value = ""] = /^[#\s]*([A-Za-z][A-Za-z' ]{1,30}):(.*)$/s.exec(line) ?? [];
    if (label === "") return undefined;
    const plain = unquote(value);
    if (plain === "") return label;
    if (names.lecture.test(label)) for (const title of plain.split(/[,;|]/)) this.#lectures.add(unquote(title));
    else this.#note(label, plain);
    return label;
  }

  #readBullet(bullet: string, heading: string): void {
    const plain = unquote(bullet);
    if (/^[{[]/.test(plain)) return;
    const { title, percent } = titleAndPercent(plain);
    if (percent !== null) {
      if (!/needs_review|on_track|mastered|quiz|scored/i.test(plain)) this.#addCourse(title, percent);
    } else if (names.lecture.test(heading) || /^lecture/i.test(heading)) this.#lectures.add(title);
    else if (names.course.test(heading)) this.#addCourse(title, null);
    else if (plain.length <= 120 && !/[.!?]$/.test(plain)) this.#listed.add(title);
  }

  #readValue(value: unknown, key: string): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#readValue(item, key);
    } else if (typeof value === "object" && value !== null) {
      this.#readObject(new Map(Object.entries(value)), words(key));
    } else if (typeof value === "string") {
      this.#note(words(key), value);
    } else if (typeof value === "number" && names.percent.test(words(key))) {
      this.#percentage ??= value;
    }
  }

  /** Reads an object: as one item in a list of courses, lectures or chapters, otherwise field by field. */
  #readObject(fields: ReadonlyMap<string, unknown>, key: string): void {
    if (names.results.test(key)) return;
    const title = ["title", "name", "course", "courseTitle", "lecture", "lectureTitle"]
      .map((name) => fields.get(name))
      .find((value) => typeof value === "string");
    if (title !== undefined && names.course.test(key)) {
      const percent = [...fields].find(([name, value]) => names.percent.test(words(name)) && typeof value === "number");
      this.#addCourse(title, typeof percent?.[1] === "number" ? percent[1] : null, titlesIn(fields.get("chapters")));
    } else if (title !== undefined && names.lecture.test(key)) this.#lectures.add(title);
    else if (title !== undefined && /^chapters?$/.test(key)) this.#chapter ??= title;
    for (const [name, value] of fields) {
      if (!names.course.test(key) || typeof value === "object") this.#readValue(value, name);
    }
  }

  #addCourse(title: string, percent: number | null, chapters: string[] = []): void {
    if (title !== "") this.#courses.set(title, { title, percent, chapters });
  }

  #note(label: string, value: string): void {
    if (value === "" || value.length > 300 || names.lists.test(label)) return;
    if (names.learner.test(label)) this.#learner ??= value;
    else if (names.course.test(label)) this.#noteCourse(value);
    else if (names.chapter.test(label)) this.#chapter ??= value;
    else if (names.lecture.test(label)) this.#lectures.add(value);
    else if (names.missed.test(label)) this.#missed.add(value);
    else if (names.topic.test(label)) this.#topic ??= value;
    else if (names.percent.test(label)) this.#percentage ??= Number.parseInt(value, 10) || null;
  }

  #noteCourse(value: string): void {
    const { title, percent } = titleAndPercent(value);
    if (!this.#courses.has(title)) this.#addCourse(title, percent);
  }
}

function titlesIn(list: unknown): string[] {
  return [list]
    .flat()
    .map((item: unknown) => (typeof item === "object" && item !== null && "title" in item ? item.title : item))
    .filter((title) => typeof title === "string");
}

/** Splits `courseTitle` and `course_title` into words. */
function words(key: string): string {
  return key.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

/** Matches a title and its percentage, for example `Databases (40 %)`. */
function titleAndPercent(text: string): { title: string; percent: number | null } {
  const found = /(\d{1,3})\s*%/.exec(text);
  if (!found) return { title: unquote(text), percent: null };
  const before = text.slice(0, found.index).trimEnd();
  return { title: unquote(before.slice(0, lengthWithout(before, "-–—:(,["))), percent: Number(found[1]) };
}

function unquote(text: string): string {
  const quotes = "\"'“”*`";
  const trimmed = text.trim();
  let start = 0;
  while (start < trimmed.length && quotes.includes(trimmed.charAt(start))) start += 1;
  return trimmed.slice(start, Math.max(start, lengthWithout(trimmed, quotes))).trim();
}

/** Returns the length of a text without these characters at its end. */
function lengthWithout(text: string, characters: string): number {
  let length = text.length;
  while (length > 0 && characters.includes(text.charAt(length - 1))) length -= 1;
  return length;
}

/** Parses every JSON object or array at the start of a line or after a tag or label. */
function jsonIn(text: string): unknown[] {
  const found: unknown[] = [];
  let from = 0;
  // Limit the attempts, because each failed attempt can read the rest of the text.
  for (let tries = 0; found.length < 50 && tries < 500; tries += 1) {
    const start = text.slice(from).search(/[[{]\s*["{[\]}]/);
    if (start < 0) return found;
    const end = closingBracket(text, from + start);
    const value = end === undefined ? undefined : parseJson(text.slice(from + start, end));
    if (value !== undefined) found.push(value);
    from = value === undefined || end === undefined ? from + start + 1 : end;
  }
  return found;
}

/** Returns the position after the bracket that closes the bracket at `start`. */
function closingBracket(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
