import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";
import LongestFirst from "./tests/server/longest-first.js";

const conditions = ["lyceum-source", ...defaultServerConditions];

export default defineConfig({
  // Packages of this repository are tested from their sources.
  // The global setup has an environment of its own.
  environments: { __vitest__: { resolve: { conditions } } },
  ssr: { resolve: { conditions } },
  test: {
    include: ["tests/**/*.test.ts", "packages/*/tests/**/*.test.ts"],
    globalSetup: ["tests/server/run-database.ts"],
    // The media SDK chooses between http and https when it is loaded; the emulator is on http.
    env: {
      CLOUDINARY_URL: "cloudinary://key:secret@lyceum?upload_prefix=http%3A%2F%2F127.0.0.1%3A9",
      CLERK_TELEMETRY_DISABLED: "1",
    },
    // A busy machine may take its time; what comes true sooner is seen sooner.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // More workers than small machines have cores: many tests wait for a deadline, a lease or a process.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    // Files of one worker share what they import: loading the server takes longer than most files run.
    isolate: false,
  },
});
