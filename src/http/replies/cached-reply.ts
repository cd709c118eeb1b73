import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request, Response } from "express";

/** How bodies are compressed: zlib, on its threads. */
export interface Compress {
  gzip(body: Buffer, level: number): Promise<Buffer>;
  brotli(body: Buffer, quality: number): Promise<Buffer>;
}

const zlib: Compress = {
  gzip: (body, level) => promisify(gzip)(body, { level }),
  brotli: (body, quality) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
};

type Encoding = "gzip" | "br";

/** Bodies over this size, in bytes, get the cheapest compression only: the densest holds a thread for seconds. */
const largeBody = 1_048_576;
/** How long a body must have lasted before it is worth the slowest, densest compression. */
const lastingAfterMs = 5_000;
const densest = 11;

interface Copy<T> {
  readonly revision: string;
  readonly value: T;
  readonly tag: string;
  readonly identity: Buffer;
  /** Compressed when it is first asked for, once for all who ask. */
  readonly compressed: { [E in Encoding]?: Promise<Buffer> };
}

export interface CachedReply<T> {
  /** The current value; never older than the request that asks. */
  current(): Promise<T>;
  /** Answers with the pre-serialised, pre-compressed body, or 304 for a known ETag. */
  send(req: Request, res: Response): Promise<void>;
}

/**
 * A JSON reply that is serialised once per change, and compressed once in each encoding that is asked for.
 * @param revision tells the state of what `build` reads: two equal answers mean that nothing changed in between.
 *   Requests that arrive together share one look.
 * @param build makes the value and its JSON text. One runs at a time, shared by all requests that wait for it.
 */
export function cachedReply<T>(
  revision: () => Promise<string>,
  build: () => Promise<{ value: T; text: string }>,
  compress: Compress = zlib,
  lastsMs = lastingAfterMs,
): CachedReply<T> {
  const look = sharedNextRun(revision);
  const condense = condensing(compress, lastsMs);
  let kept: Copy<T> | undefined;
  const rebuild = sharedNextRun(async () => {
    const before = await revision();
    if (kept?.revision === before) return kept;
    const { value, text } = await build();
    const identity = Buffer.from(text);
    const tag = createHash("sha256").update(identity).digest("base64url").slice(0, 27);
    const copy: Copy<T> = { revision: before, value, tag, identity, compressed: {} };
    kept = copy;
    condense(copy);
    return copy;
  });

  const fresh = async (): Promise<Copy<T>> => {
    const now = await look();
    return kept?.revision === now ? kept : rebuild();
  };
  return {
    current: async () => (await fresh()).value,
    send: async (req, res) => sendCopy(req, res, await fresh(), compress),
  };
}

/**
 * Replaces the brotli form of a copy by the densest one when it has lasted. One copy waits at a time, the newest, and
 * one compression runs.
 */
function condensing(compress: Compress, lastsMs: number): (copy: Copy<unknown>) => void {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  const later = (copy: Copy<unknown>): void => {
    clearTimeout(timer);
    if (copy.identity.length > largeBody) return;
    timer = setTimeout(async () => {
      if (running) return later(copy);
      running = true;
      const dense = await compress.brotli(copy.identity, densest).catch(() => undefined);
      running = false;
      if (dense) copy.compressed.br = Promise.resolve(dense);
    }, lastsMs).unref();
  };
  return later;
}

function compressedBody(copy: Copy<unknown>, encoding: Encoding, compress: Compress): Promise<Buffer> {
  const known = copy.compressed[encoding];
  if (known) return known;
  const large = copy.identity.length > largeBody;
  const begun =
    encoding === "br" ? compress.brotli(copy.identity, large ? 1 : 5) : compress.gzip(copy.identity, large ? 1 : 6);
  copy.compressed[encoding] = begun;
  begun.catch(() => delete copy.compressed[encoding]);
  return begun;
}

async function sendCopy(req: Request, res: Response, copy: Copy<unknown>, compress: Compress): Promise<void> {
  const encoding = req.acceptsEncodings("br") ? "br" : req.acceptsEncodings("gzip") ? "gzip" : "identity";
  res.setHeader("Cache-Control", "no-cache");
  res.vary("Accept-Encoding");
  const known = knownTag(req.headers["if-none-match"], copy.tag);
  if (known) {
    res.setHeader("ETag", known);
    res.status(304).end();
    return;
  }
  const body = encoding === "identity" ? copy.identity : await compressedBody(copy, encoding, compress);
  // A strong tag names exact bytes, so each encoding (and each density of it) has its own.
  res.setHeader("ETag", encoding === "identity" ? `"${copy.tag}"` : `"${copy.tag}-${encoding}${body.length}"`);
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  if (encoding !== "identity") res.setHeader("Content-Encoding", encoding);
  res.setHeader("Content-Length", body.length);
  res.end(req.method === "HEAD" ? undefined : body);
}

/** The tag in an `If-None-Match` list that names this content in any of its encodings. */
function knownTag(header: string | undefined, tag: string): string | undefined {
  const given = header?.split(",").map((entry) => entry.trim().replace(/^W\//, ""));
  const known = given?.find(
    (one) =>
      one === "*" ||
      one === `"${tag}"` ||
      (one.startsWith(`"${tag}-`) && /^[a-z0-9]{1,20}"$/.test(one.slice(tag.length + 2))),
  );
  return known === "*" ? `"${tag}"` : known;
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
