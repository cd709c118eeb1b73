import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { singleFlights } from "../../lib/single-flight.js";
import { cursorLimitMs } from "../../models/command-limit.js";
import { statusListAddress } from "./describe-credential.js";
import { type CredentialDeps, entriesPerList } from "./find-credential.js";

/** The entries of a list as an instance knows them, and the signed text that says so. */
interface KnownList {
  readonly version: number;
  readonly bits: Buffer;
  readonly text: string;
}

/** Number of lists that an instance keeps, 20 kB each. Verifiers mostly ask for few. */
const maxKnown = 50;

/** How long before its making a list is valid. */
const minuteMs = 60_000;

/** Number of ended entries that one reply of the database holds. */
const batchSize = 10_000;

/** Sets the bit of an entry. The first entry is the most significant bit of the first byte. */
export function setBit(bits: Buffer, index: number): void {
  const byte = index >> 3;
  bits[byte] = (bits[byte] ?? 0) | (0x80 >> (index & 7));
}

/**
 * Creates a function that returns the signed text of a status list; undefined when there is no such list. It asks for the
 * version of the list each time, so that a change shows at once on every instance. It reads and signs only after a change.
 */
export function createStatusLists({
  db,
  config,
  issuer,
}: CredentialDeps): (list: number) => Promise<string | undefined> {
  const known = new LRUCache<number, KnownList>({ max: maxKnown });
  const share = singleFlights<string | undefined>(maxKnown);

  async function read(list: number): Promise<string | undefined> {
    const row = await db.StatusList.findById(list, { version: 1 }).lean();
    if (!row) return undefined;
    const before = known.get(list);
    if (before?.version === row.version) return before.text;
    const bits = before ? Buffer.from(before.bits) : Buffer.alloc(entriesPerList / 8);
    const changed = { list, version: { $gt: before?.version ?? 0 } };
    const ended = db.EndedEntry.find(changed, { index: 1, _id: 0 }).maxTimeMS(cursorLimitMs).lean();
    for await (const { index } of ended.cursor({ batchSize })) setBit(bits, index);
    const text = JSON.stringify(await issuer.sign(await describeList(list, bits)));
    known.set(list, { version: row.version, bits, text });
    return text;
  }

  async function describeList(list: number, bits: Buffer): Promise<object> {
    const id = statusListAddress(config.backendUrl, list);
    const encodedList = `u${(await promisify(gzip)(bits)).toString("base64url")}`;
    return {
      "@context": ["https://www.w3.org/ns/credentials/v2"],
      id,
      type: ["VerifiableCredential", "BitstringStatusListCredential"],
      issuer: issuer.did,
      // Whose clock is behind, or who began to verify before the list was made, can read it, too.
      validFrom: new Date(Date.now() - minuteMs).toISOString(),
      credentialSubject: { id: `${id}#list`, type: "BitstringStatusList", statusPurpose: "revocation", encodedList },
    };
  }

  return (list) => share(String(list), () => read(list));
}
