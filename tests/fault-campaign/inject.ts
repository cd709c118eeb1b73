import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { mongo } from "mongoose";
import type { CommandFailure, Fault } from "./schedule.js";
import type { Disturbance } from "./system/fault-proxy.js";
import type { System } from "./system/system.js";

/** Starts a fault. @returns a function that ends it, or undefined when this system does not support it. */
export async function begin(system: System, fault: Fault): Promise<(() => Promise<void> | void) | undefined> {
  const { servers, emulators, database } = system;
  switch (fault.kind) {
    case "kill":
    case "restart": {
      const { process } = servers[fault.server];
      const down = process.down(fault.kind === "kill" ? "SIGKILL" : "SIGTERM");
      return async () => {
        await down;
        process.start();
      };
    }
    case "stop": {
      const { process } = servers[fault.server];
      process.signal("SIGSTOP");
      return () => process.signal("SIGCONT");
    }
    case "clock": {
      const { clockFile } = servers[fault.server];
      await writeFile(clockFile, String(fault.shiftMs));
      return () => writeFile(clockFile, "0");
    }
    case "cut":
      servers[fault.server].proxies[fault.place].cut();
      return () => undefined;
    case "refuse":
    case "delay":
    case "black hole":
    case "half answers": {
      const proxy = servers[fault.server].proxies[fault.place];
      const end = proxy.disturb(disturbanceOf(fault));
      if (fault.kind === "refuse") proxy.cut();
      return end;
    }
    case "webhooks": {
      const { tricks } = emulators[fault.provider];
      const usual = { suppress: false, copies: 1, delayMs: 0, reorder: false };
      const unusual = {
        lost: { suppress: true },
        copies: { copies: 20 },
        late: { delayMs: 3_000 },
        reordered: { reorder: true },
      };
      Object.assign(tricks, unusual[fault.trick]);
      return () => {
        Object.assign(tricks, usual);
        // Redeliver withheld messages, because the provider retries for a day.
        const provider = emulators[fault.provider];
        for (const { id, state } of provider.deliveries()) if (state === "withheld") void provider.redeliver(id);
      };
    }
    case "provider": {
      const { faults } = emulators[fault.provider];
      return faults.add({ kind: fault.fault, times: 3 });
    }
    case "mail server":
      return emulators.mail.faults.add({ kind: fault.fault, times: 5 });
    case "failing commands":
      if (!database) return undefined;
      await configureFailures(system, { times: fault.times }, failures[fault.failure]);
      return () => configureFailures(system, "off");
    case "kill database":
      if (!database) return undefined;
      await database.down("SIGKILL");
      return () => database.start();
  }
}

function disturbanceOf(fault: Fault): Disturbance {
  if (fault.kind === "delay") return { delayMs: fault.delayMs };
  if (fault.kind === "half answers") return { answerBytes: fault.bytes };
  return fault.kind === "refuse" ? { refuse: true } : { blackHole: true };
}

const writes = ["insert", "update", "findAndModify", "delete"];
/** Failures apply to the servers only, so that the checks still work. */
const appName = "campaign";

/** Failures with MongoDB's own codes and labels. */
const failures: Readonly<Record<CommandFailure, object>> = {
  "write conflict": { failCommands: writes, errorCode: 112, errorLabels: ["TransientTransactionError"], appName },
  "conflict at commit": {
    ...{ failCommands: ["commitTransaction"], errorCode: 112, errorLabels: ["TransientTransactionError"], appName },
  },
  "commit unknown, done": {
    ...{ failCommands: ["commitTransaction"], appName, errorLabels: ["UnknownTransactionCommitResult"] },
    writeConcernError: { code: 64, errmsg: "waiting for replication timed out" },
  },
  "commit cut": { failCommands: ["commitTransaction"], closeConnection: true, appName },
  "not primary": { failCommands: [...writes, "find"], errorCode: 10107, appName },
  "insert cut": { failCommands: ["insert", "findAndModify"], closeConnection: true, appName },
};

async function configureFailures({ db }: System, mode: "off" | { times: number }, data: object = {}): Promise<void> {
  const command = { configureFailPoint: "failCommand", mode, ...(mode === "off" ? {} : { data }) };
  // The database may be down at this moment, and then no command fails on demand either.
  for (let left = 20; left > 0; left -= 1) {
    try {
      await db.Course.db.getClient().db("admin").command(command);
      return;
    } catch (error) {
      if (error instanceof mongo.MongoServerError && mode !== "off") throw error;
      await pause(100);
    }
  }
}
