const dayInUtc = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** Formats a day in UTC, for example "21 November 2026". A month in words cannot be taken for the day. */
export function longDate(date: Date): string {
  return dayInUtc.format(date);
}
