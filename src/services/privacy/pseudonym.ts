import { randomUUID } from "node:crypto";

const prefix = "deleted_";

/** Replaces the id of an erased user. It is random each time, so that rows cannot be joined by it. */
export const createPseudonym = (): string => `${prefix}${randomUUID().replaceAll("-", "")}`;

export const isPseudonym = (userId: string): boolean => userId.startsWith(prefix);
