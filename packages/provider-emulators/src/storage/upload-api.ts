import { rm, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { type NextFunction, type Request, type Response, Router } from "express";
import { fileTypeFromFile } from "file-type";
import multer from "multer";
import { z } from "zod";
import { faultInjector } from "../fault-routes.js";
import type { Faults, TransportFault } from "../faults.js";
import { randomId } from "../random-id.js";
import type { Asset, DeliveryType, Media, ResourceType } from "./media.js";
import { sendAsset } from "./send-asset.js";
import { downloadFault, signatureFault } from "./signature.js";

/** Operations that a fault can name in `on`. */
export type StorageOperation = "upload" | "destroy" | "serve" | "download";

export interface UploadApiParts {
  media: Media;
  faults: Faults<TransportFault>;
  cloud: string;
  key: string;
  secret: string;
  /** Builds the public address of a stored file, with its version. */
  addressOf(asset: Asset): string;
}

const supported = `file api_key timestamp signature signature_algorithm cloud_name resource_type public_id folder
  overwrite tags use_filename unique_filename filename_override`.split(/\s+/);
/** Parameters without effect, because nothing is cached here and there is no media library. */
const withoutEffect = ["invalidate", "asset_folder", "display_name"];
const accepted = new Set([...supported, ...withoutEffect]);

/** Returns the reason why a request with these parameters is refused, or undefined. */
function unsupportedParameter(parameters: Record<string, string>): string | undefined {
  const { type = "upload", access_mode = "public", ...rest } = parameters;
  if (type !== "upload" && type !== "private") return "type is not supported";
  if (access_mode !== "public") return "access_mode is not supported";
  const [name] = Object.entries(rest).find(([key, value]) => value !== "" && !accepted.has(key)) ?? [];
  if (name === "upload_preset") return "Upload preset not found";
  return name === undefined ? undefined : `${name} is not supported`;
}

const Parameters = z.record(z.string(), z.string());
const PublicId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!\/)(?!.*\/$)(?!.*\/\/)[^?&#\\%<>+]+$/)
  .refine((id) => !id.split("/").some((part) => part === "." || part === ".."));

/**
 * Serves the provider's signed protocol below `/v1_1/:cloud/:resource_type`: `POST …/upload`, `POST …/destroy`, and
 * `GET …/download` of a private file.
 */
export function uploadApi({ media, faults, cloud, key, secret, addressOf }: UploadApiParts): Router {
  const router = Router();
  const injectFault = (operation: StorageOperation) =>
    faultInjector(faults, (res, status) => fail(res, status, "Scripted fault"))(operation);
  const receive = multer({
    storage: multer.diskStorage({
      destination: media.incoming,
      filename: (_req, _file, done) => done(null, randomId("", 20)),
    }),
    limits: { fileSize: 100 * 1024 * 1024, files: 1, fields: 100 },
  });

  /** Returns the signed parameters. It refuses an invalid request and returns undefined. */
  const authentic = (req: Request, res: Response): Record<string, string> | undefined => {
    const parameters = Parameters.safeParse({ ...req.body });
    if (req.params.cloud !== cloud) fail(res, 401, `Unknown cloud name ${req.params.cloud}`);
    else if (!parameters.success) fail(res, 400, "Invalid parameters");
    else {
      const fault = signatureFault(parameters.data, key, secret);
      if (fault !== null) fail(res, 401, fault);
      else {
        const unsupported = unsupportedParameter(parameters.data);
        if (unsupported === undefined) return parameters.data;
        fail(res, 400, unsupported);
      }
    }
    return undefined;
  };

  router.post("/v1_1/:cloud/:resourceType/upload", injectFault("upload"), receive.single("file"), async (req, res) => {
    let uploaded = req.file?.path;
    try {
      const parameters = authentic(req, res);
      if (!parameters) return;
      if (isPart(req)) return fail(res, 400, "Uploads in parts are not supported");
      uploaded ??= await inlineFile(parameters.file, media.incoming);
      if (uploaded === undefined) {
        const address = parameters.file;
        return fail(res, 400, address ? `Error in loading ${address}` : "Missing required parameter - file");
      }
      const resourceType = await resolveType(String(req.params.resourceType), uploaded);
      if (!resourceType) return fail(res, 400, `Invalid resource type ${req.params.resourceType}`);
      const publicId = PublicId.safeParse(publicIdOf(parameters, resourceType, req.file?.originalname));
      if (!publicId.success) return fail(res, 400, `Invalid public_id ${parameters.public_id}`);

      const type = deliveryTypeOf(parameters);
      const before = media.find(resourceType, publicId.data, type);
      if (before && isFalse(parameters.overwrite)) {
        res.json({ ...uploadReply(before, addressOf(before)), existing: true });
        return;
      }
      const tags = (parameters.tags ?? "").split(",").filter(Boolean);
      const asset = await media.keep(uploaded, { resourceType, type, publicId: publicId.data, tags });
      if (!asset) return fail(res, 400, "Invalid image file");
      res.json({ ...uploadReply(asset, addressOf(asset)), ...(before ? { overwritten: true } : {}) });
    } finally {
      if (uploaded !== undefined) await rm(uploaded, { force: true });
    }
  });

  router.post("/v1_1/:cloud/:resourceType/destroy", injectFault("destroy"), receive.none(), async (req, res) => {
    const parameters = authentic(req, res);
    if (!parameters) return;
    const resourceType = z.enum(["image", "raw", "video"]).safeParse(req.params.resourceType);
    if (!resourceType.success) return fail(res, 400, `Invalid resource type ${req.params.resourceType}`);
    const removed = await media.remove(resourceType.data, parameters.public_id ?? "", deliveryTypeOf(parameters));
    res.json({ result: removed ? "ok" : "not found" });
  });

  router.get("/v1_1/:cloud/:resourceType/download", injectFault("download"), (req, res) => {
    const { cloud: asked, resourceType } = req.params;
    const parameters = Parameters.safeParse({ ...req.query });
    if (asked !== cloud) return fail(res, 401, `Unknown cloud name ${asked}`);
    if (!parameters.success) return fail(res, 400, "Invalid parameters");
    const fault = downloadFault(parameters.data, key, secret);
    if (fault !== null) return fail(res, 401, fault);
    const kind = z.enum(["image", "raw", "video"]).safeParse(resourceType);
    const { public_id: publicId = "", attachment = "" } = parameters.data;
    const asset = kind.success ? media.find(kind.data, publicId, deliveryTypeOf(parameters.data)) : undefined;
    if (!asset) return fail(res, 404, `Resource not found - ${publicId}`);
    sendAsset(res, media, asset, { isDownload: attachment === "true", isPrivate: true });
  });

  router.use("/v1_1", (_req, res) => fail(res, 404, "Not found"));
  router.use("/v1_1", (error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (error instanceof multer.MulterError) fail(res, 400, error.message);
    else next(error);
  });
  return router;
}

const deliveryTypeOf = ({ type }: Record<string, string>): DeliveryType => (type === "private" ? "private" : "upload");

/** True for a request with a part of a large file. */
function isPart(req: Request): boolean {
  const [, start, end, size] = /^bytes (\d+)-(\d+)\/(-?\d+)$/.exec(req.get("content-range") ?? "") ?? [];
  return start !== undefined && !(start === "0" && Number(end) + 1 === Number(size));
}

/** Builds the public id from the given id, or else from the file's name on request, or else from random characters. */
function publicIdOf(parameters: Record<string, string>, resourceType: ResourceType, fileName = "file"): string {
  const { public_id, folder, use_filename = "false", unique_filename, filename_override = fileName } = parameters;
  const suffix = isFalse(unique_filename) ? "" : `_${randomId("", 6).toLowerCase()}`;
  const { name, ext } = parse(filename_override.replace(/[^\p{L}\p{N}._-]+/gu, "_"));
  const fromFile = `${name}${suffix}${resourceType === "raw" ? ext : ""}`;
  const id = public_id ?? (isFalse(use_filename) ? randomId("", 20).toLowerCase() : fromFile);
  return folder ? `${folder}/${id}` : id;
}

function isFalse(flag: string | undefined): boolean {
  return flag === "false" || flag === "0";
}

/** Reads content from a `data:` address. It does not fetch remote addresses. */
async function inlineFile(file: string | undefined, folder: string): Promise<string | undefined> {
  const encoded = /^data:[^,]*;base64,(.*)$/s.exec(file ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const path = join(folder, randomId("", 20));
  await writeFile(path, Buffer.from(encoded, "base64"));
  return path;
}

async function resolveType(asked: string, uploaded: string): Promise<ResourceType | undefined> {
  if (asked === "image" || asked === "raw" || asked === "video") return asked;
  if (asked !== "auto") return undefined;
  const mime = (await fileTypeFromFile(uploaded))?.mime ?? "";
  if (mime.startsWith("image/") || mime === "application/pdf") return "image";
  return /^(video|audio)\//.test(mime) ? "video" : "raw";
}

function uploadReply(asset: Asset, address: string): Record<string, unknown> {
  return {
    asset_id: asset.file.slice(0, 32),
    public_id: asset.publicId,
    version: asset.version,
    version_id: asset.etag,
    ...(asset.format === "" ? {} : { format: asset.format }),
    resource_type: asset.resourceType,
    created_at: asset.createdAt,
    tags: asset.tags,
    bytes: asset.bytes,
    type: asset.type,
    etag: asset.etag,
    placeholder: false,
    url: address,
    secure_url: address,
  };
}

/** Builds the provider's error shape. */
function fail(res: Response, status: number, message: string): void {
  res.status(status).json({ error: { message } });
}
