import { Buffer } from "node:buffer";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { UploadApiOptions } from "cloudinary";
import { expect, test, vi } from "vitest";
import type { Emulators } from "../src/index.js";
import { started, startedEmulators, temporaryFolder } from "./start.js";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

type Uploader = typeof import("cloudinary")["v2"]["uploader"];

/** Imports the SDK after `CLOUDINARY_URL` is set, because it reads the variable on import. */
async function signingClient({ env }: Emulators) {
  vi.stubEnv("CLOUDINARY_URL", env.CLOUDINARY_URL ?? "");
  const { v2: cloudinary } = await import("cloudinary");
  cloudinary.config(true);
  return { cloudinary };
}

async function uploaderFor(emulators: Emulators): Promise<Uploader> {
  return (await signingClient(emulators)).cloudinary.uploader;
}

function upload(uploader: Uploader, content: Buffer, options: UploadApiOptions): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    uploader
      .upload_stream({ timeout: 2000, ...options }, (error, result) => (result ? resolve(result) : reject(error)))
      .end(content);
  });
}

async function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "it was accepted",
    (error: unknown) => error,
  );
}

test("an image is uploaded, described, and served to every user at its address", async () => {
  const emulators = await startedEmulators();
  const uploader = await uploaderFor(emulators);
  const stored = await upload(uploader, png, { resource_type: "image", folder: "courses", public_id: "intro" });
  expect(stored).toMatchObject({
    public_id: "courses/intro",
    format: "png",
    bytes: png.length,
    resource_type: "image",
  });
  expect(stored.secure_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/lyceum\/image\/upload\/v\d+\/courses\/intro\.png$/);
  const served = await fetch(String(stored.secure_url));
  expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    "content-type": "image/png",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
});

test("a raw file of several megabytes keeps its bytes, and its name decides how it is served", async () => {
  const emulators = await startedEmulators();
  const uploader = await uploaderFor(emulators);
  const content = Buffer.alloc(3 * 1024 * 1024, "certificate ");
  const served = async (publicId: string) => {
    const { secure_url } = await upload(uploader, content, { resource_type: "raw", public_id: publicId });
    const response = await fetch(String(secure_url));
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    return response.headers.get("content-type");
  };
  expect(await served("certificates/a b.pdf")).toBe("application/pdf");
  expect(await served("page.html")).toBe("application/octet-stream");
});

test("an upload under a known id replaces the file at every address it ever had", async () => {
  const emulators = await startedEmulators();
  const uploader = await uploaderFor(emulators);
  const options = { resource_type: "raw", public_id: "certificates/one.pdf" } as const;
  const first = await upload(uploader, Buffer.from("first"), options);
  const second = await upload(uploader, Buffer.from("second"), { ...options, overwrite: true });
  expect(second.version).not.toBe(first.version);
  for (const { secure_url } of [first, second]) {
    expect(await (await fetch(String(secure_url))).text()).toBe("second");
  }
  const third = await upload(uploader, Buffer.from("third"), { ...options, overwrite: false });
  expect(third).toMatchObject({ existing: true, version: second.version });
  expect(started(emulators.cloudinary).assets()).toHaveLength(1);
});

test("an upload in another format leaves no file of the former one", async () => {
  const dataDir = await temporaryFolder();
  const emulators = await startedEmulators({ dataDir });
  const uploader = await uploaderFor(emulators);
  const options = { resource_type: "image", public_id: "logo", overwrite: true } as const;
  await upload(uploader, png, options);
  await upload(uploader, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), options);
  const [logo, ...others] = started(emulators.cloudinary).assets();
  expect([logo?.format, others]).toEqual(["svg", []]);
  expect((await readdir(join(dataDir, "media"))).sort()).toEqual([".incoming", logo?.file]);
});

test("content in the place of a file part is kept, and leaves nothing when it is refused", async () => {
  const dataDir = await temporaryFolder();
  const emulators = await startedEmulators({ dataDir });
  const uploader = await uploaderFor(emulators);
  const send = (bytes: Buffer) =>
    uploader.upload(`data:image/png;base64,${bytes.toString("base64")}`, { resource_type: "image", public_id: "x" });
  expect(await refusal(send(Buffer.from("text")))).toMatchObject({ http_code: 400 });
  await expect.poll(() => readdir(join(dataDir, "media", ".incoming"))).toEqual([]);
  expect(await send(png)).toMatchObject({ public_id: "x", bytes: png.length });
});

