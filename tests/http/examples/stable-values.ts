import { createHash } from "node:crypto";

const idPatterns = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
  /\b[0-9a-f]{64}\b/g,
  /\buser_[0-9a-f]{32}\b/g,
  /\b[0-9a-f]{24}\b/g,
  /(?<=\b(?:order|pay|rfnd|disp|idn|sess|msg|evt)_)[A-Za-z0-9]{8,}/g,
  /\b[0-9a-f]{8}(?=@example\.com)/g,
];

/** When a file was stored, within its address. */
const storedAt = /\/v\d{10}\//g;

const shownDay = Date.UTC(2026, 0, 15);
const dayMs = 86_400_000;
const dates = /\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?\b/g;

/**
 * Replaces what differs from run to run, so that the same replies give the same text: ids that are not `known`, dates,
 * ports. Dates keep their distance from today in days; those of today have one time.
 */
export function stableValues(
  known: ReadonlySet<string>,
  addresses: readonly (readonly [from: string, to: string])[],
  now = Date.now(),
) {
  const today = Math.floor(now / dayMs) * dayMs;
  return (route: string) => {
    const replaced = new Map<string, string>();
    const replaceId = (id: string): string => {
      if (known.has(id) || /^demo/.test(id)) return id;
      const name = createHash("sha256").update(`${route} ${replaced.size}`).digest("hex");
      const same = replaced.get(id) ?? takeShape(id, name);
      replaced.set(id, same);
      return same;
    };
    const inText = (text: string): string => {
      let stable = text;
      for (const [from, to] of addresses) stable = stable.replaceAll(from, to);
      stable = stable.replace(storedAt, `/v${shownDay / 1000}/`);
      for (const pattern of idPatterns) stable = stable.replace(pattern, replaceId);
      return stable.replace(dates, (date) => shiftDate(date, today));
    };
    const stable = (value: unknown): unknown => {
      if (typeof value === "string") return inText(value);
      if (typeof value === "number") return isMoment(value, now) ? momentOf(value) : value;
      if (Array.isArray(value)) return value.map(stable);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, stable(item)]));
    };
    return stable;
  };
}

/** The characters of `name` in the places of the id's hexadecimal digits. */
function takeShape(id: string, name: string): string {
  const prefix = /^user_/.exec(id)?.[0] ?? "";
  let taken = 0;
  const shaped = id.slice(prefix.length).replace(/[A-Za-z0-9]/g, () => name[taken++ % name.length] ?? "0");
  return prefix + shaped;
}

function shiftDate(date: string, today: number): string {
  const at = Date.parse(date);
  if (Number.isNaN(at) || Math.abs(at - today) > 400 * dayMs) return date;
  const days = Math.floor(at / dayMs) - today / dayMs;
  const time = days === 0 ? 10 * 3_600_000 : at - Math.floor(at / dayMs) * dayMs;
  const shifted = new Date(shownDay + days * dayMs + time).toISOString();
  return date.length === 10 ? shifted.slice(0, 10) : shifted;
}

/** Whether a number is a moment of the last or next day, in seconds or milliseconds since the epoch. */
const isMoment = (value: number, now: number): boolean =>
  [1, 1000].some((scale) => Math.abs(value * scale - now) < dayMs);
const momentOf = (value: number): number => (value > 1e11 ? shownDay : shownDay / 1000);
