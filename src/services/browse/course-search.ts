import { setImmediate as nextTurn } from "node:timers/promises";
import MiniSearch, { type Query } from "minisearch";
import type { CatalogCourse } from "../courses/catalog.js";
import { queryWords, textWords } from "./words.js";

/** Further words of a query are ignored, because each may take some milliseconds among 5,000 courses. */
const maxQueryWords = 16;
/** Shorter words are searched as they are written. */
const minTypoLetters = 5;
/** Number of courses that are added in one turn of the event loop, which takes some milliseconds. */
const coursesPerTurn = 10;
/** How much a hit counts. A title outweighs every other field. */
const boost = { title: 10, subtitle: 3, tags: 3, educator: 3, description: 1 };
/** MiniSearch lowers other typos by this factor, too. */
const boostOfSwapped = Object.fromEntries(Object.entries(boost).map(([field, weight]) => [field, 0.45 * weight]));

const textOf: Record<string, (course: CatalogCourse) => string> = {
  id: ({ _id }) => String(_id),
  title: ({ courseTitle }) => courseTitle,
  subtitle: ({ subtitle }) => subtitle ?? "",
  tags: ({ tags }) => tags?.join(" ") ?? "",
  educator: ({ educatorId }) => educatorId.name,
  description: ({ courseDescription }) => courseDescription,
};

/** Searches the texts of courses, which it indexes in the memory of the process. */
export function createCourseSearch() {
  const index = new MiniSearch<CatalogCourse>({
    fields: Object.keys(boost),
    extractField: (course, field) => textOf[field]?.(course) ?? "",
    tokenize: textWords,
    processTerm: (word) => word,
    searchOptions: { tokenize: (word) => [word], boost, prefix: true },
  });
  /** The edition of each indexed course. */
  const indexed = new Map<string, string>();

  return {
    /** Indexes the courses whose texts have changed. Run one call at a time. */
    async update(courses: readonly CatalogCourse[]): Promise<void> {
      const gone = new Set(indexed.keys());
      let added = 0;
      for (const course of courses) {
        const id = String(course._id);
        const edition = `${course.version} ${course.updatedAt.getTime()} ${course.educatorId.name}`;
        gone.delete(id);
        if (indexed.get(id) === edition) continue;
        if (indexed.has(id)) index.discard(id);
        index.add(course);
        indexed.set(id, edition);
        added += 1;
        if (added % coursesPerTurn === 0) await nextTurn();
      }
      for (const id of gone) {
        index.discard(id);
        indexed.delete(id);
      }
    },

    /**
     * Finds the courses in which every word occurs: whole, as a beginning, or with one typo.
     * @returns the score of each course by its id; undefined for a query without words.
     */
    find(query: string): ReadonlyMap<string, number> | undefined {
      const words = [...new Set(queryWords(query))].slice(0, maxQueryWords);
      if (words.length === 0) return undefined;
      const hits = index.search({ queries: words.map(tolerant), combineWith: "AND" });
      return new Map(hits.map(({ id, score }) => [String(id), Math.round(score * 1_000)]));
    },
  };
}

/** The query of one word. A single letter is looked for in titles only, because it begins too many words. */
function tolerant(word: string): Query {
  const letters = [...word].length;
  if (letters === 1) return { queries: [word], fields: ["title"] };
  if (letters < minTypoLetters) return word;
  const swapped: Query = { queries: swapsOf(word), combineWith: "OR", boost: boostOfSwapped, fuzzy: false };
  return { queries: [word, swapped], combineWith: "OR", fuzzy: 1 };
}

/** The words with two neighbouring letters swapped. MiniSearch counts a swap as two typos. */
function swapsOf(word: string): string[] {
  const letters = [...word];
  return letters.slice(1).flatMap((letter, at) => {
    const before = letters[at] ?? "";
    if (letter === before) return [];
    return [[...letters.slice(0, at), letter, before, ...letters.slice(at + 2)].join("")];
  });
}
