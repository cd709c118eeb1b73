const facetNames = ["category", "tag", "level", "language"] as const;
type FacetName = (typeof facetNames)[number];

export type FacetFilter = { readonly [Name in FacetName]?: string | undefined };
type FacetValues = { readonly [Name in FacetName]?: string | null | undefined | readonly string[] };
export type FacetCounts = Record<FacetName, { value: string; count: number }[]>;

/** The values of a course by their keys. Values with one key are the same for filters and counts. */
export type FacetKeys = Readonly<Record<FacetName, ReadonlyMap<string, string>>>;

/** Values of each facet in a reply. */
const maxValues = 50;

const byKey = (values: string | null | undefined | readonly string[]) =>
  new Map([values ?? []].flat().map((value) => [value.toLowerCase(), value]));

/** Letter case makes no difference. Counts show the spelling that comes first in the order of characters. */
export const facetKeysOf = ({ category, tag, level, language }: FacetValues): FacetKeys => ({
  category: byKey(category),
  tag: byKey(tag),
  level: byKey(level),
  language: byKey(typeof language === "string" ? canonicalLanguage(language) : language),
});

/** A language tag in its usual form: `pt-BR` for `PT-br`. Another text stays as it is. */
function canonicalLanguage(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    return tag;
  }
}

/**
 * Finds the items that fit a filter, and counts the values of each facet. The counts of a facet ignore its own filter, so
 * that a reader sees what another choice would find.
 */
export function countFacets<Item extends { readonly keys: FacetKeys }>(
  items: readonly Item[],
  { category, tag, level, language }: FacetFilter,
): { found: Item[]; facets: FacetCounts } {
  const chosen = facetKeysOf({ category, tag, level, language });
  const counts = Object.fromEntries(facetNames.map((name) => [name, new Map()])) as Counts;
  const found: Item[] = [];
  for (const item of items) {
    const missed = facetNames.filter((name) => [...chosen[name].keys()].some((key) => !item.keys[name].has(key)));
    if (missed.length > 1) continue;
    if (missed.length === 0) found.push(item);
    for (const name of missed.length === 1 ? missed : facetNames) count(counts[name], item.keys[name]);
  }
  const facets = Object.fromEntries(facetNames.map((name) => [name, mostFrequent(counts[name])])) as FacetCounts;
  return { found, facets };
}

type Counts = Record<FacetName, Map<string, { value: string; count: number }>>;

function count(counts: Counts[FacetName], values: ReadonlyMap<string, string>): void {
  for (const [key, value] of values) {
    const known = counts.get(key);
    counts.set(key, { value: known && known.value < value ? known.value : value, count: (known?.count ?? 0) + 1 });
  }
}

const mostFrequent = (counts: Counts[FacetName]) =>
  [...counts.values()].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, maxValues);
