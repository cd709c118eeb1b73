import type { Faults, TransportFault } from "../faults.js";
import type { Asset } from "./media.js";

/** Cloudinary's emulator: signed uploads, stored files, public addresses. */
export interface CloudinaryEmulator {
  readonly url: string;
  /** Lists stored files by id, with their public addresses. */
  assets(): readonly (Asset & { url: string })[];
  readonly faults: Faults<TransportFault>;
  close(): Promise<void>;
}
