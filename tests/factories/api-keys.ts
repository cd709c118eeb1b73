import type { SignedIn, TestServer } from "../server/test-server.js";

export interface MadeKey {
  readonly apiKey: { readonly _id: string; readonly prefix: string; readonly [field: string]: unknown };
  readonly secret: string;
}

/** Creates a key through the API. @param as the owner's role. */
export async function createKey(
  server: TestServer,
  owner: SignedIn,
  as: "educator" | "admin",
  fields: object = {},
): Promise<MadeKey> {
  const body = { name: "Warehouse", scopes: ["courses:read"], ...fields };
  const { status, body: made } = await server.post(`/api/${as}/api-keys`, body, owner.token);
  if (status !== 200) throw new Error(`a key was refused: ${JSON.stringify(made)}`);
  return made;
}
