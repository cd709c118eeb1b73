import { DatabaseError } from "./errors.js";
import { toInteger } from "./numbers.js";

const OFFSET = /^([+-])(\d\d):?(\d\d)?$/;

/** Minutes east of UTC at that moment, for an IANA name, `UTC`, `Z` or an offset. @throws DatabaseError 40485 for an unknown zone. */
export function zoneOffset(zone: string, at: Date): number {
  if (zone === "UTC" || zone === "GMT" || zone === "Z" || zone === "") {
    return 0;
  }
  const fixed = OFFSET.exec(zone);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3] ?? 0);
    return fixed[1] === "-" ? -minutes : minutes;
  }
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    const name =
      format
        .formatToParts(at)
        .find(({ type }) => type === "timeZoneName")
        ?.value.replace("GMT", "") ?? "";
    return name === "" ? 0 : zoneOffset(name, at);
  } catch {
    throw new DatabaseError(40485, `unrecognized time zone identifier: "${zone}"`);
  }
}

/** The moment's local time in the zone, held in the UTC fields of a Date. */
export function toLocal(at: Date, zone: string): Date {
  return new Date(at.getTime() + zoneOffset(zone, at) * 60_000);
}

function fromLocal(local: Date, zone: string): Date {
  const guess = new Date(local.getTime() - zoneOffset(zone, local) * 60_000);
  return new Date(local.getTime() - zoneOffset(zone, guess) * 60_000);
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MILLISECONDS: Readonly<Record<string, number>> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};
const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** `$dateTrunc`: bins counted from 2000-01-01 (weeks from the first `startOfWeek` of that year) in the zone's local time. */
export function truncateDate(date: Date, unit: string, size: unknown, zone: string, startOfWeek: string): Date {
  const bins = size === undefined ? 1 : toInteger(size);
  if (bins === undefined || bins <= 0) {
    throw new DatabaseError(5439018, "$dateTrunc requires 'binSize' to be greater than 0");
  }
  const local = toLocal(date, zone);
  const months = MONTHS[unit];
  if (months !== undefined) {
    const step = months * bins;
    const since = (local.getUTCFullYear() - 2000) * 12 + local.getUTCMonth();
    return fromLocal(new Date(Date.UTC(2000, Math.floor(since / step) * step)), zone);
  }
  const step = (MILLISECONDS[unit] ?? 0) * bins;
  if (step === 0) {
    throw new DatabaseError(5439014, `unknown time unit value: ${unit}`);
  }
  let origin = Date.UTC(2000, 0, 1);
  if (unit === "week") {
    const wanted = WEEKDAYS.indexOf(startOfWeek.slice(0, 3).toLowerCase());
    if (wanted < 0) {
      throw new DatabaseError(5439015, `unknown day of week value: ${startOfWeek}`);
    }
    origin += ((wanted - new Date(origin).getUTCDay() + 7) % 7) * 86_400_000;
  }
  return fromLocal(new Date(origin + Math.floor((local.getTime() - origin) / step) * step), zone);
}