test("an upload keeps its tags; a large one in parts and one from another address are refused", async () => {
  const emulators = await startedEmulators();
  const uploader = await uploaderFor(emulators);
  const tagged = await upload(uploader, png, { public_id: "tagged", tags: ["a", "b"], invalidate: true });
  expect(tagged.tags).toEqual(["a", "b"]);
  const large = await new Promise<unknown>((resolve) => {
    const options = { resource_type: "raw" as const, chunk_size: 5_000_000 };
    uploader.upload_chunked_stream(options, (error) => resolve(error)).end(Buffer.alloc(6_000_000));
  });
  expect(large).toMatchObject({ http_code: 400, message: expect.stringContaining("parts are not supported") });
  const remote = refusal(uploader.upload("https://example.com/a.png"));
  expect(await remote).toMatchObject({ http_code: 400, message: expect.stringContaining("Error in loading") });
  expect(started(emulators.cloudinary).assets()).toHaveLength(1);
});

test("a file without an id is named after the file on request, and settings that change nothing are accepted", async () => {
  const emulators = await startedEmulators();
  const uploader = await uploaderFor(emulators);
  const path = join(await temporaryFolder(), "intro lesson.png");
  await writeFile(path, png);
  const idOf = async (options: UploadApiOptions) => (await uploader.upload(path, options)).public_id;
  expect(await idOf({ use_filename: true, unique_filename: false, folder: "a" })).toBe("a/intro_lesson");
  expect(await idOf({ use_filename: true, unique_filename: false, resource_type: "raw" })).toBe("intro_lesson.png");
  expect(await idOf({ use_filename: true, filename_override: "talk.png" })).toMatch(/^talk_[0-9a-z]{6}$/);
  expect(await idOf({ use_filename: false, unique_filename: false })).toMatch(/^[0-9a-z]{20}$/);
  const settings = { asset_folder: "courses", display_name: "Intro", access_mode: "public" as const };
  expect(await idOf({ public_id: "own", use_filename: true, unique_filename: true, ...settings })).toBe("own");
});

test("a removed file is gone, and removing it again says so", async () => {
  const emulators = await startedEmulators();
  const uploader = await uploaderFor(emulators);
  const stored = await upload(uploader, png, { resource_type: "image", public_id: "gone" });
  expect(await uploader.destroy("gone", { resource_type: "image" })).toEqual({ result: "ok" });
  expect((await fetch(String(stored.secure_url))).status).toBe(404);
  expect(await uploader.destroy("gone", { resource_type: "image" })).toEqual({ result: "not found" });
});

test.each([
  ["a wrong secret", { api_secret: "wrong" }, { http_code: 401, message: /Invalid Signature/ }],
  ["an unknown key", { api_key: "000" }, { http_code: 401, message: /Unknown API key/ }],
  ["another cloud", { cloud_name: "elsewhere" }, { http_code: 401, message: /Unknown cloud/ }],
  ["an old timestamp", { timestamp: 1_600_000_000 }, { http_code: 401, message: /Stale request/ }],
  ["an id that climbs out", { public_id: "../../outside" }, { http_code: 400, message: /Invalid public_id/ }],
  ["an eager transformation", { eager: [{ width: 100 }] }, { http_code: 400, message: /eager is not supported/ }],
  [
    "a transformation",
    { transformation: { width: 9 } },
    { http_code: 400, message: /transformation is not supported/ },
  ],
  ["an upload preset", { upload_preset: "mine" }, { http_code: 400, message: /Upload preset not found/ }],
  [
    "a restricted access",
    { access_mode: "authenticated" },
    { http_code: 400, message: /access_mode is not supported/ },
  ],
  ["an authenticated type", { type: "authenticated" }, { http_code: 400, message: /type is not supported/ }],
  ["an image that is none", { resource_type: "image" }, { http_code: 400, message: /Invalid image file/ }],
])("an upload with %s is refused and leaves nothing", async (_case, options, expected) => {
  const emulators = await startedEmulators();
  const uploader = await uploaderFor(emulators);
  const error = await refusal(
    upload(uploader, Buffer.from("text"), { resource_type: "raw", public_id: "x", ...options } as UploadApiOptions),
  );
  expect(error).toMatchObject({ http_code: expected.http_code, message: expect.stringMatching(expected.message) });
  expect(started(emulators.cloudinary).assets()).toEqual([]);
});

