import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request, Response } from "express";
import PQueue from "p-queue";
import { sharedRead } from "../shared-reads.js";

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
/** How long a body must have lasted before it is worth the densest compression: half a second of CPU for 500 courses. */
const lastingAfterMs = 30_000;
const cheapest = 1;
const usualLevel = { br: 5, gzip: 6 } as const;
const densest = 11;

/** What may lag is looked for after this time, and is waited for after the second, in milliseconds. */
const refreshAfterMs = 600;
const mostLagMs = 900;

/** Where a cached reply comes from. `build` and `refresh` are called one at a time. */
export interface ReplySource<T> {
  /** Two equal answers mean that nothing changed in between that must be seen at once. Each request asks. */
  revision(): Promise<string>;
  /** Makes the value and its JSON text. */
  build(): Promise<{ value: T; text: string }>;
  /** Looks for changes of what may lag, for `build`. @returns a number that is another one when there were some. */
  refresh(): Promise<number>;
  /** Is told of each request, whether what was kept was good for it, and of each `build`. */
  count?(what: "hit" | "miss" | "build"): void;
}

interface Copy<T> {
  readonly revision: string;
  readonly value: T;
  readonly tag: string;
  readonly identity: Buffer;
  /** What `refresh` said before it was built; nothing in it is older than `asOf`. */
  readonly refreshed: number;
  asOf: number;
  /** Begun when it is first asked for, once for all who ask; replaced by denser ones. */
  readonly compressed: { [E in Encoding]?: Promise<Buffer> };
}

export interface CachedReply<T> {
  /** The current value; but for what may lag, never older than the request that asks. */
  current(): Promise<T>;
  /** Answers with the pre-serialised, pre-compressed body, or 304 for a known ETag. */
  send(req: Request, res: Response): Promise<void>;
}

/**
 * A JSON reply that is serialised once per change, and compressed in each encoding that is asked for. A change that
 * must be seen at once is waited for; what may lag is brought up to date, serialised and compressed behind the copy
 * that is served meanwhile, and is waited for only when no request has asked for most of a second.
 */
export function cachedReply<T>(
  source: ReplySource<T>,
  compress: Compress = zlib,
  lastsMs = lastingAfterMs,
): CachedReply<T> {
  const compressLater = densestCompression(compress, lastsMs);
  let kept: Copy<T> | undefined;
  let last = { refreshed: 0, asOf: Number.NEGATIVE_INFINITY };

  const inTurn = new PQueue({ concurrency: 1 });
  async function make(revision: string): Promise<Copy<T>> {
    const { refreshed, asOf } = last;
    const { value, text } = await source.build();
    source.count?.("build");
    const identity = Buffer.from(text);
    const tag = createHash("sha256").update(identity).digest("base64url").slice(0, 27);
    return { revision, value, tag, identity, refreshed, asOf, compressed: {} };
  }
  const keep = (copy: Copy<T>): Copy<T> => {
    kept = copy;
    compressLater(copy);
    return copy;
  };
  const rebuild = sharedRead(() =>
    inTurn.add(async () => {
      // Asked when its turn has come: another one may have been built meanwhile.
      const revision = await source.revision();
      return kept?.revision === revision ? kept : keep(await make(revision));
    }),
  );

  const renew = sharedRun(async () => {
    last = await inTurn.add(async () => {
      const asOf = performance.now();
      return { refreshed: await source.refresh(), asOf };
    });
    const before = kept;
    if (!before) return;
    if (before.refreshed === last.refreshed) {
      before.asOf = last.asOf;
      return;
    }
    const copy = await inTurn.add(async () => make(await source.revision()));
    const encodings = Object.keys(before.compressed) as Encoding[];
    await Promise.all(encodings.map((encoding) => compressAt(copy, encoding, usualLevel[encoding], compress)));
    // After a change that was waited for, the next request renews that copy.
    if (kept === before) keep(copy);
  });

  const fresh = async (): Promise<Copy<T>> => {
    const asked = performance.now();
    const age = (): number => asked - (kept?.asOf ?? last.asOf);
    if (age() > refreshAfterMs && age() <= mostLagMs) renew().catch(() => undefined);
    while (age() > mostLagMs) await renew();
    const now = await source.revision();
    const isHit = kept?.revision === now;
    source.count?.(isHit ? "hit" : "miss");
    return isHit && kept ? kept : rebuild();
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
function densestCompression(compress: Compress, lastsMs: number): (copy: Copy<unknown>) => void {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  const later = (copy: Copy<unknown>): void => {
    clearTimeout(timer);
    if (copy.identity.length > largeBody) return;
    timer = setTimeout(async () => {
      if (running) return later(copy);
      running = true;
      await compressAt(copy, "br", densest, compress).catch(() => undefined);
      running = false;
    }, lastsMs).unref();
  };
  return later;
}

/** Compresses a copy anew; until it is done, what is there is sent. A large body gets the cheapest level. */
async function compressAt(copy: Copy<unknown>, encoding: Encoding, level: number, compress: Compress): Promise<Buffer> {
  const { identity, compressed } = copy;
  const most = identity.length > largeBody ? cheapest : level;
  const body = encoding === "br" ? await compress.brotli(identity, most) : await compress.gzip(identity, most);
  compressed[encoding] = Promise.resolve(body);
  return body;
}

/** The first who asks is not kept waiting for the usual compression: the cheapest takes a few milliseconds. */
function compressedBody(copy: Copy<unknown>, encoding: Encoding, compress: Compress): Promise<Buffer> {
  const { compressed, identity } = copy;
  const known = compressed[encoding];
  if (known) return known;
  const begun = compressAt(copy, encoding, cheapest, compress);
  compressed[encoding] = begun;
  begun
    .then((body) => (identity.length > largeBody ? body : compressAt(copy, encoding, usualLevel[encoding], compress)))
    .catch(() => delete compressed[encoding]);
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

/** Calls share the run that is under way. */
function sharedRun(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
