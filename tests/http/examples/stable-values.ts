import { createHash } from "node:crypto";

const idPatterns = [
  /(?:\b|(?<=%2F))[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
  /(?<=-\d-)[0-9a-f]{8}(?=\.pdf)/g,
  /\b[0-9a-f]{64}\b/g,
  /(?<=user_)(?:[0-9a-f]{32}|[A-Za-z0-9]{27})\b/g,
  /\b[0-9a-f]{24}\b/g,
  /(?<=\b(?:order|pay|rfnd|disp|idn|sess|msg|evt|rzp_test|lyc_test)_)[A-Za-z0-9]{8,}/g,
  /\b[0-9a-f]{8}(?=@example\.com)/g,
];

/** The secret part of an API key, and the secret of a webhook. */
const secrets = /(?<=\b(?:lyc_test_[A-Za-z0-9]{16}|whsec)_)[\w+/=-]{43,44}/g;
const shownSecret = "c2VjcmV0IHRoYXQgaXMgc2hvd24gb25seSBvbmNlLg";

/** A code that the server made up, and the code that is shown in its place. */
const randomCode = /^[2-9A-HJ-NP-Z]{10}$/;
const shownCode = "B7KQ2XW9MF";

/** When a file was stored, within its address. */
const storedAt = /\/v\d{10}\//g;

const shownDay = Date.UTC(2026, 0, 15);
const dayMs = 86_400_000;
const dates = /\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?\b/g;
/** A day of the last weeks, as in `Thu 19`. */
const weekdays = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2}\b/g;

/**
 * Replaces values that differ from run to run: ids that are not `known`, keys, codes, cursors, dates and ports. Equal
 * replies then give equal text. Dates keep their distance from today in days; those of today, and of the hours around
 * now, have one time.
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
      stable = stable.replace(secrets, shownSecret);
      for (const pattern of idPatterns) stable = stable.replace(pattern, replaceId);
      stable = stable.replace(dates, (date) => shiftDate(date, today, now));
      return stable.replace(weekdays, (day) => shiftWeekday(day, today));
    };
    const inCursor = (cursor: string): string => {
      const position: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
      const shifted = position.map((part) =>
        typeof part === "number" && part > 1e11 ? shiftMoment(part, today, now) : stable(part),
      );
      return Buffer.from(JSON.stringify(shifted)).toString("base64url");
    };
    const stable = (value: unknown, name = ""): unknown => {
      if (typeof value === "string" && name === "nextCursor") return inCursor(value);
      if (typeof value === "string" && name === "code" && randomCode.test(value)) return shownCode;
      if (typeof value === "string") return inText(value);
      if (typeof value === "number") return isMoment(value, now) ? momentOf(value) : value;
      if (Array.isArray(value)) return value.map((item) => stable(item));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [inText(key), stable(item, key)]));
    };
    return stable;
  };
}

/** The characters of `name` in the places of the id's letters and digits. */
function takeShape(id: string, name: string): string {
  let taken = 0;
  return id.replace(/[A-Za-z0-9]/g, () => name[taken++ % name.length] ?? "0");
}

/** Around midnight, "now" of a test is on two days. */
const nearbyMs = 3_600_000;

function shiftDate(date: string, today: number, now: number): string {
  const at = Date.parse(date);
  if (Number.isNaN(at) || Math.abs(at - today) > 400 * dayMs) return date;
  const isNear = date.length > 10 && Math.abs(at - now) < nearbyMs;
  const days = isNear ? 0 : Math.floor(at / dayMs) - today / dayMs;
  const time = days === 0 ? 10 * 3_600_000 : at - Math.floor(at / dayMs) * dayMs;
  const shifted = new Date(shownDay + days * dayMs + time).toISOString();
  return date.length === 10 ? shifted.slice(0, 10) : shifted;
}

function shiftWeekday(day: string, today: number): string {
  const ago = Array.from({ length: 28 }, (_, days) => days).find((days) => weekdayOf(today - days * dayMs) === day);
  return ago === undefined ? day : weekdayOf(shownDay - ago * dayMs);
}

const weekdayOf = (time: number): string => {
  const date = new Date(time);
  return `${["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][date.getUTCDay()]} ${date.getUTCDate()}`;
};

const shiftMoment = (moment: number, today: number, now: number): number =>
  Date.parse(shiftDate(new Date(moment).toISOString(), today, now));

/** Whether a number is a moment of the last or next day, in seconds or milliseconds since the epoch. */
const isMoment = (value: number, now: number): boolean =>
  [1, 1000].some((scale) => Math.abs(value * scale - now) < dayMs);
const momentOf = (value: number): number => (value > 1e11 ? shownDay : shownDay / 1000);