test("a signature holds for the very parameters it was made for", async () => {
  const emulators = await startedEmulators();
  const { cloudinary } = await signingClient(emulators);
  const timestamp = Math.floor(Date.now() / 1000);
  const { api_key, api_secret } = cloudinary.config();
  const signature = cloudinary.utils.api_sign_request({ public_id: "mine", timestamp }, api_secret ?? "");
  const send = async (publicId: string) => {
    const form = new FormData();
    form.set("file", new Blob(["text"]), "file.txt");
    const fields = { api_key: String(api_key), timestamp: String(timestamp), signature, public_id: publicId };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return (await fetch(`${started(emulators.cloudinary).url}/v1_1/lyceum/raw/upload`, { method: "POST", body: form }))
      .status;
  };
  expect(await send("theirs")).toBe(401);
  expect(await send("mine")).toBe(200);
});

test("an upload may fail, be slow, or be stored without its reply arriving", async () => {
  const emulators = await startedEmulators();
  const uploader = await uploaderFor(emulators);
  const storage = started(emulators.cloudinary);
  const send = () => upload(uploader, png, { resource_type: "image", public_id: "x" });
  storage.faults.add({ kind: "error", on: "upload", times: 1 });
  expect(await refusal(send())).toMatchObject({ http_code: 500 });
  storage.faults.add({ kind: "cut", on: "upload", times: 1 });
  await expect(send()).rejects.toBeDefined();
  expect(storage.assets()).toEqual([]);
  storage.faults.add({ kind: "lost-reply", on: "upload", times: 1 });
  await expect(send()).rejects.toBeDefined();
  expect(storage.assets()).toHaveLength(1);
  storage.faults.add({ kind: "slow", ms: 20, on: "upload", times: 1 });
  expect(await send()).toMatchObject({ overwritten: true });
});

test("files and their addresses survive a restart", async () => {
  const dataDir = await temporaryFolder();
  const before = await startedEmulators({ dataDir });
  const stored = await upload(await uploaderFor(before), png, { resource_type: "image", public_id: "kept" });
  await before.close();
  await startedEmulators({ dataDir });
  expect(Buffer.from(await (await fetch(String(stored.secure_url))).arrayBuffer()).equals(png)).toBe(true);
});

test("a private file is served only at a signed address, and only until it expires", async () => {
  const emulators = await startedEmulators();
  const { cloudinary } = await signingClient(emulators);
  const options = { resource_type: "raw", type: "private" } as const;
  const stored = await upload(cloudinary.uploader, Buffer.from("a,b"), { ...options, public_id: "resources/t.csv" });
  expect(stored).toMatchObject({ type: "private", public_id: "resources/t.csv" });
  expect((await fetch(String(stored.secure_url))).status).toBe(404);
  expect((await fetch(String(stored.secure_url).replace("/private/", "/upload/"))).status).toBe(404);

  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
  const signed = (seconds: number) =>
    cloudinary.utils.private_download_url("resources/t.csv", "", {
      ...options,
      attachment: true,
      expires_at: inSeconds(seconds),
    });
  const served = await fetch(signed(600));
  expect(served.status).toBe(200);
  expect(await served.text()).toBe("a,b");
  expect(Object.fromEntries(served.headers)).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": "attachment; filename=t.csv",
    "cache-control": "private, no-store",
  });
  for (const address of [
    signed(-1),
    signed(600).replace(/expires_at=\d+/, `expires_at=${inSeconds(9_000)}`),
    signed(600).replace("t.csv", "u.csv"),
    signed(600).replace(/signature=\w+/, "signature="),
    signed(600).replace(/api_key=\w+/, "api_key=another"),
  ]) {
    expect({ address, status: (await fetch(address)).status }).toEqual({ address, status: 401 });
  }

  expect(await cloudinary.uploader.destroy("resources/t.csv", { resource_type: "raw" })).toEqual({
    result: "not found",
  });
  expect(await cloudinary.uploader.destroy("resources/t.csv", options)).toEqual({ result: "ok" });
  expect((await fetch(signed(600))).status).toBe(404);
});
