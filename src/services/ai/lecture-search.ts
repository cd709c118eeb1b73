import MiniSearch from "minisearch";
import { normalForm } from "../../lib/normal-form.js";

export interface MatchingLecture {
  readonly courseId: string;
  readonly lectureId: string;
  readonly title: string;
  readonly chapter: string;
  /** Whether the lecture has texts to read. */
  readonly hasText: boolean;
}

export interface SearchedCourse {
  readonly courseId: string;
  /** Title and description. */
  readonly about: string;
  /** In order. */
  readonly lectures: readonly Omit<MatchingLecture, "courseId">[];
}

/** Words that say nothing about a subject. */
const commonWords = new Set(
  (
    "a an and any are as at be but by can could did do does explain for from give had has have help how i if in into " +
    "is it its just know lecture lectures course courses chapter chapters learn like make may me more most my need " +
    "no not of on one or our please show so some tell than that the their them then there these they this to " +
    "understand us use using very want was way we were what when where which who why will with work works would " +
    "you your about introduction"
  ).split(" "),
);

/** Bounds that keep a search below 50 ms, whatever courses and questions hold. */
const maxLectures = 1_000;
const maxTitleLength = 120;
const maxQuestionWords = 24;
const maxWordLength = 40;
/** Part of the best score that a found lecture has at least. */
const minScorePart = 0.4;

function toTerm(word: string): string | null {
  const term = normalForm(word.slice(0, maxWordLength).toLowerCase(), "NFKC");
  return commonWords.has(term) || /^[a-z0-9]?$/.test(term) ? null : term;
}

const tokenize: (text: string) => string[] = MiniSearch.getDefault("tokenize");

/** The words of a question that say something about its subject, in lower case. */
export function questionTerms(question: string): string[] {
  const terms = new Set(tokenize(question).flatMap((word) => toTerm(word) ?? []));
  return [...terms].slice(0, maxQuestionWords);
}

/**
 * Finds the lectures that a question touches, best first. A course whose description alone fits is found by its first
 * lecture.
 */
export async function searchLectures(
  courses: readonly SearchedCourse[],
  question: string,
  max: number,
): Promise<MatchingLecture[]> {
  const query = questionTerms(question).join(" ");
  if (query === "") return [];
  const lectures = courses
    .flatMap(({ courseId, about, lectures }) =>
      lectures.map((lecture, position) => ({ ...lecture, courseId, about: position === 0 ? about : "" })),
    )
    .slice(0, maxLectures);
  const index = new MiniSearch({ fields: ["title", "chapter", "about"], processTerm: toTerm });
  const cut = (text: string) => text.slice(0, maxTitleLength);
  await index.addAllAsync(
    lectures.map(({ title, chapter, about }, id) => ({ id, title: cut(title), chapter: cut(chapter), about })),
    { chunkSize: 100 },
  );
  const hits = index.search(query, {
    boost: { title: 3, chapter: 1.5 },
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    maxFuzzy: 2,
  });
  const minScore = (hits[0]?.score ?? 0) * minScorePart;
  return hits
    .filter(({ score }) => score >= minScore)
    .slice(0, max)
    .flatMap(({ id }) => lectures[id] ?? []);
}
