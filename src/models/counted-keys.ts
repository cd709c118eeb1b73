/**
 * Schema field of a document with counters: keys of the unfinished changes that are in them (see
 * commands/count-once.ts).
 */
export const countedKeys = { countedKeys: { type: [String], select: false } };
