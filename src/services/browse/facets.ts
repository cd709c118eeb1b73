import { canonicalLanguage } from "../../lib/language-tag.js";
import type { CatalogCourse } from "./catalog.js";

const facetNames = ["category", "tag", "level", "language"] as const;
type FacetName = (typeof facetNames)[number];

export type FacetFilter = { readonly [Name in FacetName]?: string | undefined };
export type FacetCounts = Record<FacetName, { value: string; count: number }[]>;

/** The values of a course in lower case, each once. A language has a key for each range that finds it, the widest first. */
export type FacetKeys = Readonly<Record<FacetName, readonly string[]>>;

/** Values of each facet in a reply. */
const maxValues = 50;

const valuesOf = ({ category, tags, level, language }: CatalogCourse): Record<FacetName, readonly string[]> => ({
  category: category ? [category] : [],
  tag: tags ?? [],
  level: level ? [level] : [],
  language: language ? rangesOf(canonicalLanguage(language)) : [],
});

/** Returns the ranges of basic filtering (RFC 4647) that find a language: `pt` and `pt-BR` for `pt-BR`. */
function rangesOf(language: string): string[] {
  const parts = language.split("-");
  const ranges = parts.map((_, at) => parts.slice(0, at + 1).join("-"));
  // A private tag has no language before its first part.
  return [...ranges.filter((range) => range.length > 1), "*"];
}

/** The keys of a facet that are counted. Of a language, this is the primary one. */
const countedKeys = (name: FacetName, keys: FacetKeys): readonly string[] =>
  name === "language" ? keys.language.slice(0, 1) : keys[name];

const keyOf = (value: string): string => value.toLowerCase();

export function facetKeysOf(course: CatalogCourse): FacetKeys {
  const values = valuesOf(course);
  return perFacet((name) => [...new Set(values[name].map(keyOf))]);
}

/** How the value of each key is written. Of several spellings, the first one in the order of characters counts. */
export type Spellings = Record<FacetName, ReadonlyMap<string, string>>;

export function spellingsOf(courses: readonly CatalogCourse[]): Spellings {
  const spellings = perFacet(() => new Map<string, string>());
  for (const values of courses.map(valuesOf)) {
    for (const name of facetNames) {
      for (const value of values[name]) {
        const known = spellings[name].get(keyOf(value));
        if (known === undefined || value < known) spellings[name].set(keyOf(value), value);
      }
    }
  }
  return spellings;
}

/**
 * Finds the items that fit a filter, and counts the values of each facet. The counts of a facet ignore its own filter, so
 * that a reader sees what another choice would find.
 */
export function countFacets<Item extends { readonly keys: FacetKeys }>(
  items: readonly Item[],
  { language, ...filter }: FacetFilter,
  spellings: Spellings,
): { found: Item[]; facets: FacetCounts } {
  const wanted: FacetFilter = { ...filter, language: language && canonicalLanguage(language) };
  const chosen = facetNames.flatMap((name) => (wanted[name] ? [{ name, key: keyOf(wanted[name]) }] : []));
  const counts = perFacet(() => new Map<string, number>());
  const found: Item[] = [];
  for (const item of items) {
    const { keys } = item;
    const missed = chosen.filter(({ name, key }) => !keys[name].includes(key));
    if (missed.length > 1) continue;
    if (missed.length === 0) found.push(item);
    for (const name of missed[0] ? [missed[0].name] : facetNames) {
      for (const key of countedKeys(name, keys)) counts[name].set(key, (counts[name].get(key) ?? 0) + 1);
    }
  }
  return { found, facets: perFacet((name) => mostFrequent(counts[name], spellings[name])) };
}

function mostFrequent(counts: ReadonlyMap<string, number>, spellings: ReadonlyMap<string, string>) {
  return [...counts]
    .map(([key, count]) => ({ value: spellings.get(key) ?? key, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxValues);
}

const perFacet = <Value>(make: (name: FacetName) => Value): Record<FacetName, Value> => ({
  category: make("category"),
  tag: make("tag"),
  level: make("level"),
  language: make("language"),
});
