import { fileURLToPath } from "node:url";
import express, { type RequestHandler } from "express";

/** Serves a folder of browser files from `web/`. */
export function webFiles(folder: string): RequestHandler {
  return express.static(fileURLToPath(new URL(`../web/${folder}`, import.meta.url)), {
    cacheControl: false,
    redirect: false,
    setHeaders: (res) => res.setHeader("X-Content-Type-Options", "nosniff"),
  });
}

/** Returns the path of a file in `web/`. */
export const webFile = (path: string): string => fileURLToPath(new URL(`../web/${path}`, import.meta.url));
