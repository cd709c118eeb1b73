import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";

/**
 * Options for `createServer` with which requests and responses are made with the prototypes that the application gives
 * them. Express changes the prototype of each otherwise, and an object whose prototype was changed is slow from then on.
 */
export function classesOf(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse<ExpressRequest> {}
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
