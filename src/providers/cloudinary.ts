import type { UploadApiOptions } from "cloudinary";
import { z } from "zod";
import { type Bounds, boundedAgent } from "./bounds.js";

/** The name of a file in the storage. A private file has no public address. */
export interface StoredFile {
  readonly publicId: string;
  readonly kind: "image" | "raw";
  readonly isPrivate?: boolean;
}

/** The calls of the media storage, which holds files under names that the server chooses. */
export interface Storage {
  /**
   * Stores a file under `publicId`, or replaces it, so that a repeated call leaves no orphan.
   * @param deadlineMs time limit of the upload, at most 20 s.
   * @returns the URL, which is public unless the file is private. @throws when the storage refuses, returns no URL or takes too long. The file may exist
   *   nevertheless.
   */
  put(file: StoredFile & { bytes: Buffer }, deadlineMs?: number): Promise<string>;
  /** Removes a file. A missing file is no error. */
  remove(file: StoredFile): Promise<void>;
  /** Signs an address under which everyone can download a private file until `expiresAt`. */
  signDownload(file: StoredFile, expiresAt: Date): Promise<string>;
}

/** Replies describe a file, so they are short. */
const defaultBounds: Bounds = { deadlineMs: 20_000, longestReply: 1024 * 1024 };

/** @param url `cloudinary://key:secret@cloud`, with an optional `?upload_prefix=` override. */
export function createStorage(url: string, bounds = defaultBounds): Storage {
  const parsed = new URL(url);
  const prefix = parsed.searchParams.get("upload_prefix");
  const account: UploadApiOptions = {
    cloud_name: parsed.hostname,
    api_key: decodeURIComponent(parsed.username),
    api_secret: decodeURIComponent(parsed.password),
    ...(prefix === null ? {} : { upload_prefix: prefix }),
  };
  /** Limits time and reply of a call, because the SDK limits only silences. */
  const bounded = async <T>(
    call: (sdk: Sdk, account: UploadApiOptions) => Promise<T>,
    longestMs = bounds.deadlineMs,
  ): Promise<T> => {
    const deadlineMs = Math.min(longestMs, bounds.deadlineMs);
    const { agent, end } = boundedAgent(!prefix?.startsWith("http:"), { ...bounds, deadlineMs });
    try {
      return await call(await loadSdk(), { ...account, agent, timeout: deadlineMs });
    } finally {
      end();
    }
  };
  return {
    put: ({ publicId, kind, isPrivate, bytes }, deadlineMs) =>
      bounded(
        ({ uploader }, account) =>
          new Promise((resolve, reject) => {
            const types = typesOf({ kind, isPrivate });
            const options = { ...account, ...types, public_id: publicId, overwrite: true, invalidate: true };
            const done = (error: unknown, result?: unknown) => {
              try {
                if (error) throw asError(error);
                resolve(readReply(Uploaded, result).secure_url);
              } catch (failure) {
                reject(failure);
              }
            };
            const upload = uploader.upload_stream(options, done);
            upload.on("error", (error) => reject(asError(error)));
            upload.end(bytes);
          }),
        deadlineMs,
      ),
    async remove({ publicId, ...file }) {
      const options = { ...typesOf(file), invalidate: true };
      const reply: unknown = await bounded(({ uploader }, account) =>
        uploader.destroy(publicId, { ...account, ...options }),
      ).catch((error: unknown) => {
        throw asError(error);
      });
      readReply(Removed, reply);
    },
    async signDownload({ publicId, ...file }, expiresAt) {
      const { utils } = await loadSdk();
      return utils.private_download_url(publicId, "", {
        ...account,
        ...typesOf(file),
        attachment: true,
        expires_at: Math.floor(expiresAt.getTime() / 1_000),
      });
    },
  };
}

type Sdk = typeof import("cloudinary").v2;

/** Loads the SDK when it is used: it takes much memory, and reads CLOUDINARY_URL when it is loaded. */
const loadSdk = async (): Promise<Sdk> => (await import("cloudinary")).v2;

const typesOf = ({ kind, isPrivate }: { kind: StoredFile["kind"]; isPrivate?: boolean | undefined }) => ({
  resource_type: kind,
  type: isPrivate ? ("private" as const) : ("upload" as const),
});

/** The fields of replies that are read. The SDK does not check replies. */
const Uploaded = z.object({ secure_url: z.url({ protocol: /^https?$/ }) });
const Removed = z.object({ result: z.enum(["ok", "not found"]) });

/** @throws an error that names the missing or invalid fields. */
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
