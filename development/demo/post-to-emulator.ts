/** Sends data to the developer routes of an emulator. It sends nothing to a real provider, which has no such routes. */
export async function postToEmulator(address: string | undefined, path: string, body: object): Promise<void> {
  if (address === undefined || new URL(address).hostname !== "127.0.0.1") return;
  const headers = { "content-type": "application/json" };
  const reply = await fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`The emulator at ${address} refused ${path}: ${await reply.text()}`);
}
