import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileTypeFromFile } from "file-type";
import { z } from "zod";
import { JsonFile } from "../json-file.js";

const Asset = z.object({
  publicId: z.string(),
  resourceType: z.enum(["image", "raw", "video"]),
  /** `private`: the file has no public address. */
  type: z.enum(["upload", "private"]).default("upload"),
  /** Format of the file. It is empty for raw files, whose public id has the extension. */
  format: z.string(),
  contentType: z.string(),
  bytes: z.number(),
  /** MD5 hash of the content. */
  etag: z.string(),
  /** Time of the newest upload, in seconds since the epoch. */
  version: z.number(),
  /** Time of the first upload, in ISO 8601. */
  createdAt: z.string(),
  tags: z.array(z.string()).default([]),
  /** Name of the file inside the media folder. */
  file: z.string(),
});
/** One stored file. */
export type Asset = z.infer<typeof Asset>;
export type ResourceType = Asset["resourceType"];
/** Who may fetch a file: everyone, or the holder of a signed address. */
export type DeliveryType = Asset["type"];

/** Content types of raw files. Other files, even markup, are opaque downloads. */
const rawTypes: Record<string, string> = {
  ".pdf": "application/pdf",
  ".txt": "text/plain; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".vtt": "text/vtt; charset=utf-8",
  ".zip": "application/zip",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".mp3": "audio/mpeg",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
};

/** Stores files by resource type, delivery type and public id. An upload with a known id replaces the file. */
export class Media {
  readonly #folder: string;
  readonly #index: JsonFile<Record<string, Asset>>;

  private constructor(folder: string, index: JsonFile<Record<string, Asset>>) {
    this.#folder = folder;
    this.#index = index;
  }

  /** Opens the store and removes unfinished uploads of an earlier run. @param folder holds the files. */
  static async open(folder: string, indexPath: string | undefined): Promise<Media> {
    const media = new Media(folder, await JsonFile.open(indexPath, z.record(z.string(), Asset), {}));
    await rm(media.incoming, { recursive: true, force: true });
    await mkdir(media.incoming, { recursive: true });
    return media;
  }

  /** Folder of unfinished uploads, on the same file system. */
  get incoming(): string {
    return join(this.#folder, ".incoming");
  }

  list(): readonly Asset[] {
    return Object.values(this.#index.state);
  }

  find(resourceType: ResourceType, publicId: string, type: DeliveryType = "upload"): Asset | undefined {
    return this.#index.state[assetKey(resourceType, publicId, type)];
  }

  path(asset: Asset): string {
    return join(this.#folder, asset.file);
  }

  /**
   * Moves an uploaded file into place. @returns null when the request announced an image and the content is not one.
   */
  async keep(
    uploaded: string,
    { resourceType, type, publicId, tags }: Pick<Asset, "resourceType" | "type" | "publicId" | "tags">,
  ): Promise<Asset | null> {
    const detected = (await fileTypeFromFile(uploaded)) ?? (await otherImage(uploaded));
    const mime = detected?.mime ?? "";
    if (resourceType === "image" && !mime.startsWith("image/") && mime !== "application/pdf") return null;

    const key = assetKey(resourceType, publicId, type);
    const before = this.#index.state[key];
    const raw = resourceType === "raw";
    const format = raw ? "" : detected?.ext === "jpeg" ? "jpg" : (detected?.ext ?? "bin");
    const asset: Asset = {
      publicId,
      resourceType,
      type,
      format,
      contentType: (raw ? rawTypes[extname(publicId).toLowerCase()] : mime) || "application/octet-stream",
      bytes: (await stat(uploaded)).size,
      etag: await md5(uploaded),
      version: Math.max(Math.floor(Date.now() / 1000), (before?.version ?? 0) + 1),
      createdAt: before?.createdAt ?? new Date().toISOString(),
      tags,
      file: fileName(key, raw ? extname(publicId) : `.${format}`),
    };
    await rename(uploaded, join(this.#folder, asset.file));
    this.#index.state[key] = asset;
    await this.#index.save();
    // A new format changes the file name.
    if (before && before.file !== asset.file) await rm(this.path(before), { force: true });
    return asset;
  }

  /** Removes a file. @returns false when there is none under this id. */
  async remove(resourceType: ResourceType, publicId: string, type: DeliveryType): Promise<boolean> {
    const asset = this.find(resourceType, publicId, type);
    if (!asset) return false;
    delete this.#index.state[assetKey(resourceType, publicId, type)];
    await this.#index.save();
    await rm(this.path(asset), { force: true });
    return true;
  }
}

/** Detects images that the library does not detect: SVG, which is text, and a PNG with only its signature. */
async function otherImage(path: string): Promise<{ mime: string; ext: string } | undefined> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0).finally(() => file.close());
  if (buffer.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n") return { mime: "image/png", ext: "png" };
  const start = buffer.toString("utf8", 0, bytesRead);
  return /^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(start) ? { mime: "image/svg+xml", ext: "svg" } : undefined;
}

/** No public id begins with a slash, so a private key differs from every public key. */
function assetKey(resourceType: ResourceType, publicId: string, type: DeliveryType): string {
  return type === "upload" ? `${resourceType}/${publicId}` : `${resourceType}//${publicId}`;
}

/** Builds a flat file name, so that no public id can leave the folder. */
function fileName(key: string, extension: string): string {
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 32);
  return digest + extension.toLowerCase().replace(/[^.a-z0-9]/g, "");
}

async function md5(path: string): Promise<string> {
  const hash = createHash("md5");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
