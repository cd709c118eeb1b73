import { finished } from "node:stream";
import type { Request, RequestHandler } from "express";
import { BodyTooLarge, InvalidRequest } from "../../lib/errors.js";

/** Bytes of the first buffer of a body, unless its `Content-Length` is smaller: most bodies fit. */
const firstBytes = 16_384;

/**
 * Reads a body into one buffer that grows with the bytes received. A list of chunks would take hundreds of bytes for
 * each chunk, and a client may send chunks of one byte.
 * @param hold receives the size of the buffer before the buffer is made. What it throws ends the reading.
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

/** Drops a body that no step reads. Otherwise Node keeps its first chunks, up to 9 MB of memory, until the reply is sent. */
export const dropBody: RequestHandler = (req, _res, next) => {
  req.resume();
  next();
};
