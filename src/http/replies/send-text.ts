import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";
import { clientOf } from "../context.js";
import { ClientBudget } from "../limits/client-budget.js";

/** Bytes of unsent replies to one client: a sixteenth of the smallest supported heap. */
const maxReplyBytes = 32 * 1_048_576;

/** Lets large replies count, so that the unsent ones of one client stay below a limit. */
export function boundReplies(): RequestHandler {
  const budget = new ClientBudget(maxReplyBytes);
  return (_req, res, next) => {
    res.replyBudget = budget;
    next();
  };
}

/** Minimum size of a reply that counts. Smaller replies hold little, because a connection has few unfinished requests. */
const largeReplyBytes = 8_192;

/**
 * Counts a large reply to a read until its reader has taken it, so that a slow reader cannot fill the memory. A reply to
 * a write does not count, because the write cannot be undone.
 * @throws Overloaded when large replies to the client hold too much memory already.
 */
export function holdReply(res: Response, bytes: number): void {
  const isRead = res.req.method === "GET" || res.req.method === "HEAD";
  if (bytes >= largeReplyBytes && isRead) res.replyBudget?.hold(res, bytes, clientOf(res.req));
}

/** Answers with text or with its bytes. Node sends head and text in one write; bytes take a second write. */
export function sendText(res: Response, text: string | Buffer, type: string): void {
  const bytes = Buffer.byteLength(text);
  holdReply(res, bytes);
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", bytes);
  res.end(res.req.method === "HEAD" ? undefined : text);
}

/** Answers with a value, or with finished JSON text. */
export function sendJson(res: Response, json: string | Buffer | object): void {
  const text = typeof json === "string" || Buffer.isBuffer(json) ? json : JSON.stringify(json);
  sendText(res, text, "application/json; charset=utf-8");
}

type Encoding = "identity" | "gzip" | "br";

/** A higher quality takes many times as long and saves only a few per cent. */
const brotliQuality = 5;

/** A JSON text for many clients. It is compressed once in each encoding that clients accept. */
export class CompressedJson {
  readonly #bodies = new Map<Encoding, Promise<Buffer>>();
  /** A strong tag names exact bytes, so each encoding has its own. */
  readonly #tags: Readonly<Record<Encoding, string>>;

  constructor(text: string) {
    const identity = Buffer.from(text);
    const hash = createHash("sha256").update(identity).digest("base64url").slice(0, 27);
    this.#bodies.set("identity", Promise.resolve(identity));
    this.#tags = { identity: `"${hash}"`, gzip: `"${hash}-gzip"`, br: `"${hash}-br"` };
  }

  /** Sends the text, or 304 to a client that has it in any encoding. */
  async send(req: Request, res: Response): Promise<void> {
    const encoding = req.acceptsEncodings("br") ? "br" : req.acceptsEncodings("gzip") ? "gzip" : "identity";
    res.setHeader("Cache-Control", "no-cache");
    res.vary("Accept-Encoding");
    const heldTag = this.#heldTag(req.headers["if-none-match"], encoding);
    res.setHeader("ETag", heldTag ?? this.#tags[encoding]);
    if (heldTag) {
      res.status(304).end();
      return;
    }
    const body = await this.#body(encoding);
    res.setHeader("Content-Type", "application/json; charset=utf-8");
    if (encoding !== "identity") res.setHeader("Content-Encoding", encoding);
    res.setHeader("Content-Length", body.length);
    res.end(req.method === "HEAD" ? undefined : body);
  }

  /** The tag in an `If-None-Match` header that names this text. */
  #heldTag(header: string | undefined, encoding: Encoding): string | undefined {
    const listed = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
    if (listed.includes("*")) return this.#tags[encoding];
    return Object.values(this.#tags).find((tag) => listed.includes(tag));
  }

  #body(encoding: Encoding): Promise<Buffer> {
    const known = this.#bodies.get(encoding);
    if (known) return known;
    const body = this.#body("identity").then((text) => compress(text, encoding));
    this.#bodies.set(encoding, body);
    body.catch(() => this.#bodies.delete(encoding));
    return body;
  }
}

function compress(text: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return promisify(brotliCompress)(text, { params });
}
