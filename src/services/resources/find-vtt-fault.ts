const timings =
  /^((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t]+\S.*)?$/;

export interface VttFault {
  readonly line: number;
  /** Description of the fault, in ASCII. */
  readonly rule: string;
}

/**
 * Finds the first fault of a text that should be WebVTT: its signature, and then cues that start in order and end after
 * their start. Looks at each line once.
 */
export function findVttFault(text: string): VttFault | undefined {
  const lines = text.trimEnd().replace(/\r\n?/g, "\n").split("\n");
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? "")) return { line: 1, rule: "no WEBVTT at the beginning" };
  let earliest = 0;
  /** `text`: any line without timings. `block`: the first line of a block. `timings`: the timings of a named cue. */
  let expected: "text" | "block" | "timings" = "text";
  let number = 0;
  for (const line of lines) {
    number += 1;
    const isTimings = line.includes("-->");
    if (line === "" && expected !== "timings") expected = "block";
    else if (expected === "block" && /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(line) && !isTimings) expected = "text";
    else if (expected === "block" && !isTimings) expected = "timings";
    else if (expected === "text") {
      if (isTimings) return { line: number, rule: "timings inside another block" };
    } else {
      const [, from, to] = timings.exec(line.trimEnd()) ?? [];
      if (from === undefined || to === undefined) return { line: number, rule: "no timings of a cue" };
      const start = milliseconds(from);
      if (start < earliest) return { line: number, rule: "a cue that starts before an earlier one" };
      if (milliseconds(to) <= start) return { line: number, rule: "a cue that does not end after its start" };
      earliest = start;
      expected = "text";
    }
  }
  return expected === "timings" ? { line: lines.length, rule: "a cue without timings" } : undefined;
}

function milliseconds(time: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = time.split(":").reverse().map(Number);
  return Math.round(1_000 * (seconds + 60 * minutes + 3_600 * hours));
}
