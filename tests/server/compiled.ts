import { join } from "node:path";
import { inject } from "vitest";
import { bundle } from "./bundle.js";

/** A program of TypeScript as one file of JavaScript, compiled once in a run. @returns its path, for `node`. */
export const compiled = (program: string): Promise<string> => bundle(program, join(inject("runFolder"), "compiled"));
