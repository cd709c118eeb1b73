import { readFileSync } from "node:fs";

/** A mark, drawn in a square of `size` units as SVG path data. */
export interface Logo {
  readonly path: string;
  readonly size: number;
}

const pathData = /^[Mm][\d\s,.eE+MmLlHhVvCcSsQqTtAaZz-]+$/;

/** Path data in a square of 32 units, or a file of paths. @returns undefined for anything else. */
export function readLogo(given: string): Logo | undefined {
  if (!given.endsWith(".svg")) return pathData.test(given) ? { path: given, size: 32 } : undefined;
  const svg = contentOf(given);
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  const paths = svg.split("<path").slice(1).map(dataOf);
  const usable =
    paths.length > 0 && width !== undefined && width === height && paths.every((data) => pathData.test(data));
  return usable ? { path: paths.join(" "), size: Number(width) } : undefined;
}

/** The attribute `d` of a tag, given the text after its name. */
function dataOf(text: string): string {
  const [tag = ""] = text.split(">", 1);
  const [, value = ""] = tag.split(/\sd="/);
  return value.split('"', 1)[0]?.trim() ?? "";
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
