import { Buffer } from "node:buffer";
import type { UploadApiOptions } from "cloudinary";
import { beforeEach, expect, test, vi } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.js";
import { startedSandbox } from "./start.js";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

type Uploader = typeof import("cloudinary")["v2"]["uploader"];

beforeEach(() => {
  vi.resetModules();
});

/** The real SDK; it reads `CLOUDINARY_URL` when it is loaded, so it is loaded anew for every sandbox. */
async function uploaderFor({ variables }: Sandbox): Promise<Uploader> {
  vi.stubEnv("CLOUDINARY_URL", variables.CLOUDINARY_URL ?? "");
  const { v2 } = await import("cloudinary");
  v2.config(true);
  return v2.uploader;
}

function upload(uploader: Uploader, content: Buffer, options: UploadApiOptions): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    uploader
      .upload_stream({ timeout: 2000, ...options }, (error, result) => (result ? resolve(result) : reject(error)))
      .end(content);
  });
}

test("an image is uploaded, served to everybody and described", async () => {
  const sandbox = await startedSandbox();
  const uploader = await uploaderFor(sandbox);
  const reply = await upload(uploader, png, { resource_type: "image", public_id: "courses/intro & more" }).catch(
    (error: unknown) => error,
  );
  expect(reply).toMatchObject({ http_code: 400 });
  const stored = await upload(uploader, png, { resource_type: "image", folder: "courses", public_id: "intro" });
  expect(stored).toMatchObject({
    public_id: "courses/intro",
    format: "png",
    bytes: png.length,
    resource_type: "image",
  });
  const served = await fetch(String(stored.secure_url));
  expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    "content-type": "image/png",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
});
