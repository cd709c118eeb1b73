/**
 * Run as a process of its own, which a damaged file may end: reads every entry of the database file named by its argument,
 * then tries a write and takes it back. Exit code 3: see standard error.
 */
import { statSync, truncateSync } from "node:fs";
import * as zlib from "node:zlib";
import { ABORT, open } from "lmdb";

const path = process.argv[2] ?? "";
const options = { path, noSubdir: true, keyEncoding: "binary", encoding: "binary" };

function complain(text) {
  process.stderr.write(text);
  process.exit(3);
}

const reading = open({ ...options, readOnly: true });
const { lastPageNumber, pageSize, entryCount } = reading.getStats();
let seen = 0;
if (statSync(path).size < (lastPageNumber + 1) * pageSize) {
  // Pages never written may be missing at the end; pages that are needed then read as zeros instead of ending the process.
  truncateSync(path, (lastPageNumber + 1) * pageSize);
}
for (const { key, value } of reading.getRange({})) {
  seen += 1;
  const stored = value.readUInt32BE();
  if (stored !== 0 && zlib.crc32 !== undefined && zlib.crc32(value.subarray(4), zlib.crc32(key)) !== stored) {
    complain(`an entry of store ${key.readUInt32BE()} does not match its checksum`);
  }
}
await reading.close();
if (seen !== entryCount) {
  complain(`${seen} of ${entryCount} entries can be read`);
}

const writing = open(options);
writing.transactionSync(() => {
  for (let at = 0; at < 64; at += 1) {
    writing.put(Buffer.from([0xff, 0xff, 0xff, 0xff, at]), Buffer.alloc(3000));
  }
  return ABORT;
});
await writing.close();
