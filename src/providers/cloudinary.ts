import type { UploadApiOptions } from "cloudinary";
import { z } from "zod";
import { type Bounds, boundedAgent } from "./bounds.js";

/** What the server asks of the media storage: public files under names that it chooses. */
export interface Storage {
  /**
   * Stores a file under `publicId`, replacing what was there: a repeat leaves no orphan.
   * @param deadlineMs milliseconds after which the upload is given up, 20 s unless less is given.
   * @returns the public URL. @throws when the storage refuses, names no URL or takes longer; the file may be there all
   *   the same.
   */
  put(file: { publicId: string; kind: "image" | "raw"; bytes: Buffer }, deadlineMs?: number): Promise<string>;
  /** Removes a file; one that is not there is no error. */
  remove(file: { publicId: string; kind: "image" | "raw" }): Promise<void>;
}

/** What is answered is a description of the file. */
const usual: Bounds = { deadlineMs: 20_000, longestReply: 1024 * 1024 };

/** @param url `cloudinary://key:secret@cloud`, with an optional `?upload_prefix=` override. */
export async function createStorage(url: string, bounds = usual): Promise<Storage> {
  // The SDK reads CLOUDINARY_URL and chooses between http and https when it is loaded: so it is loaded here.
  const { v2: cloudinary } = await import("cloudinary");
  const parsed = new URL(url);
  const prefix = parsed.searchParams.get("upload_prefix");
  const account: UploadApiOptions = {
    cloud_name: parsed.hostname,
    api_key: decodeURIComponent(parsed.username),
    api_secret: decodeURIComponent(parsed.password),
    ...(prefix === null ? {} : { upload_prefix: prefix }),
  };
  /** The SDK bounds silences only, and gathers whatever comes. */
  const bounded = async <T>(
    call: (account: UploadApiOptions) => Promise<T>,
    longestMs = bounds.deadlineMs,
  ): Promise<T> => {
    const deadlineMs = Math.min(longestMs, bounds.deadlineMs);
    const { agent, end } = boundedAgent(!prefix?.startsWith("http:"), { ...bounds, deadlineMs });
    try {
      return await call({ ...account, agent, timeout: deadlineMs });
    } finally {
      end();
    }
  };
  return {
    put: ({ publicId, kind, bytes }, deadlineMs) =>
      bounded(
        (account) =>
          new Promise((resolve, reject) => {
            const options = { ...account, public_id: publicId, resource_type: kind, overwrite: true, invalidate: true };
            const done = (error: unknown, result?: unknown) => {
              try {
                if (error) throw asError(error);
                resolve(readReply(Uploaded, result).secure_url);
              } catch (failure) {
                reject(failure);
              }
            };
            const upload = cloudinary.uploader.upload_stream(options, done);
            upload.on("error", (error) => reject(asError(error)));
            upload.end(bytes);
          }),
        deadlineMs,
      ),
    async remove({ publicId, kind }) {
      const options = { resource_type: kind, invalidate: true };
      const reply: unknown = await bounded((account) =>
        cloudinary.uploader.destroy(publicId, { ...account, ...options }),
      ).catch((error: unknown) => {
        throw asError(error);
      });
      readReply(Removed, reply);
    },
  };
}

/** What is read of a reply. The SDK hands on whatever was answered. */
const Uploaded = z.object({ secure_url: z.url({ protocol: /^https?$/ }) });
const Removed = z.object({ result: z.enum(["ok", "not found"]) });

/** @throws an error that names the field which is missing or of no use. */
function readReply<S extends z.ZodType>(schema: S, reply: unknown): z.output<S> {
  const read = schema.safeParse(reply);
  if (read.success) return read.data;
  const fields = read.error.issues.map(({ path }) => path.join(".") || "object");
  throw new Error(`media storage: the reply has no usable ${fields.join(", ")}`);
}

/** The SDK rejects with plain objects. */
function asError(error: unknown): Error {
  if (error instanceof Error) return error;
  const { message, error: inner } = (error ?? {}) as { message?: unknown; error?: { message?: unknown } };
  return new Error(`media storage: ${String(message ?? inner?.message ?? "no answer")}`);
}
