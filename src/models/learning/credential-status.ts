import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField } from "../row.js";

/** A list in which verifiers look whether a credential has ended. */
const statusListRow = z.object({
  /** The number in the address of the list, from 1. */
  _id: z.number(),
  /** Number of entries that were given to credentials. An entry is never given twice. */
  taken: z.number(),
  /** Rises with each entry that ends, so that an instance knows whether its copy is stale. */
  version: z.number(),
});

export const statusListCollection = defineCollection({
  row: statusListRow,
  holds: "a status list of credentials: how many entries are taken",
  kept: "for good, because credentials name it",
  userData: "none",
});

/** An entry whose bit is 1 for good, because the certificate was revoked, reissued or erased. It names nobody. */
const endedEntryRow = z.object({
  _id: objectIdField,
  list: z.number(),
  index: z.number(),
  /** Version of the list that this entry has made. */
  version: z.number(),
});

export const endedEntryCollection = defineCollection({
  row: endedEntryRow,
  indexes: [[{ list: 1, index: 1 }, { unique: true }], [{ list: 1, version: 1 }]],
  holds: "a credential that no longer counts, by its place in a status list",
  kept: "for good, because anyone may hold the credential",
  userData: "none",
});
