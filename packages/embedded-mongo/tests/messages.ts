import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { deserialize, serialize } from "bson";
import type { Document } from "mongodb";

/** Opens a connection that the test can cut at any time. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Encodes a message with request id 7. `length` is the length in its header. */
export function message(opcode: number, body: Uint8Array, length = body.length + 16): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(opcode, 12);
  return Buffer.concat([head, body]);
}

export function opMsg(command: Document, flags = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(flags);
  return message(2013, Buffer.concat([head, serialize(command)]));
}

/** Sends one raw command and returns its reply, because a driver would add session fields. */
export async function replyOn(socket: Socket, command: Document): Promise<Document> {
  socket.write(opMsg(command));
  const [reply] = await once(socket, "data");
  return deserialize(reply.subarray(21));
}
