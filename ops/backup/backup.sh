#!/bin/sh
# Dumps a replica set to a dated file and deletes older ones. For cron or a CronJob; docs/backup.md tells the rest.
#   MONGODB_URI  address of the replica set, without a database
#   BACKUP_DIR   folder of the dumps
#   KEEP_DAYS    age in days after which a dump is deleted; 14 when unset
#   METRICS_DIR  folder of node_exporter's textfile collector; no metric when unset
set -eu
umask 077
: "${MONGODB_URI:?}" "${BACKUP_DIR:?}"
dump="$BACKUP_DIR/lyceum-$(date -u +%Y-%m-%dT%H%M%SZ).gz"
config=$(mktemp)
trap 'rm -f "$config" "$dump.part"' EXIT
trap 'exit 1' HUP INT TERM
# A file, because everyone on the machine may read the arguments of a process.
printf 'uri: "%s"\n' "$MONGODB_URI" > "$config"
mongodump --config "$config" --oplog --gzip --archive="$dump.part"
gzip -t "$dump.part"
mv "$dump.part" "$dump"
echo "backup: $dump"
# Only after a success, so that a backup that keeps failing deletes nothing.
find "$BACKUP_DIR" -name 'lyceum-*.gz' -mmin "+$((${KEEP_DAYS:-14} * 1440))" -exec rm -f {} +
if [ -n "${METRICS_DIR:-}" ]; then
  metric="$METRICS_DIR/lyceum_backup.prom"
  echo "lyceum_backup_completed_timestamp_seconds $(date +%s)" > "$metric.part"
  chmod 644 "$metric.part"
  mv "$metric.part" "$metric"
fi
