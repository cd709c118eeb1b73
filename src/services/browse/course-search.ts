import { setImmediate as nextTurn } from "node:timers/promises";
import MiniSearch, { type MatchInfo, type Query, type SearchOptions } from "minisearch";
import type { Values } from "./browse-list.js";
import type { CatalogCourse } from "./catalog.js";
import { type QueryWord, queryWords, textWords } from "./words.js";

/** Further words of a query must occur whole, because each of these may take some milliseconds among 5,000 courses. */
const maxTolerantWords = 8;
/** Shorter words are searched as they are written. */
const minTypoLetters = 5;
/** Shorter words begin too many words, so that descriptions and subtitles must have them whole. */
const minBeginningLetters = 3;
const shortFields = ["title", "tags", "educator"];

/** How much a hit counts first, so that no word is so rare in descriptions that it outweighs a title. */
const weights: Record<string, number> = { title: 3, subtitle: 2, tags: 2, educator: 2, description: 1 };
/** How much it counts then. */
const boost = { title: 10, subtitle: 3, tags: 3, educator: 3, description: 1 };
/** MiniSearch lowers other typos by this factor, too. */
const boostOfSwapped = Object.fromEntries(Object.entries(boost).map(([field, weight]) => [field, 0.45 * weight]));

const textOf: Record<string, (course: CatalogCourse) => string> = {
  id: ({ _id }) => String(_id),
  title: ({ courseTitle }) => courseTitle,
  subtitle: ({ subtitle }) => subtitle ?? "",
  tags: ({ tags }) => tags?.join(", ") ?? "",
  educator: ({ educatorId }) => educatorId.name,
  description: ({ courseDescription }) => courseDescription,
};

/** Searches the texts of courses, which it indexes in the memory of the process. */
export function createCourseSearch() {
  const index = new MiniSearch<CatalogCourse>({
    fields: Object.keys(boost),
    extractField: (course, field) => textOf[field]?.(course) ?? "",
    tokenize: (text, field) => textWords(text, { joinsSpaced: field !== "description" }),
    processTerm: (word) => word,
    searchOptions: { tokenize: (word) => [word], boost, prefix: true },
  });
  /** The texts as they were indexed. */
  const indexed = new Map<string, CatalogCourse>();

  /** Finds a word in the courses before, and adds to their values. */
  function findWord(word: QueryWord, query: Query, before?: ReadonlyMap<string, Values>): Map<string, Values> {
    const hits = index.search(query, before && { boostDocument: (id) => (before.has(id) ? 1 : 0) });
    return new Map(
      hits.map(({ id, score, match }): [string, Values] => {
        const [weight, points] = before?.get(id) ?? [0, 0];
        return [id, [weight + weightOf(word, match), points + Math.round(score * 1_000)]];
      }),
    );
  }

  return {
    add(course: CatalogCourse): void {
      indexed.set(String(course._id), course);
      index.add(course);
    },

    /** Removes a course at once, so that the courses alone decide about scores. */
    remove(courseId: string): void {
      const course = indexed.get(courseId);
      if (course) index.remove(course);
      indexed.delete(courseId);
    },

    /**
     * Finds the courses in which every word occurs: whole, as a beginning, or with one typo. Each word takes a turn of the
     * event loop.
     * @returns the values of each course by its id; undefined for a query without words.
     */
    async find(query: string): Promise<ReadonlyMap<string, Values> | undefined> {
      let found: Map<string, Values> | undefined;
      for (const [at, word] of queryWords(query).entries()) {
        if (found) await nextTurn();
        const wanted = at < maxTolerantWords ? tolerant(word) : whole(word.word);
        found = findWord(word, wanted, found);
        if (found.size === 0) break;
      }
      return found;
    },
  };
}

/** The weight of the best hit. A whole word comes before a beginning, and both in any field before a typo. */
function weightOf({ word, others }: QueryWord, match: MatchInfo): number {
  const ways = [word, ...others];
  const ofHits = Object.entries(match).flatMap(([term, fields]) => {
    const closeness = ways.includes(term) ? 10 : ways.some((way) => term.startsWith(way)) ? 9 : 2;
    return fields.map((field) => (weights[field] ?? 0) * closeness);
  });
  return Math.max(...ofHits);
}

const anyOf = (queries: Query[], options: Partial<SearchOptions> = {}): Query => ({
  ...options,
  queries,
  combineWith: "OR",
});

/** The query of one word. Another way to write it needs no typo, and no short beginnings. */
function tolerant({ word, others }: QueryWord): Query {
  return anyOf([tolerantWord(word), ...others.map((other) => (isShort(other) ? whole(other) : other))]);
}

const isShort = (word: string): boolean => [...word].length < minTypoLetters;
const whole = (word: string): Query => anyOf([word], { prefix: false });

function tolerantWord(word: string): Query {
  if ([...word].length < minBeginningLetters) return anyOf([whole(word), anyOf([word], { fields: shortFields })]);
  if (isShort(word)) return word;
  const swapped = anyOf(swapsOf(word), { boost: boostOfSwapped, fuzzy: false });
  return anyOf([word, swapped], { fuzzy: 1 });
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
