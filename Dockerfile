# Node 24 (active LTS) for amd64 and arm64. A tag can move, a digest cannot; for a newer image:
# docker buildx imagetools inspect node:24-bookworm-slim
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553

# Build: every dependency, then the compiled server. The other packages serve development only.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/certificate-pdf ./packages/certificate-pdf
RUN npm ci --workspace packages/certificate-pdf --include-workspace-root
COPY tsconfig.json tsconfig.build.json ./
COPY ops ./ops
COPY src ./src
RUN npm run build

# Run: production dependencies only, as an unprivileged user.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/certificate-pdf/package.json ./packages/certificate-pdf/
COPY --from=build /app/packages/certificate-pdf/dist ./packages/certificate-pdf/dist
COPY ops/prune-modules.mjs ./ops/
RUN npm ci --omit=dev --workspace packages/certificate-pdf --include-workspace-root && npm cache clean --force \
    && node ops/prune-modules.mjs
# TRACING=on adds OpenTelemetry. It records traces when OTEL_EXPORTER_OTLP_ENDPOINT is set.
ARG TRACING
COPY ops/tracing.mjs ./ops/
RUN if [ -n "$TRACING" ]; then npm install --prefix ops --no-save --no-package-lock \
      @opentelemetry/sdk-node@0.301.0 @opentelemetry/instrumentation@0.301.0 \
      @opentelemetry/instrumentation-http@0.301.0 @opentelemetry/instrumentation-express@0.72.0 \
      @opentelemetry/instrumentation-mongodb@0.77.0 @opentelemetry/instrumentation-undici@0.34.0 \
      @opentelemetry/instrumentation-pino@0.70.0 && npm cache clean --force; fi
ENV NODE_OPTIONS=${TRACING:+--import=/app/ops/tracing.mjs}
COPY --from=build /app/dist ./dist
# docker build --build-arg VERSION=1.2.3 --build-arg REVISION=$(git rev-parse HEAD)
ARG VERSION
ARG REVISION
ENV REVISION=${REVISION}
LABEL org.opencontainers.image.title="lyceum" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
USER node
EXPOSE 3000
# Whether the process lives: a server whose database is away recovers by itself and must not be replaced.
HEALTHCHECK --interval=30s --timeout=3s CMD ["env", "-u", "NODE_OPTIONS", "node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Young objects have 16 MB at most: a list of a million rows then grows the process by its batches alone.
CMD ["node", "--min-semi-space-size=16", "--max-semi-space-size=16", "--no-allocation-site-pretenuring", "dist/main.js"]
