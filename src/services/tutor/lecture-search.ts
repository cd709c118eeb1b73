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

/** A question and how its telling words start: most courses are ruled out by these alone. */
export interface Asked {
  readonly question: string;
  readonly starts: readonly string[];
}

export interface LectureSearch {
  /** The best few lectures for a question, best first; none when no telling word of it occurs. */
  find(asked: Asked): FoundLecture[];
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

function searchedTerm(term: string): string | null {
  const word = term.toLowerCase().normalize("NFKC");
  return commonWords.has(word) || (word.length < 2 && /^[a-z0-9]$/.test(word)) ? null : word;
}

const tokenize = MiniSearch.getDefault("tokenize") as (text: string) => string[];
const startOf = (word: string): string => word.slice(0, 3);

/** An index over one course's lecture titles, chapter titles, title and description, made at the first question. */
export function createLectureSearch({ courseId, about, lectures }: SearchedCourse): LectureSearch {
  let index: MiniSearch<{ id: number }> | undefined;
  const starts = new Set<string>();
  const indexedTerm = (term: string): string | null => {
    const word = searchedTerm(term);
    if (word) starts.add(startOf(word));
    return word;
  };
  const built = () => {
    if (index) return index;
    index = new MiniSearch({
      fields: ["title", "chapter", "about"],
      processTerm: indexedTerm,
      searchOptions: { processTerm: searchedTerm },
    });
    index.addAll([
      ...lectures.map(({ title, chapter }, id) => ({ id, title, chapter, about: "" })),
      { id: -1, title: "", chapter: "", about },
    ]);
    return index;
  };
  const found = (id: number, score: number): FoundLecture[] => {
    const lecture = lectures[id];
    return lecture ? [{ courseId, score, ...lecture }] : [];
  };
  return {
    find(asked) {
      const lookedUp = built();
      if (!asked.starts.some((start) => starts.has(start))) return [];
      const hits = lookedUp.search(asked.question, {
        boost: { title: 3, chapter: 1.5 },
        prefix: (term) => term.length > 3,
        fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      });
      const ofLectures = hits.filter(({ id }) => id >= 0).slice(0, perCourse);
      if (ofLectures.length > 0) return ofLectures.flatMap(({ id, score }) => found(id, score));
      // Only the course as a whole is touched: it starts with its first lecture.
      const [whole] = hits;
      return whole ? found(0, whole.score) : [];
    },
  };
}

/** The best lectures over several courses, best first; weak ones are left out beside strong ones. */
export function searchLectures(searches: Iterable<LectureSearch>, question: string, most: number): FoundLecture[] {
  const words = tokenize(question).flatMap((term) => searchedTerm(term) ?? []);
  const asked = { question, starts: [...new Set(words.map(startOf))] };
  const all = [...searches].flatMap((search) => search.find(asked)).sort((a, b) => b.score - a.score);
  const least = (all[0]?.score ?? 0) * 0.4;
  return all.filter(({ score }) => score >= least).slice(0, most);
}
