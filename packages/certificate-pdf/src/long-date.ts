/** Formats the day in a time zone, for example "21 November 2026". A month in words cannot be taken for the day. */
export function longDate(date: Date, timeZone = "UTC"): string {
  const day = { day: "numeric", month: "long", year: "numeric" } as const;
  return new Intl.DateTimeFormat("en-GB", { ...day, timeZone }).format(date);
}
