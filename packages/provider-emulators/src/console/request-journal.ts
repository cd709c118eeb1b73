import { EventEmitter } from "node:events";
import { z } from "zod";

const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };

const Line = z.looseObject({
  level: z.union([
    z.number(),
    z.enum(Object.keys(levels) as (keyof typeof levels)[]).transform((name) => levels[name]),
  ]),
  time: z.union([z.string(), z.number()]),
  msg: z.string().default(""),
  requestId: z.string(),
});
const Completed = z.object({
  req: z.object({ method: z.string(), path: z.string() }),
  res: z.object({ status: z.number() }),
  responseTime: z.number(),
});

export interface LogLine {
  /** The number of the level: 30 is info, 40 a warning, 50 an error. */
  level: number;
  time: string;
  message: string;
  /** Other fields of the line. */
  fields: Record<string, unknown>;
}

/** A request to the application with its log lines. */
export interface LoggedRequest {
  requestId: string;
  method: string;
  path: string;
  /** Status of the reply. Like `milliseconds`, it is null until the reply is complete. */
  status: number | null;
  milliseconds: number | null;
  time: string;
  lines: LogLine[];
}

const maxRequests = 300;
const maxLines = 50;

/** Collects the newest requests from the application's log, whose lines are JSON with a `requestId`. */
export class RequestJournal {
  readonly #requests = new Map<string, LoggedRequest>();
  readonly #changes = new EventEmitter().setMaxListeners(0);

  /** Oldest first. */
  list(): readonly LoggedRequest[] {
    return [...this.#requests.values()];
  }

  clear(): void {
    this.#requests.clear();
  }

  /** Adds a line of the log. It ignores lines that are not JSON. */
  record(line: string): void {
    const parsed = Line.safeParse(jsonOf(line));
    if (!parsed.success) return;
    const { level, time, msg, requestId, ...rest } = parsed.data;
    const at = new Date(time).toISOString();
    const request = this.#requests.get(requestId) ?? this.#begin(requestId, at);
    const completed = Completed.safeParse(rest);
    if (completed.success) {
      const { req, res, responseTime } = completed.data;
      Object.assign(request, { method: req.method, path: req.path, status: res.status, milliseconds: responseTime });
    }
    const { req, res, responseTime, ...fields } = rest;
    if (request.lines.length < maxLines) request.lines.push({ level, time: at, message: msg, fields });
    this.#changes.emit("change", request);
  }

  /** Calls `listener` with every new or changed request. @returns a function that unsubscribes. */
  onChange(listener: (request: LoggedRequest) => void): () => void {
    this.#changes.on("change", listener);
    return () => void this.#changes.off("change", listener);
  }

  #begin(requestId: string, time: string): LoggedRequest {
    const request = { requestId, method: "", path: "", status: null, milliseconds: null, time, lines: [] };
    this.#requests.set(requestId, request);
    for (const oldest of this.#requests.keys()) {
      if (this.#requests.size <= maxRequests) break;
      this.#requests.delete(oldest);
    }
    return request;
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
