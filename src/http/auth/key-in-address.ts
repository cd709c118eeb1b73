import type { RequestHandler } from "express";
import { Unauthenticated } from "../../lib/errors.js";

declare global {
  namespace Express {
    interface Request {
      /** Whether the client sent an API key in the address. */
      hasKeyInAddress?: boolean;
    }
  }
}

const key = /lyc_(?:live|test)_[A-Za-z0-9]{16}_[A-Za-z0-9_-]{43}/g;
const keyLength = 69;

/** An ASCII character in percent-encoding. `%256C` is `l` that was encoded twice. */
const encoded = /%(?:25)*([0-7][0-9a-f])/gi;

/** Replaces API keys in the address, however often they are encoded, before any log line can show them. */
export const maskKeyInAddress: RequestHandler = (req, _res, next) => {
  if (req.url.length > keyLength) {
    const decoded = req.url.replace(encoded, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
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
