import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express, { type Response, Router } from "express";
import { developerAccess, loopbackOnly } from "./developer-access.js";
import { errorReply } from "./error-reply.js";
import { faultInjector, faultRoutes } from "./fault-routes.js";
import { type Faults, type TransportFault, transportFaults } from "./faults.js";
import { pathIn } from "./json-file.js";
import type { LocalServer } from "./local-server.js";
import type { CloudinaryEmulator } from "./storage/cloudinary-emulator.js";
import { type Asset, Media } from "./storage/media.js";
import { sendAsset } from "./storage/send-asset.js";
import { uploadApi } from "./storage/upload-api.js";

export interface StorageOptions {
  server: LocalServer;
  /** Folder of the emulator's state, or undefined to keep it in memory. */
  folder: string | undefined;
  /** Folder of the stored files. Without it they are in a temporary folder, which `close` removes. */
  mediaFolder: string | undefined;
  cloud: string;
  key: string;
  secret: string;
  frontend: string;
}

export async function startStorage(options: StorageOptions): Promise<CloudinaryEmulator> {
  const { server, cloud } = options;
  const mediaFolder = options.mediaFolder ?? (await mkdtemp(join(tmpdir(), "emulated-media-")));
  const media = await Media.open(mediaFolder, pathIn(options.folder, "media.json"));
  const faults = transportFaults();
  const addressOf = (asset: Asset): string => {
    const name = asset.publicId.split("/").map(encodeURIComponent).join("/");
    const extension = asset.format === "" ? "" : `.${asset.format}`;
    return `${server.url}/${cloud}/${asset.resourceType}/${asset.type}/v${asset.version}/${name}${extension}`;
  };

  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(options.frontend));
  app.use("/dev", express.json());
  const emulator: CloudinaryEmulator = {
    url: server.url,
    faults,
    assets: () => media.list().map((asset) => ({ ...asset, url: addressOf(asset) })),
    async close() {
      await server.close();
      if (options.mediaFolder === undefined) await rm(mediaFolder, { recursive: true, force: true });
    },
  };
  app.use(developerAccess(options.frontend), faultRoutes(faults), storageDeveloperRoutes(emulator));
  app.use(uploadApi({ media, faults, cloud, key: options.key, secret: options.secret, addressOf }));
  app.use(delivery(media, cloud, faults));
  app.use(errorReply);
  server.serve(app);
  return emulator;
}

/** `GET /dev/assets` lists the stored files. */
export function storageDeveloperRoutes(storage: CloudinaryEmulator): Router {
  const router = Router();
  router.get("/dev/assets", (_req, res) => {
    res.json({ assets: storage.assets() });
  });
  return router;
}

/** Serves files publicly. The version in the address is only a cache key: every version returns the newest content. */
function delivery(media: Media, cloud: string, faults: Faults<TransportFault>): Router {
  const router = Router();
  const injectFault = faultInjector(faults, (res, status) => void res.status(status).end());
  router.get("/:cloud/:resourceType/upload{/*rest}", injectFault("serve"), (req, res) => {
    const rest = [req.params.rest ?? []].flat();
    const name = (/^v\d+$/.test(rest[0] ?? "") ? rest.slice(1) : rest).join("/");
    const asset = req.params.cloud === cloud ? findAsset(media, req.params.resourceType, name) : undefined;
    if (!asset) return notFound(res);
    sendAsset(res, media, asset);
  });
  return router;
}

/** Builds the public path. Images and videos get their format as extension; a raw file's id has one already. */
function findAsset(media: Media, resourceType: string | undefined, name: string): Asset | undefined {
  if (resourceType === "raw") return media.find("raw", name);
  if (resourceType !== "image" && resourceType !== "video") return undefined;
  return media.find(resourceType, name) ?? media.find(resourceType, name.replace(/\.[a-z0-9]+$/i, ""));
}

function notFound(res: Response): void {
  res.status(404).type("text/plain").send("Resource not found");
}
