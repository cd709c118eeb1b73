import type { RequestHandler } from "express";
import { Unauthenticated } from "../../lib/errors.js";

const key = /lyc_(?:live|test)_[A-Za-z0-9]{16}_[A-Za-z0-9_-]{43}/g;
const keyLength = 69;

/** An ASCII character in percent-encoding. Its percent sign may be encoded too, any number of times: `%252579`. */
const encoded = /%(?:25)*([0-7][0-9a-f])/gi;

/** Number of times that an address is decoded, so that the work grows no faster than the address. */
const rounds = 3;

/** Decodes the ASCII characters of an address. */
function decode(address: string): string {
  let decoded = address;
  for (let round = 0; round < rounds && decoded.includes("%"); round += 1) {
    decoded = decoded.replace(encoded, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return decoded;
}

/** Replaces API keys in the address, also encoded ones, before any log line can show them. */
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
