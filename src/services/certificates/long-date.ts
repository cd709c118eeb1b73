const dayInUtc = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** Such as "21 November 2026": the day in UTC, the month as a word so that no reader takes it for the day. */
export function longDate(date: Date): string {
  return dayInUtc.format(date);
}
