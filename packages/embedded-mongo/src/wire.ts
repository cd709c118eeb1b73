import assert from "node:assert/strict";
import { type Document, decode } from "./language/values.js";

export const MAX_MESSAGE_BYTES = 48_000_000;
/** Limit of the writes in one command, so that a reply can hold all their errors. */
export const MAX_WRITES = 1000;
const HEADER_BYTES = 16;
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
/** Flag bits 2 to 15 are required. Bit 16 (exhaustAllowed) can be ignored. */
const [CHECKSUM_PRESENT, MORE_TO_COME, UNKNOWN_FLAGS] = [1, 2, 0xfffc];

/** One command, with its document sequences as arrays in the body. */
export interface Request {
  id: number;
  legacy: boolean;
  body: Document;
  /** True when the client expects no reply. */
  silent: boolean;
}

/** Yields the requests of a connection. @throws Error for malformed bytes, after which the connection must end. */
export async function* requestsIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Request> {
  let waiting: Buffer[] = [];
  let [held, needed] = [0, 4];
  for await (const chunk of chunks) {
    waiting.push(chunk);
    held += chunk.length;
    while (held >= needed) {
      const all = Buffer.concat(waiting);
      needed = all.readInt32LE();
      assert(needed >= HEADER_BYTES && needed <= MAX_MESSAGE_BYTES, "no message has this length");
      waiting = [all];
      if (held < needed) break;
      yield parseMessage(all.subarray(0, needed));
      waiting = [all.subarray(needed)];
      held -= needed;
      needed = 4;
    }
  }
}

/** Accepts OP_MSG and the handshake of drivers, an `isMaster` query on `admin.$cmd`. */
function parseMessage(message: Buffer): Request {
  const [id, opcode] = [message.readInt32LE(4), message.readInt32LE(12)];
  if (opcode === OP_MSG) return { id, legacy: false, ...parseMsg(message) };
  const collection = name(message, HEADER_BYTES + 4);
  assert(opcode === OP_QUERY && collection.endsWith(".$cmd"), "neither legacy queries nor other opcodes are served");
  const [body = {}] = documentsIn(message.subarray(HEADER_BYTES + 4 + Buffer.byteLength(collection) + 9));
  assert(/^(hello|ismaster)$/i.test(Object.keys(body)[0] ?? ""), "a query is for the handshake alone");
  return { id, legacy: true, body: { ...body, $db: collection.slice(0, -".$cmd".length) }, silent: false };
}

function name(message: Buffer, at: number): string {
  const end = message.indexOf(0, at);
  assert(end >= 0, "a name does not fit its message");
  return message.toString("utf8", at, end);
}

/** Reads the part of a message that begins with its own length. */
function readSized(message: Buffer, at: number): Buffer {
  const length = message.readInt32LE(at);
  assert(length >= 5 && at + length <= message.length, "a section does not fit its message");
  return message.subarray(at, at + length);
}

function documentsIn(bytes: Buffer): Document[] {
  const documents: Document[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) documents.push(decode(readSized(bytes, at)));
  return documents;
}

function parseMsg(message: Buffer): { body: Document; silent: boolean } {
  const flags = message.readUInt32LE(HEADER_BYTES);
  assert((flags & UNKNOWN_FLAGS) === 0, "unknown required flags");
  const end = message.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : 4);
  const bodies: Document[] = [];
  const sequences: [string, Document[]][] = [];
  for (let at = HEADER_BYTES + 4; at < end; ) {
    const section = readSized(message.subarray(0, end), at + 1);
    assert(message[at] === 0 || message[at] === 1, "unknown kind of section");
    if (message[at] === 0) bodies.push(decode(section));
    else sequences.push([name(section, 4), documentsIn(section.subarray(section.indexOf(0, 4) + 1))]);
    at += 1 + section.length;
  }
  const [body] = bodies;
  assert(body !== undefined && bodies.length === 1, "a message has one body");
  const names = [...Object.keys(body), ...sequences.map(([field]) => field)];
  assert(new Set(names).size === names.length, "a field is given twice");
  return { body: { ...body, ...Object.fromEntries(sequences) }, silent: (flags & MORE_TO_COME) !== 0 };
}

/** Encodes the reply to a request. `document` is one encoded document. */
export function replyMessage({ id, legacy }: Request, document: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES + (legacy ? 20 : 5));
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) head.writeInt32LE(1, HEADER_BYTES + 16);
  return Buffer.concat([head, document]);
}
