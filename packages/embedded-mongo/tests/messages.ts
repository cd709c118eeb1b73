import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { deserialize, serialize } from "bson";
import type { Document } from "mongodb";

/** A connection that may be cut at any moment. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** One message with the request id 7; `length` is what its header says. */
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

/** The reply to one command, which is sent as it is: drivers add what they know of sessions. */
export async function replyOn(socket: Socket, command: Document): Promise<Document> {
  socket.write(opMsg(command));
  const [reply] = await once(socket, "data");
  return deserialize(reply.subarray(21));
}
