// mongosh runs this once, when the database is created. Every user has the rights of its purpose alone.
const admin = db.getSiblingDB("admin");
const { MONGO_PASSWORD: pwd } = process.env;
admin.createUser({ user: "lyceum", pwd, roles: [{ role: "readWrite", db: "lyceum" }] });
admin.createUser({ user: "backup", pwd, roles: ["backup"] });
admin.createUser({ user: "exporter", pwd, roles: ["clusterMonitor", { role: "read", db: "local" }] });
