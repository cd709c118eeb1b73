import type { UploadApiOptions, UploadApiResponse } from "cloudinary";

/** What the server asks of the media storage: public files under names that it chooses. */
export interface Storage {
  /**
   * Stores a file under `publicId`, replacing what was there: a repeat leaves no orphan.
   * @returns the public URL. @throws when the storage refuses, names no URL or takes over 20 s; the file may be there
   *   all the same.
   */
  put(file: { publicId: string; kind: "image" | "raw"; bytes: Buffer }): Promise<string>;
  /** Removes a file; one that is not there is no error. */
  remove(file: { publicId: string; kind: "image" | "raw" }): Promise<void>;
}

const deadlineMs = 20_000;

/** @param url `cloudinary://key:secret@cloud`, with an optional `?upload_prefix=` override. */
export async function createStorage(url: string): Promise<Storage> {
  // The SDK reads CLOUDINARY_URL and chooses between http and https when it is loaded: so it is loaded here.
  const { v2: cloudinary } = await import("cloudinary");
  const parsed = new URL(url);
  const account: UploadApiOptions = {
    cloud_name: parsed.hostname,
    api_key: decodeURIComponent(parsed.username),
    api_secret: decodeURIComponent(parsed.password),
    timeout: deadlineMs,
    ...(parsed.searchParams.has("upload_prefix")
      ? { upload_prefix: parsed.searchParams.get("upload_prefix") ?? undefined }
      : {}),
  };
  return {
    put: ({ publicId, kind, bytes }) =>
      new Promise((resolve, reject) => {
        const options = { ...account, public_id: publicId, resource_type: kind, overwrite: true, invalidate: true };
        const done = (error: unknown, result?: UploadApiResponse) =>
          isAddress(result?.secure_url) ? resolve(result.secure_url) : reject(asError(error ?? result));
        const upload = cloudinary.uploader.upload_stream(options, done);
        upload.on("error", (error) => reject(asError(error)));
        upload.end(bytes);
      }),
    async remove({ publicId, kind }) {
      await cloudinary.uploader
        .destroy(publicId, { ...account, resource_type: kind, invalidate: true })
        .catch((error: unknown) => {
          throw asError(error);
        });
    },
  };
}

/** The SDK hands on whatever was answered, a success without an address as well. */
const isAddress = (value: unknown): value is string => typeof value === "string" && /^https?:\/\/[^/]/.test(value);

/** The SDK rejects with plain objects. */
function asError(error: unknown): Error {
  if (error instanceof Error) return error;
  const { message, error: inner } = (error ?? {}) as { message?: unknown; error?: { message?: unknown } };
  return new Error(`media storage: ${String(message ?? inner?.message ?? "no answer")}`);
}
