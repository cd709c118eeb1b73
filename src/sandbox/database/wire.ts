import { Double } from "bson";
import { DatabaseError } from "./errors.js";
import { type Document, decode, encode, setField } from "./values.js";

export const MAX_MESSAGE_BYTES = 48_000_000;
const HEADER_BYTES = 16;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** Flag bits below 16 must be understood; exhaustAllowed (16) may be ignored. */
const REQUIRED_FLAGS = 0xffff;

/** One command as it came, with its document sequences put into the body as arrays. */
export interface Request {
  id: number;
  legacy: boolean;
  body: Document;
  /** The client waits for no reply. */
  silent: boolean;
}

/** Malformed bytes: the connection cannot go on. */
export class ProtocolError extends Error {}

/** Cuts whole messages off the front of what a connection has sent. */
export class MessageReader {
  private chunks: Buffer[] = [];
  private held = 0;

  /** @throws ProtocolError for a length no message can have. */
  *take(chunk: Buffer): Generator<Buffer> {
    this.chunks.push(chunk);
    this.held += chunk.length;
    while (this.held >= 4) {
      const length = this.front(4).readInt32LE();
      if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) {
        throw new ProtocolError(`a message cannot be ${length} bytes long`);
      }
      if (this.held < length) {
        return;
      }
      const all = this.front(length);
      this.chunks = all.length > length ? [all.subarray(length)] : [];
      this.held -= length;
      yield all.subarray(0, length);
    }
  }

  /** The first chunk, joined with the next ones until it has that many bytes. */
  private front(bytes: number): Buffer {
    let first = this.chunks[0] ?? Buffer.alloc(0);
    if (first.length < bytes) {
      first = Buffer.concat(this.chunks);
      this.chunks = [first];
    }
    return first;
  }
}

/** @throws ProtocolError for another opcode or a malformed message. */
export function parseMessage(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const opcode = message.readInt32LE(12);
  try {
    if (opcode === OP_MSG) {
      return parseMsg(message, id);
    }
    if (opcode === OP_QUERY) {
      return parseQuery(message, id);
    }
  } catch (error) {
    throw new ProtocolError(error instanceof Error ? error.message : "malformed message");
  }
  throw new ProtocolError(`opcode ${opcode} is not served`);
}

function documentAt(message: Buffer, at: number, end: number): Buffer {
  const length = message.readInt32LE(at);
  if (length < 5 || at + length > end) {
    throw new ProtocolError("a document does not fit its message");
  }
  return message.subarray(at, at + length);
}

function cstringAt(message: Buffer, at: number, end: number): string {
  const zero = message.indexOf(0, at);
  if (zero < 0 || zero >= end) {
    throw new ProtocolError("a name does not fit its message");
  }
  return message.toString("utf8", at, zero);
}

function parseMsg(message: Buffer, id: number): Request {
  const flags = message.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0) {
    throw new ProtocolError(`unknown required flags ${flags}`);
  }
  const end = message.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : 4);
  let body: Document | undefined;
  const sequences: [string, Document[]][] = [];
  for (let at = HEADER_BYTES + 4; at < end; ) {
    const kind = message[at];
    at += 1;
    if (kind === 0 && body === undefined) {
      const bytes = documentAt(message, at, end);
      body = decode(bytes);
      at += bytes.length;
    } else if (kind === 1) {
      const size = message.readInt32LE(at);
      const sectionEnd = at + size;
      if (size < 5 || sectionEnd > end) {
        throw new ProtocolError("a document sequence does not fit its message");
      }
      const name = cstringAt(message, at + 4, sectionEnd);
      const documents: Document[] = [];
      for (let next = at + 5 + Buffer.byteLength(name); next < sectionEnd; ) {
        const bytes = documentAt(message, next, sectionEnd);
        documents.push(decode(bytes));
        next += bytes.length;
      }
      sequences.push([name, documents]);
      at = sectionEnd;
    } else {
      throw new ProtocolError(`section kind ${kind} cannot be here`);
    }
  }
  if (body === undefined) {
    throw new ProtocolError("a message without a body");
  }
  for (const [name, documents] of sequences) {
    if (Object.hasOwn(body, name)) {
      throw new ProtocolError(`${name} is given twice`);
    }
    setField(body, name, documents);
  }
  return { id, legacy: false, body, silent: (flags & MORE_TO_COME) !== 0 };
}

/** The handshake of drivers: `isMaster` as a query of `admin.$cmd`. */
function parseQuery(message: Buffer, id: number): Request {
  const collection = cstringAt(message, HEADER_BYTES + 4, message.length);
  if (!collection.endsWith(".$cmd")) {
    throw new ProtocolError("legacy queries are not served");
  }
  const at = HEADER_BYTES + 4 + Buffer.byteLength(collection) + 1 + 8;
  const body = decode(documentAt(message, at, message.length));
  return { id, legacy: true, body: { ...body, $db: collection.slice(0, -".$cmd".length) }, silent: false };
}

/** The bytes of a reply to a request; `document` is one encoded document. */
export function replyMessage({ id, legacy }: Request, document: Buffer): Buffer {
  const head = Buffer.alloc(legacy ? HEADER_BYTES + 20 : HEADER_BYTES + 5);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) {
    head.writeInt32LE(8, HEADER_BYTES);
    head.writeInt32LE(1, HEADER_BYTES + 16);
  }
  return Buffer.concat([head, document]);
}

/** The reply's shape for a refusal. */
export function errorReply(error: unknown): Document {
  const refusal =
    error instanceof DatabaseError
      ? error
      : new DatabaseError(1, error instanceof Error ? error.message : String(error));
  return { ok: 0, errmsg: refusal.message, code: refusal.code, codeName: refusal.codeName, ...refusal.details };
}

/** `{ cursor: { <name>: [documents], id, ns }, ok: 1 }` around documents that are already encoded. */
export function cursorReply(
  name: "firstBatch" | "nextBatch",
  documents: readonly Buffer[],
  id: bigint,
  namespace: string,
): Buffer {
  const parts: Buffer[] = [];
  for (const [at, document] of documents.entries()) {
    parts.push(Buffer.from(`\x03${at}\0`, "latin1"), document);
  }
  const batch = wrap(parts);
  const idAndNamespace = encode({ ns: namespace }).subarray(4, -1);
  const idElement = Buffer.alloc(12);
  idElement.write("\x12id\0", "latin1");
  idElement.writeBigInt64LE(id, 4);
  const cursor = wrap([Buffer.from(`\x04${name}\0`, "latin1"), batch, idElement, idAndNamespace]);
  return wrap([Buffer.from("\x03cursor\0", "latin1"), cursor, encode({ ok: new Double(1) }).subarray(4, -1)]);
}

/** A document around encoded elements. */
function wrap(elements: readonly Buffer[]): Buffer {
  const length = elements.reduce((sum, part) => sum + part.length, 5);
  const head = Buffer.alloc(4);
  head.writeInt32LE(length);
  return Buffer.concat([head, ...elements, Buffer.from([0])], length);
}
