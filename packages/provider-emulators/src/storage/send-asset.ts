import { basename } from "node:path";
import type { Response } from "express";
import type { Asset, Media } from "./media.js";

/** Sends a stored file. No cache keeps a private file. */
export function sendAsset(
  res: Response,
  media: Media,
  asset: Asset,
  { isDownload = false, isPrivate = false }: { isDownload?: boolean; isPrivate?: boolean } = {},
): void {
  res.set({
    "Cache-Control": isPrivate ? "private, no-store" : "public, max-age=60",
    "Content-Type": asset.contentType,
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
  });
  if (isDownload) res.attachment(basename(asset.publicId)).type(asset.contentType);
  res.sendFile(media.path(asset), { dotfiles: "allow", cacheControl: false });
}
