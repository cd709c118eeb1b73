import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { RequestHandler } from "express";

interface Trace {
  readonly traceId: string;
  /** Of this request, in hexadecimal. */
  readonly spanId: string;
  /** As they were given, in hexadecimal. */
  readonly flags: string;
  readonly state: string | undefined;
}

const traces = new AsyncLocalStorage<Trace>();

/** W3C Trace Context: version, trace id, id of the caller's span, flags. Later versions may have more parts. */
const wellFormed = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;
const longestState = 512;

/** OpenTelemetry's SDK, where it was loaded ahead of the server, continues, logs and passes on traces itself. */
const instrumented = () => Symbol.for("opentelemetry.js.api.1") in globalThis;

/**
 * Continues the trace that a request belongs to. Without a well-formed `traceparent` nothing is begun: following a
 * request through its promises costs time.
 */
export function traceContext(): RequestHandler {
  const apart = instrumented();
  return (req, _res, next) => {
    const trace = apart ? undefined : readTrace(req.headers.traceparent, req.headers.tracestate);
    if (!trace) return next();
    traces.run(trace, next);
  };
}

function readTrace(parent: string | string[] | undefined, state: string | string[] | undefined): Trace | undefined {
  const [, version, traceId, flags, more] = (typeof parent === "string" && wellFormed.exec(parent)) || [];
  if (!traceId || !flags || (version === "00" && more !== undefined)) return undefined;
  const kept = typeof state === "string" && state.length <= longestState ? state : undefined;
  return { traceId, spanId: randomBytes(8).toString("hex"), flags, state: kept };
}

/** The headers that let a provider's part of the work belong to the trace of the request that is served. */
export function traceHeaders(): Record<string, string> {
  const trace = traces.getStore();
  if (!trace) return {};
  const { traceId, spanId, flags, state } = trace;
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state ? { tracestate: state } : {}) };
}

/** What a log line says of the trace of the request that is served. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const trace = traces.getStore();
  return trace ? { trace_id: trace.traceId, span_id: trace.spanId } : {};
}
