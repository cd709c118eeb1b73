import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { developmentPorts, startEmulators } from "@lyceum/provider-emulators";
import { dataFolder, parseConfig, secretsOf } from "../config.js";
import { CommandError, createLog, environment, run } from "../process.js";
import { findDevelopmentServer } from "./development-server.js";

/**
 * `npm run seed`: loads the demo data into the development platform, the running one if there is one. May be repeated;
 * refuses production.
 */
async function main(): Promise<void> {
  const env = environment();
  if (env.NODE_ENV === "production") throw new CommandError("The demo data is not for production");
  const running = await findDevelopmentServer(env);
  const sandbox = running
    ? undefined
    : await startEmulators(env, {
        dataDir: dataFolder(env),
        ports: developmentPorts,
        database: startDevelopmentDatabase,
      });
  // Before what follows is loaded: one of the SDKs reads its variable at that moment.
  Object.assign(env, (running ?? sandbox)?.variables);
  const { compose } = await import("../compose.js");
  const { loadDemo } = await import("../demo/load-demo.js");
  const { prepareDatabase } = await import("../server.js");

  const config = parseConfig(env);
  await prepareDatabase(config.mongodbUri);
  const { deps, close } = await compose(config, createLog("warn", secretsOf(config)));
  await loadDemo(deps);
  const [courses, users] = await Promise.all([deps.db.Course.countDocuments(), deps.db.User.countDocuments()]);
  await close();
  await sandbox?.close();
  process.stdout.write(`The demo data is there: ${courses} courses and ${users} people in all.\n`);
}

run(main);
