import { fileURLToPath } from "node:url";
import express, { type RequestHandler } from "express";

/** Serves a folder of `web/`, the files that browsers load, as it is. */
export function webFiles(folder: string): RequestHandler {
  return express.static(fileURLToPath(new URL(`../web/${folder}`, import.meta.url)), {
    cacheControl: false,
    redirect: false,
    setHeaders: (res) => res.setHeader("X-Content-Type-Options", "nosniff"),
  });
}

/** Where one file of `web/` is on disk. */
export const webFile = (path: string): string => fileURLToPath(new URL(`../web/${path}`, import.meta.url));
