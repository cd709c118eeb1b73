import { readFileSync } from "node:fs";

/**
 * Loaded into a server before everything else: its calendar time is wrong by as many milliseconds as the file says that
 * CLOCK_SHIFT names. Timers and deadlines go by another clock, as they do where a real clock is wrong.
 */
const lookMs = 200;
let shiftMs = readShift();
const rightNow = Date.now;
Date.now = () => rightNow() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, called) => Reflect.construct(target, given.length > 0 ? given : [Date.now()], called),
});
setInterval(() => {
  shiftMs = readShift();
}, lookMs).unref();

function readShift(): number {
  try {
    return Number(readFileSync(process.env.CLOCK_SHIFT ?? "", "utf8"));
  } catch {
    return 0;
  }
}
