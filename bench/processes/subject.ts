import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpuOf } from "./proc.js";

/** A program of `bench/subjects` in a process of its own. */
export interface Subject {
  readonly url: string;
  readonly pid: number;
  /** Microseconds of CPU (user and system) since its start. */
  cpu(): Promise<number>;
  /** Calls `handlers[name]` of the process. */
  ask<T>(name: string, argument?: unknown): Promise<T>;
  end(): Promise<void>;
}

/** Starts a program, which calls `serveSubject`. @param flags of node. */
export async function startSubject(file: string, argument: unknown = null, flags: string[] = []): Promise<Subject> {
  const child = fork(file, [JSON.stringify(argument)], {
    execArgv: [...flags, "-C", "lyceum-source", "--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  const pid = child.pid ?? 0;
  let last = 0;
  const ask = <T>(name: string, value?: unknown): Promise<T> => {
    const id = ++last;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        child.off("message", listen);
        child.off("exit", ended);
      };
      const ended = (): void => {
        stop();
        reject(new Error(`${file} ended`));
      };
      const listen = (message: { id: number; answer: T; error?: string }): void => {
        if (message.id !== id) return;
        stop();
        if (message.error === undefined) resolve(message.answer);
        else reject(new Error(`${file}: ${message.error}`));
      };
      child.on("message", listen);
      child.on("exit", ended);
      child.send({ id, name, value: value ?? null });
    });
  };
  return { url, pid, cpu: () => cpuOf(pid), ask, end: () => endChild(child) };
}

async function endChild(child: ChildProcess): Promise<void> {
  if (!child.connected) return;
  child.send({ id: 0, name: "end", value: null });
  await once(child, "exit");
}

/** The other side of `startSubject`, in the child: announces the URL and answers questions. */
export function serveSubject(
  url: string,
  handlers: Record<string, (value: never) => unknown>,
  close: () => Promise<void>,
): void {
  process.on("message", async ({ id, name, value }: { id: number; name: string; value: never }) => {
    if (name === "end") {
      await close();
      process.exit(0);
    }
    try {
      process.send?.({ id, answer: (await handlers[name]?.(value)) ?? null });
    } catch (error) {
      process.send?.({ id, error: String(error) });
    }
  });
  // Nothing outlives the bench, however that ended.
  process.on("disconnect", () => process.exit(1));
  process.send?.({ url });
}
