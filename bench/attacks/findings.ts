/** One attack, its result, and what it must not exceed. */
export interface Finding {
  readonly attack: string;
  readonly result: string;
  readonly limit: string;
  readonly held: boolean;
}

/** Compares a figure with its limit. */
export const within = (attack: string, figure: number, limit: number, unit: string, more = ""): Finding => ({
  attack,
  result: `${Number(figure.toFixed(figure < 10 ? 1 : 0)).toLocaleString("en")} ${unit}${more && ` (${more})`}`,
  limit: `${limit.toLocaleString("en")} ${unit}`,
  held: figure <= limit,
});

/** Compares what was answered with what must be. */
export function same(attack: string, result: unknown, expected: unknown): Finding {
  const [a, b] = [JSON.stringify(result), JSON.stringify(expected)];
  return { attack, result: a, limit: b, held: a === b };
}

/** A table in Markdown. */
export function tableOf(findings: readonly Finding[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const rows = findings.map(
    ({ attack, result, limit, held }) =>
      `| ${cell(attack)} | ${cell(result)} | ${cell(limit)} | ${held ? "held" : "**BROKEN**"} |`,
  );
  return ["| Attack | Result | Must be | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
