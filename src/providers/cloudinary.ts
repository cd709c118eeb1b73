import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { UploadApiOptions } from "cloudinary";
import type { request } from "undici";
import { z } from "zod";
import { type Bounds, boundedAgent } from "./bounds.js";

/** The name of a file in the storage. A private file has no public address. */
export interface StoredFile {
  readonly publicId: string;
  readonly kind: "image" | "raw";
  readonly isPrivate?: boolean;
}

/** What a file holds: bytes, or the path of a local file. */
export type FileContent = Buffer | string;

/** The first and the last byte of a part of a file. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** A file, or a part of it, while the storage sends it. */
export interface OpenedFile {
  /** Whether the body is the whole file. Otherwise it is the part that was asked for. */
  readonly isWhole: boolean;
  readonly body: Readable;
}

/** The calls of the media storage, which holds files under names that the server chooses. */
export interface Storage {
  /**
   * Stores a file under `publicId`, or replaces it, so that a repeated call leaves no orphan.
   * @param deadlineMs time limit of the upload, at most 20 s.
   * @returns the URL, which is public unless the file is private. @throws when the storage refuses, returns no URL or takes too long. The file may exist
   *   nevertheless.
   */
  put(file: StoredFile & { content: FileContent }, deadlineMs?: number): Promise<string>;
  /** Removes a file. A missing file is no error. */
  remove(file: StoredFile): Promise<void>;
  /**
   * Opens a private file. The body fails when the storage sends nothing for the time of a call, or when `signal` aborts.
   * @param range the part to send. The storage may send the whole file nevertheless.
   * @throws when the storage does not begin to answer in time, or has no such file or part.
   */
  open(file: StoredFile, options: { range?: Range | undefined; signal: AbortSignal }): Promise<OpenedFile>;
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
    async put({ publicId, kind, isPrivate, content }, deadlineMs) {
      const types = typesOf({ kind, isPrivate });
      const upload = async ({ uploader }: Sdk, account: UploadApiOptions) => {
        const source = typeof content === "string" ? createReadStream(content) : Readable.from([content]);
        const uploaded = new Promise<string>((resolve, reject) => {
          const options = { ...account, ...types, public_id: publicId, overwrite: true, invalidate: true };
          const done = (error: unknown, result?: unknown) => {
            try {
              if (error) throw asError("upload", error);
              resolve(readReply(Uploaded, result).secure_url);
            } catch (failure) {
              reject(failure);
            }
          };
          pipeline(source, uploader.upload_stream(options, done)).catch((error) => reject(asError("upload", error)));
        });
        return uploaded.finally(() => source.destroy());
      };
      return bounded(upload, deadlineMs);
    },
    async remove({ publicId, ...file }) {
      const options = { ...typesOf(file), invalidate: true };
      const reply: unknown = await bounded(({ uploader }, account) =>
        uploader.destroy(publicId, { ...account, ...options }),
      ).catch((error: unknown) => {
        throw asError("removal", error);
      });
      readReply(Removed, reply);
    },
    async open({ publicId, ...file }, { range, signal }) {
      const { utils } = await loadSdk();
      const expires_at = Math.floor(Date.now() / 1_000) + addressLastsSeconds;
      const address = utils.private_download_url(publicId, "", { ...account, ...typesOf(file), expires_at });
      const { statusCode, headers, body } = await get(new URL(address), {
        headers: range ? { range: `bytes=${range.first}-${range.last}` } : {},
        signal,
        headersTimeout: bounds.deadlineMs,
        bodyTimeout: bounds.deadlineMs,
      });
      if (statusCode === 200) return { isWhole: true, body };
      const part = String(headers["content-range"]);
      if (range && statusCode === 206 && part.startsWith(`bytes ${range.first}-${range.last}/`))
        return { isWhole: false, body };
      discard(body);
      throw new Error(`media storage: a file was answered ${statusCode}`);
    },
  };
}

type Reply = Awaited<ReturnType<typeof request>>;

const maxRedirects = 2;

/** Follows a few redirects to encrypted addresses, and to others of the same host. */
async function get(address: URL, options: Parameters<typeof request>[1]): Promise<Reply> {
  const { request } = await import("undici");
  let target = address;
  for (let redirects = 0; ; redirects += 1) {
    const reply = await request(target, options);
    const { location } = reply.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(reply.statusCode) && typeof location === "string";
    if (!isRedirect || redirects === maxRedirects) return reply;
    discard(reply.body);
    target = new URL(location, target);
    if (target.protocol !== "https:" && target.host !== address.host)
      throw new Error("media storage: a redirect to another host without encryption");
  }
}

const discard = (body: Readable): void => void body.on("error", () => undefined).destroy();

/** The server uses an address at once. */
const addressLastsSeconds = 60;

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

/** Names the call that failed. The SDK rejects with plain objects, and with errors of the network. */
function asError(call: string, error: unknown): Error {
  const { message, error: inner } = (error ?? {}) as { message?: unknown; error?: { message?: unknown } };
  const reason = String(message ?? inner?.message ?? "no answer");
  return new Error(`media storage: ${call} failed: ${reason}`, { cause: error });
}
