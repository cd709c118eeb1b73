import { setImmediate as nextTurn } from "node:timers/promises";
import MiniSearch from "minisearch";

/** One lecture that a question touches. */
export interface FoundLecture {
  readonly courseId: string;
  readonly lectureId: string;
  readonly title: string;
  readonly chapter: string;
  /** Higher fits better; comparable between courses. */
  readonly score: number;
}

/** The telling words of a question: at most `bounds.questionWords`, each once. */
export type Asked = readonly string[];

export interface LectureSearch {
  /** The best few lectures for a question, best first; none when no telling word of it occurs. */
  find(asked: Asked): Promise<FoundLecture[]>;
}

interface SearchedCourse {
  readonly courseId: string;
  /** Title and description. */
  readonly about: string;
  /** In order. */
  readonly lectures: readonly { lectureId: string; title: string; chapter: string }[];
}

/** Words that tell nothing about a subject. */
const commonWords = new Set(
  (
    "a an and any are as at be but by can could did do does explain for from give had has have help how i if in into " +
    "is it its just know lecture lectures course courses chapter chapters learn like make may me more most my need " +
    "no not of on one or our please show so some tell than that the their them then there these they this to " +
    "understand us use using very want was way we were what when where which who why will with work works would " +
    "you your about introduction"
  ).split(" "),
);

const perCourse = 5;

/**
 * What one search may cost, whatever courses and questions hold: the first lectures of a course, that many different
 * words of them, so long at most; and so many words of a question.
 */
const bounds = { lectures: 1_000, courseWords: 2_500, wordLength: 40, titleLength: 120, questionWords: 24 };
/** How many milliseconds a search works before other requests have their turn. */
const sliceMs = 10;

function searchedTerm(term: string): string | null {
  const word = term.slice(0, bounds.wordLength).toLowerCase().normalize("NFKC");
  return commonWords.has(word) || (word.length < 2 && /^[a-z0-9]$/.test(word)) ? null : word;
}

const tokenize = MiniSearch.getDefault("tokenize") as (text: string) => string[];
const startOf = (word: string): string => word.slice(0, 3);

const lookUp = {
  boost: { title: 3, chapter: 1.5 },
  // A word of the question as it is.
  tokenize: (word: string) => [word],
  processTerm: (word: string) => word,
  prefix: (term: string) => term.length > 3,
  fuzzy: (term: string) => (term.length > 5 ? 0.2 : false),
};

/** An index over one course's lecture titles, chapter titles, title and description, made at the first question. */
export function createLectureSearch({ courseId, about, lectures }: SearchedCourse): LectureSearch {
  let index: Promise<MiniSearch<{ id: number }>> | undefined;
  const words = new Set<string>();
  const starts = new Set<string>();
  const indexedTerm = (term: string): string | null => {
    const word = searchedTerm(term);
    if (!word || words.has(word)) return word;
    if (words.size >= bounds.courseWords) return null;
    words.add(word);
    starts.add(startOf(word));
    return word;
  };
  const build = async () => {
    const made = new MiniSearch({ fields: ["title", "chapter", "about"], processTerm: indexedTerm });
    made.add({ id: -1, title: "", chapter: "", about });
    const cut = (text: string) => text.slice(0, bounds.titleLength);
    const searched = lectures.slice(0, bounds.lectures);
    await made.addAllAsync(
      searched.map(({ title, chapter }, id) => ({ id, title: cut(title), chapter: cut(chapter), about: "" })),
      { chunkSize: 100 },
    );
    return made;
  };
  const at = (id: number, score: number): FoundLecture[] => {
    const lecture = lectures[id];
    return lecture ? [{ courseId, score, ...lecture }] : [];
  };
  return {
    async find(asked) {
      index ??= build();
      const searched = await index;
      if (!asked.some((word) => starts.has(startOf(word)))) return [];
      const hits = await searchWords(searched, asked);
      const ofLectures = hits.filter(({ id }) => id >= 0).slice(0, perCourse);
      if (ofLectures.length > 0) return ofLectures.flatMap(({ id, score }) => at(id, score));
      // Only the course as a whole is touched: it starts with its first lecture.
      const [whole] = hits;
      return whole ? at(0, whole.score) : [];
    },
  };
}

/** Looks up one word after the other, with pauses. The scores are those of a search for all of them: any may occur. */
async function searchWords(index: MiniSearch<{ id: number }>, asked: Asked): Promise<{ id: number; score: number }[]> {
  const scores = new Map<number, { sum: number; words: number }>();
  let since = performance.now();
  for (const word of asked) {
    for (const { id, score } of index.search(word, lookUp)) {
      const known = scores.get(id) ?? { sum: 0, words: 0 };
      scores.set(id, { sum: known.sum + score, words: known.words + 1 });
    }
    if (performance.now() - since > sliceMs) {
      await nextTurn();
      since = performance.now();
    }
  }
  return [...scores]
    .map(([id, { sum, words }]) => ({ id, score: sum * words }))
    .sort((a, b) => b.score - a.score || a.id - b.id);
}

/** The best lectures over several courses, best first; weak ones are left out beside strong ones. */
export async function searchLectures(
  searches: Iterable<LectureSearch>,
  question: string,
  most: number,
): Promise<FoundLecture[]> {
  const words = new Set(tokenize(question).flatMap((term) => searchedTerm(term) ?? []));
  const asked = [...words].slice(0, bounds.questionWords);
  const all: FoundLecture[] = [];
  for (const search of searches) {
    all.push(...(await search.find(asked)));
    await nextTurn();
  }
  all.sort((a, b) => b.score - a.score);
  const least = (all[0]?.score ?? 0) * 0.4;
  return all.filter(({ score }) => score >= least).slice(0, most);
}
