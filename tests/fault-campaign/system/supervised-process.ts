import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export interface ProcessOptions {
  readonly file: string;
  /** Node's options before the file. */
  readonly nodeOptions?: readonly string[];
  readonly words?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Receives standard output and standard error. */
  readonly logFile: string;
  /** Checks whether the process works. */
  isUp(): Promise<boolean>;
}

const restartMs = 200;

/** Keeps a process running as a supervisor does, unless it was stopped on purpose. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private wanted = false;

  constructor(private readonly options: ProcessOptions) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  start(): void {
    this.wanted = true;
    if (this.child) return;
    const { file, nodeOptions = [], words = [], env, logFile } = this.options;
    const log = openSync(logFile, "a");
    const child = spawn(process.execPath, [...nodeOptions, file, ...words], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.child = child;
    child.once("exit", () => {
      this.child = undefined;
      if (this.wanted) setTimeout(() => this.wanted && this.start(), restartMs).unref();
    });
  }

  /** Waits until the process works. @throws Error after the time limit. */
  async up(withinMs: number): Promise<void> {
    for (const end = performance.now() + withinMs; ; await pause(50)) {
      if (await this.isUp()) return;
      if (performance.now() > end) throw new Error(`${this.options.file} does not work: see ${this.options.logFile}`);
    }
  }

  isUp(): Promise<boolean> {
    return this.options.isUp();
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** Stops the process until `start`. */
  async down(name: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.wanted = false;
    const { child } = this;
    if (!child) return;
    child.kill("SIGCONT");
    child.kill(name);
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}
