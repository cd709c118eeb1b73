const timings =
  /^((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t]+\S.*)?$/;

/** Whether a text is WebVTT: its signature, and then cues that start in order and end after their start. */
export function isWebVtt(text: string): boolean {
  const [header = "", ...blocks] = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .trimEnd()
    .split(/\n{2,}/);
  if (!/^WEBVTT(?:[ \t].*)?(?:\n|$)/.test(header) || header.includes("-->")) return false;
  let earliest = 0;
  return blocks.every((block) => {
    const lines = block.split("\n");
    if (/^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(lines[0] ?? "")) return !block.includes("-->");
    // A line with the name of the cue may stand before its timings.
    const at = lines[0]?.includes("-->") ? 0 : 1;
    const [, from, to] = timings.exec(lines[at]?.trimEnd() ?? "") ?? [];
    if (from === undefined || to === undefined || lines.slice(at + 1).some((line) => line.includes("-->")))
      return false;
    const start = milliseconds(from);
    if (start < earliest || milliseconds(to) <= start) return false;
    earliest = start;
    return true;
  });
}

function milliseconds(time: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = time.split(":").reverse().map(Number);
  return Math.round(1_000 * (seconds + 60 * minutes + 3_600 * hours));
}
