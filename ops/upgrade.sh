#!/bin/sh
# Replaces the instances of compose.yaml one after the other by the version of this folder, then runs the migrations.
# An instance that is not ready in time stops the upgrade, and the other one goes on with the old version.
#   READY_SECONDS  longest wait for an instance; 1800 when unset, because a start may create indexes
set -eu
cd "$(dirname "$0")/.."
compose() { docker compose --env-file production.env "$@"; }
is_ready() {
  compose exec -T "$1" env -u NODE_OPTIONS node -e \
    'fetch("http://127.0.0.1:3000/readyz").then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))'
}
REVISION=$(git rev-parse HEAD)
export REVISION
compose build server-1
for instance in server-1 server-2; do
  compose up --detach --no-deps --no-build "$instance"
  end=$(($(date +%s) + ${READY_SECONDS:-1800}))
  until is_ready "$instance"; do
    if [ "$(date +%s)" -ge "$end" ]; then
      echo "upgrade: $instance is not ready; read its log: docker compose --env-file production.env logs $instance" >&2
      exit 1
    fi
    sleep 1
  done
  # The proxy learns the new address within 2 s.
  sleep "${SETTLE_SECONDS:-5}"
done
compose exec -T server-1 env -u NODE_OPTIONS node dist/cli/migrate.js
echo "upgrade: $REVISION"
