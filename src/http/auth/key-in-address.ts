import type { RequestHandler } from "express";
import { Unauthenticated } from "../../lib/errors.js";

const key = /lyc_(?:live|test)_[A-Za-z0-9]{16}_[A-Za-z0-9_-]{43}/g;
const keyLength = 69;

/** An ASCII character in percent-encoding. */
const encoded = /%([0-7][0-9a-f])/gi;

/** Decodes the ASCII characters of an address until none is encoded. Each round makes the address shorter. */
function decode(address: string): string {
  const decoded = address.replace(encoded, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return decoded === address ? address : decode(decoded);
}

/** Replaces API keys in the address, however often they are encoded, before any log line can show them. */
export const maskKeyInAddress: RequestHandler = (req, _res, next) => {
  if (req.url.length > keyLength) {
    const decoded = decode(req.url);
    if (decoded.search(key) !== -1) {
      req.hasKeyInAddress = true;
      req.url = req.originalUrl = encodeURI(decoded).replace(key, "[secret]");
    }
  }
  next();
};

/** Refuses API keys in addresses, because addresses are stored in logs and histories. @throws Unauthenticated. */
export const refuseKeyInAddress: RequestHandler = (req, _res, next) => {
  if (req.hasKeyInAddress) throw Unauthenticated();
  next();
};
