import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";

/**
 * Options for `createServer` with which requests and responses are made with the prototypes that the application gives
 * them. Express changes the prototype of each otherwise, and an object whose prototype was changed is slow from then on:
 * `GET /` costs 2.1 times as much CPU, and a course 1.4 times. Express's guide "Overriding the Express API" names
 * `Object.setPrototypeOf` as the way to replace `app.request` and `app.response`; there is no other one.
 */
export function classesOf(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse<ExpressRequest> {}
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
