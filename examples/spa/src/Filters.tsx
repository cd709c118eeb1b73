import type { BrowseCoursesResponse } from "@lyceum/client";
import { useEffect, useRef, useState } from "react";
import { goTo } from "./addresses.js";

type Facets = BrowseCoursesResponse["facets"];

const languages = new Intl.DisplayNames(undefined, { type: "language" });
export const levels = { beginner: "Beginner", intermediate: "Intermediate", advanced: "Advanced", all: "All levels" };
type Level = keyof typeof levels;

/** What the address can filter by, and how each value is shown. */
const filters = {
  category: { title: "Category", shown: (value: string) => value },
  level: { title: "Level", shown: (value: string) => levels[value as Level] ?? value },
  language: { title: "Language", shown: (value: string) => languageName(value) },
  free: { title: "Price", shown: (value: string) => (value === "true" ? "Free" : "Paid") },
  minRating: { title: "Rating", shown: (value: string) => `${value} stars and up` },
  tag: { title: "Tag", shown: (value: string) => value },
};
type Filter = keyof typeof filters;
const filterNames = Object.keys(filters) as Filter[];
const chosenOf = (query: URLSearchParams) => filterNames.filter((name) => query.has(name));
/** Filters that the server does not count. */
const fixedValues: Partial<Record<Filter, string[]>> = { free: ["true", "false"], minRating: ["4.5", "4", "3"] };
/** Number of values of a filter that are shown before the reader asks for all. */
const maxShown = 6;

const sorts = {
  relevance: "Best match",
  newest: "Newest",
  popular: "Most learners",
  rating: "Best rated",
  "price-asc": "Lowest price",
  "price-desc": "Highest price",
};

/** Milliseconds without a keystroke until the search begins. */
const typingPauseMs = 250;

export function languageName(tag: string): string {
  try {
    return languages.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The address of the catalog with some of its parameters changed. Empty ones are left out. */
function addressOf(query: URLSearchParams, changes: Record<string, string>): string {
  const changed = Object.entries({ ...Object.fromEntries(query), ...changes }).filter(([, value]) => value !== "");
  return changed.length > 0 ? `/?${new URLSearchParams(changed)}` : "/";
}

/** Searches while the reader types. A search replaces the address of the one before, so that "back" leaves them all. */
export function SearchField({ query }: { query: URLSearchParams }) {
  const searched = query.get("q") ?? "";
  const [text, setText] = useState(searched);
  // Another address, for example by the back button, replaces the text. The own search does not.
  const own = useRef(searched);
  useEffect(() => {
    if (searched !== own.current) setText(searched);
    own.current = searched;
  }, [searched]);
  useEffect(() => {
    if (text.trim() === searched) return;
    const timer = setTimeout(() => {
      own.current = text.trim();
      goTo(addressOf(query, { q: own.current }), { replace: true });
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [text, query.toString()]);
  return (
    <label className="field">
      Search
      <input
        type="search"
        value={text}
        maxLength={200}
        placeholder="Title, topic or educator"
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}

/** The server's own default is the newest first, also of a search. */
export const normalSort = (query: URLSearchParams): string => (query.has("q") ? "relevance" : "newest");

export function Sort({ query, sort }: { query: URLSearchParams; sort: string }) {
  const offered = Object.entries(sorts).filter(([value]) => query.has("q") || value !== "relevance");
  const choose = (wanted: string) => {
    goTo(addressOf(query, { sort: wanted === normalSort(query) ? "" : wanted }));
  };
  return (
    <label>
      Sort by{" "}
      <select value={sort} onChange={({ target }) => choose(target.value)}>
        {offered.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FiltersProps {
  query: URLSearchParams;
  facets: Facets | undefined;
}

/** Each value is a link. It is folded on a phone. */
export function Filters({ query, facets }: FiltersProps) {
  const chosen = chosenOf(query).length;
  const [isOpen, setOpen] = useState(() => matchMedia("(min-width: 861px)").matches);
  return (
    <details className="filters" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span>Filters{chosen > 0 && ` (${chosen})`}</span>
      </summary>
      {filterNames.map((name) => (
        <FilterValues key={name} name={name} query={query} facets={facets} />
      ))}
    </details>
  );
}

function FilterValues({ name, query, facets }: FiltersProps & { name: Filter }) {
  const [isWhole, setWhole] = useState(false);
  const values =
    fixedValues[name]?.map((value) => ({ value, count: undefined })) ?? facets?.[name as keyof Facets] ?? [];
  if (values.length === 0) return null;
  const chosen = query.get(name);
  const shown = isWhole ? values : values.filter(({ value }, at) => at < maxShown || value === chosen);
  return (
    <section>
      <h2>{filters[name].title}</h2>
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value}>
            <a
              href={addressOf(query, { [name]: value === chosen ? "" : value })}
              aria-current={value === chosen ? "true" : undefined}
            >
              {filters[name].shown(value)} {count !== undefined && <span className="soft">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
      {values.length > maxShown && (
        <button type="button" className="plain" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${values.length}`}
        </button>
      )}
    </section>
  );
}

/** Lists the filters in use. A link removes one and leaves the page with it, so that `onFollow` moves the focus. */
export function Chosen({ query, onFollow }: { query: URLSearchParams; onFollow: () => void }) {
  const chosen = chosenOf(query);
  if (chosen.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters in use">
      {chosen.map((name) => (
        <li key={name}>
          <a className="badge" href={addressOf(query, { [name]: "" })} onClick={onFollow}>
            <span className="unseen">Remove </span>
            {filters[name].shown(query.get(name) ?? "")} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      <li>
        <a href={addressOf(new URLSearchParams(), { q: query.get("q") ?? "" })} onClick={onFollow}>
          Clear all filters
        </a>
      </li>
    </ul>
  );
}
