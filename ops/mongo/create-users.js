// mongosh runs this once, when the database is created. Each user has a password of its own, and no more rights than it needs.
const admin = db.getSiblingDB("admin");
const { MONGO_PASSWORD, MONGO_BACKUP_PASSWORD, MONGO_EXPORTER_PASSWORD } = process.env;
admin.createUser({ user: "lyceum", pwd: MONGO_PASSWORD, roles: [{ role: "readWrite", db: "lyceum" }] });
admin.createUser({ user: "backup", pwd: MONGO_BACKUP_PASSWORD, roles: ["backup"] });
admin.createUser({
  user: "exporter",
  pwd: MONGO_EXPORTER_PASSWORD,
  roles: ["clusterMonitor", { role: "read", db: "local" }],
});
