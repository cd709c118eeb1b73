import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request, Response } from "express";

const compressGzip = promisify(gzip);
const compressBrotli = (body: Buffer, quality: number): Promise<Buffer> =>
  promisify(brotliCompress)(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });

/** How long a body must have lasted before it is worth the slowest, densest compression. */
const lastingAfterMs = 5_000;

interface Copy<T> {
  readonly revision: string;
  readonly value: T;
  readonly tag: string;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  brotli: Buffer;
}

export interface CachedReply<T> {
  /** The current value; never older than the request that asks. */
  current(): Promise<T>;
  /** Answers with the pre-serialised, pre-compressed body, or 304 for a known ETag. */
  send(req: Request, res: Response): Promise<void>;
}

/**
 * A JSON reply that is serialised and compressed once per change.
 * @param revision tells the state of what `build` reads: two equal answers mean that nothing changed in between.
 *   Requests that arrive together share one look.
 */
export function cachedReply<T>(revision: () => Promise<string>, build: () => Promise<T>): CachedReply<T> {
  const look = sharedNextRun(revision);
  let kept: Copy<T> | undefined;
  const rebuild = sharedNextRun(async () => {
    const before = await revision();
    if (kept?.revision === before) return kept;
    const copy = await makeCopy(before, await build());
    kept = copy;
    condense(copy, () => kept === copy);
    return copy;
  });

  const fresh = async (): Promise<Copy<T>> => {
    const now = await look();
    return kept?.revision === now ? kept : rebuild();
  };
  return {
    current: async () => (await fresh()).value,
    async send(req, res) {
      sendCopy(req, res, await fresh());
    },
  };
}

async function makeCopy<T>(revision: string, value: T): Promise<Copy<T>> {
  const identity = Buffer.from(JSON.stringify(value));
  const tag = createHash("sha256").update(identity).digest("base64url").slice(0, 27);
  const [gzipped, brotli] = await Promise.all([compressGzip(identity), compressBrotli(identity, 5)]);
  return { revision, value, tag, identity, gzip: gzipped, brotli };
}

function condense<T>(copy: Copy<T>, stillCurrent: () => boolean): void {
  setTimeout(async () => {
    if (stillCurrent()) copy.brotli = await compressBrotli(copy.identity, 11);
  }, lastingAfterMs).unref();
}

function sendCopy<T>(req: Request, res: Response, copy: Copy<T>): void {
  const encoding = req.acceptsEncodings("br") ? "br" : req.acceptsEncodings("gzip") ? "gzip" : "identity";
  const body = encoding === "br" ? copy.brotli : encoding === "gzip" ? copy.gzip : copy.identity;
  // A strong tag names exact bytes, so each encoding (and each density of it) has its own.
  res.setHeader("ETag", encoding === "identity" ? `"${copy.tag}"` : `"${copy.tag}-${encoding}${body.length}"`);
  res.setHeader("Cache-Control", "no-cache");
  res.vary("Accept-Encoding");
  if (knows(req.headers["if-none-match"], copy.tag)) {
    res.status(304).end();
    return;
  }
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  if (encoding !== "identity") res.setHeader("Content-Encoding", encoding);
  res.setHeader("Content-Length", body.length);
  res.end(req.method === "HEAD" ? undefined : body);
}

/** Whether an `If-None-Match` list names this content in any of its encodings. */
function knows(header: string | undefined, tag: string): boolean {
  if (!header) return false;
  return header.split(",").some((entry) => {
    const given = entry.trim().replace(/^W\//, "");
    return given === "*" || given === `"${tag}"` || given.startsWith(`"${tag}-`);
  });
}

/**
 * Calls share a run that begins after all of them: those of one turn of the event loop together, those made while a run
 * is under way the next one.
 */
function sharedNextRun<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const started = run();
    running = started.catch(() => undefined);
    return started;
  };
  return () => {
    next ??= running.then(() => setImmediate()).then(begin);
    return next;
  };
}
