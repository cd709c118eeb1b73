/** Describes counts in a few words, for logs and operators; undefined when nothing was counted. */
export function describeCounts(counts: Record<string, number | undefined>): string | undefined {
  const parts = Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([what, count]) => (count ? [`${count} ${what}`] : []));
  return parts.length > 0 ? parts.join(", ") : undefined;
}
