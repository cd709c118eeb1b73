import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import mongoose from "mongoose";

const { EJSON } = mongoose.mongo.BSON;

/** Addresses of public files in the media emulator, on any port. */
const mediaAddress = /http:\/\/127\.0\.0\.1:\d{1,5}(?=\/lyceum\/(?:image|video|raw)\/upload\/)/g;

/** Replaces the port of the media emulator in a text. @param address its scheme, host and port now. */
export const useMediaAddress = (text: string, address: string): string => text.replaceAll(mediaAddress, address);

/**
 * Brings stored addresses of the media emulator up to date after its port changed, so that images, films and PDFs still
 * load. It reads every document, unless the data folder says that the port is the one of before. No server may be writing.
 * @param address scheme, host and port of the emulator now. @returns how many documents changed.
 */
export async function moveMediaAddresses(uri: string, address: string, dataDir: string): Promise<number> {
  const file = join(dataDir, "media-address");
  if ((await readFile(file, "utf8").catch(() => "")) === address) return 0;
  const client = await mongoose.mongo.MongoClient.connect(uri);
  let moved = 0;
  try {
    for (const collection of await client.db().collections()) {
      for await (const document of collection.find({}, { promoteValues: false })) {
        const text = EJSON.stringify(document, { relaxed: false });
        const current = useMediaAddress(text, address);
        if (current === text) continue;
        await collection.replaceOne({ _id: document._id }, EJSON.parse(current, { relaxed: false }));
        moved += 1;
      }
    }
  } finally {
    await client.close();
  }
  // Written last, so that a start after a crash reads the documents again.
  await writeFile(file, address);
  return moved;
}
