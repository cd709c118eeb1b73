/**
 * Records spans of requests, database commands and provider calls with OpenTelemetry. Log lines name the trace.
 *
 *   npm install --no-save @opentelemetry/sdk-node @opentelemetry/instrumentation-{http,express,mongodb,undici,pino}
 *   OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 OTEL_SERVICE_NAME=lyceum \
 *     node --import ./ops/tracing.mjs dist/main.js
 */
import { register } from "node:module";
import { ExpressInstrumentation, ExpressLayerType } from "@opentelemetry/instrumentation-express";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { MongoDBInstrumentation } from "@opentelemetry/instrumentation-mongodb";
import { PinoInstrumentation } from "@opentelemetry/instrumentation-pino";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { NodeSDK } from "@opentelemetry/sdk-node";

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  // Express and pino are imported as modules, which this hook lets OpenTelemetry see.
  register("@opentelemetry/instrumentation/hook.mjs", import.meta.url);
  const sdk = new NodeSDK({
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url }) => /^\/(healthz|readyz|metrics)$/.test(url ?? ""),
      }),
      // Names the span of a request after its route, and makes no span of each step on the way to it.
      new ExpressInstrumentation({
        ignoreLayersType: [ExpressLayerType.MIDDLEWARE, ExpressLayerType.ROUTER, ExpressLayerType.REQUEST_HANDLER],
      }),
      // Without the values of a command, which are personal data.
      new MongoDBInstrumentation({ enhancedDatabaseReporting: false }),
      new UndiciInstrumentation(),
      new PinoInstrumentation({ disableLogSending: true }),
    ],
  });
  sdk.start();
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => sdk.shutdown().catch(() => undefined));
}
