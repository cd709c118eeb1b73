import { readFileSync } from "node:fs";

/**
 * Shifts the calendar time of a server by the milliseconds in the file that CLOCK_SHIFT names. Timers and deadlines use
 * another clock and do not change, as with a wrong system clock.
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
