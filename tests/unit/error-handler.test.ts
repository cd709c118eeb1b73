import express from "express";
import { pino } from "pino";
import request from "supertest";
import { expect, test } from "vitest";
import { errorHandler } from "../../src/http/pipeline/error-handler.js";

test.each([true, false])(
  "what went wrong outside the routes is logged, and never told (detail: %s)",
  async (detail) => {
    const lines: string[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
    const app = express();
    app.use(() => {
      throw new Error("the secret is 42");
    });
    app.use(errorHandler(log, { detail }));
    await request(app).get("/").expect(500, { success: false, message: "Internal server error" });
    expect(lines.join("")).toContain("the secret is 42");
  },
);
