/** Run as a process of its own: reads every entry of the database file named by its argument. Exit code 3: see stderr. */
import * as zlib from "node:zlib";
import { open } from "lmdb";

const env = open({
  path: process.argv[2] ?? "",
  noSubdir: true,
  keyEncoding: "binary",
  encoding: "binary",
  readOnly: true,
});
for (const { key, value } of env.getRange({})) {
  const stored = value.readUInt32BE();
  if (stored !== 0 && zlib.crc32 !== undefined && zlib.crc32(value.subarray(4), zlib.crc32(key)) !== stored) {
    process.stderr.write(`an entry of store ${key.readUInt32BE()} does not match its checksum`);
    process.exit(3);
  }
}
