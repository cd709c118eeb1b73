import { finished } from "node:stream";
import type { Request, RequestHandler, Response } from "express";
import {
  ApiError,
  BodyTooLarge,
  BrokenRule,
  InvalidRequest,
  Unexpected,
  UnsupportedEncoding,
} from "../../lib/errors.js";
import { clientOf, viewerOf } from "../context.js";
import { ClientBudget } from "../limits/client-budget.js";
import { Overloaded } from "../limits/overload.js";

/** Bytes of the first buffer of a body, in which most bodies fit. */
const firstBytes = 16_384;

/**
 * Reads a body into one buffer that grows with the bytes received. A list of chunks would take hundreds of bytes for
 * each chunk, and a client may send chunks of one byte.
 * @param hold receives the size of each buffer before it is allocated. Its failure ends the reading.
 * @throws BodyTooLarge as soon as the body is longer than `maxBytes`; the rest of the body is dropped.
 */
export async function readBody(req: Request, maxBytes: number, hold: (bytes: number) => void): Promise<Buffer> {
  const declared = Number(req.headers["content-length"] ?? maxBytes);
  if (declared > maxBytes) {
    req.resume();
    throw BodyTooLarge();
  }
  return new Promise((resolve, reject) => {
    let length = 0;
    let body: Buffer = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      try {
        if (length + chunk.length > maxBytes) throw BodyTooLarge();
        if (length + chunk.length > body.length) body = grow(length + chunk.length);
        chunk.copy(body, length);
        length += chunk.length;
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const grow = (needed: number): Buffer => {
      const size = Math.max(needed, Math.min(declared, body.length === 0 ? firstBytes : 2 * body.length));
      hold(size);
      const larger = Buffer.allocUnsafe(size);
      body.copy(larger, 0, 0, length);
      return larger;
    };
    const unwatch = finished(req, { writable: false }, (error) => {
      if (error) reject(InvalidRequest(error));
      else resolve(body.subarray(0, length));
    });
    const stop = (): void => {
      unwatch();
      req.off("data", take);
      req.resume();
    };
    req.on("data", take);
  });
}

/** Drops a body that nothing reads. Otherwise Node keeps up to 9 MB of it until the reply is sent. */
export const dropBody: RequestHandler = (req, _res, next) => {
  req.resume();
  next();
};

/** Compressed bodies are refused everywhere. */
function isCompressed(req: Request): boolean {
  const encoding = req.headers["content-encoding"]?.trim().toLowerCase();
  return Boolean(encoding && encoding !== "identity");
}

const usualMaxBytes = 102_400;

/** The bodies that a route accepts. */
export interface AcceptedBody {
  readonly maxBytes: number;
  /** JSON by default. The text of a `text/plain` body becomes `req.body`. */
  readonly type?: "application/json" | "text/plain";
}

/** Bytes of an anonymous client's bodies in memory. Signed-in users have a limit of concurrent requests instead. */
const maxAnonymousBytes = 8 * 1_048_576;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Creates middleware that reads a body into `req.body`. Without `accepted` it reads JSON of up to 100 kB, and drops a
 * body of another type, except forms. With `accepted` it reads bodies of that type and leaves others for the usual
 * reader behind it. A JSON value that is not an object is refused.
 */
export function createBodyReader(): (accepted?: AcceptedBody) => RequestHandler {
  const budget = new ClientBudget(maxAnonymousBytes);
  return (accepted) => {
    const { maxBytes, type = "application/json" } = accepted ?? { maxBytes: usualMaxBytes };
    const read = async (req: Request, res: Response): Promise<void> => {
      if (isCompressed(req)) throw UnsupportedEncoding();
      if (req.is(type)) {
        requireUtf8(req);
        const hold = (bytes: number) => (viewerOf(req) ? undefined : budget.hold(res, bytes, clientOf(req)));
        const body = decodeUtf8(await readBody(req, maxBytes, hold));
        req.body = type === "text/plain" ? body : parseObject(body);
      } else if (!accepted && (req.method === "GET" || !req.is("multipart/form-data"))) {
        req.resume();
      }
    };
    return (req, res, next) => {
      if (hasNoBody(req) || req.body !== undefined) next();
      else read(req, res).then(() => next(), next);
    };
  };
}

const hasNoBody = ({ headers }: Request): boolean =>
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  headers["content-encoding"] === undefined;

/** JSON is UTF-8 (RFC 8259), and texts have to be. */
function requireUtf8({ headers }: Request): void {
  const [, charset = "utf-8"] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers["content-type"] ?? "") ?? [];
  if (charset.toLowerCase() !== "utf-8") throw UnsupportedEncoding();
}

/** @throws InvalidRequest for bytes that are not UTF-8. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw BrokenRule("body: not UTF-8", error);
  }
}

/** @returns undefined for an empty text. @throws InvalidRequest when the text is not the JSON of an object. */
function parseObject(text: string): object | undefined {
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw BrokenRule("body: not JSON", error);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw BrokenRule("body: not an object");
}

const maxWebhookBytes = 1_048_576;

/** Bytes of webhook bodies of one sender in memory. */
const maxHeldWebhookBytes = 16 * maxWebhookBytes;

/** Time limit for a body. Providers send a few kilobytes at once and wait 5 s for the reply. */
const maxWebhookBodyMs = 5_000;

/**
 * Reads the raw body of a webhook of any content type into `req.body`. A request without the headers of its signature, a
 * body over 1 MiB or a compressed body leaves `req.body` empty, and the webhook answers as to a wrong signature. A slow
 * sender is cut off, because it is not authenticated yet.
 * @param signature names of the headers without which no signature is complete.
 * @throws Unexpected when too many bodies of the sender are in memory. The provider then sends the message again.
 */
export function rawBody(signature: readonly string[]): RequestHandler {
  const budget = new ClientBudget(maxHeldWebhookBytes);
  const read = async (req: Request, res: Response): Promise<Buffer | undefined> => {
    const slow = setTimeout(() => req.destroy(), maxWebhookBodyMs);
    try {
      return await readBody(req, maxWebhookBytes, (bytes) => budget.hold(res, bytes, clientOf(req)));
    } catch (error) {
      if (error instanceof ApiError && error.id === BodyTooLarge.id) return undefined;
      throw error instanceof ApiError && error.id === Overloaded.id ? Unexpected(error) : error;
    } finally {
      clearTimeout(slow);
    }
  };
  return async (req, res, next) => {
    if (isCompressed(req) || signature.some((name) => !req.headers[name])) req.resume();
    else req.body = await read(req, res);
    next();
  };
}
