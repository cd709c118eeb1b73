import { Storage } from "../src/store/storage.js";

/** Runs in a process that opens folders at given times and reports the results. */
let held: Storage | undefined;

process.on("message", async ({ folder, at }: { folder?: string; at: number }) => {
  if (folder === undefined) {
    await held?.close();
    held = undefined;
    process.send?.("closed");
    return;
  }
  while (Date.now() < at); // a timer would not be as exact
  try {
    held = await Storage.open(folder, () => undefined);
    process.send?.("held");
  } catch (error) {
    process.send?.(String(error).includes("in use by process") ? "refused" : String(error));
  }
});
process.send?.("ready");
