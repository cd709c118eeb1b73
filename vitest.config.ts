import { availableParallelism } from "node:os";
import { defaultServerConditions } from "vite";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import LongestFirst from "./tests/server/longest-first.js";

const conditions = ["lyceum-source", ...defaultServerConditions];

/** Tests that need processes, faults, browsers or long runs. */
const system = [
  "tests/{bounds,browser,contract-fuzz,development,fault-campaign,faults,growth,linearizability}/**/*.test.ts",
  "tests/{migrations,operations,packages,recount}/**/*.test.ts",
  "tests/{client,integrations,regular-expressions}.test.ts",
  "tests/api/courses/structured-data.test.ts",
];

function project(name: string, include: string[], exclude: string[] = []): TestProjectInlineConfiguration {
  return {
    // Packages of this repository are tested from their sources.
    // The global setup has an environment of its own.
    environments: { __vitest__: { resolve: { conditions } } },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include,
      exclude: [...configDefaults.exclude, ...exclude],
      // The media SDK chooses between http and https when it is loaded; the emulator is on http.
      env: {
        CLOUDINARY_URL: "cloudinary://key:secret@lyceum?upload_prefix=http%3A%2F%2F127.0.0.1%3A9",
        CLERK_TELEMETRY_DISABLED: "1",
      },
      // A busy machine may take its time; what comes true sooner is seen sooner.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 20_000 } },
      // Files of one worker share what they import, and a server.
      isolate: false,
    },
  };
}

export default defineConfig({
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    projects: [
      project("server", ["tests/**/*.test.ts"], system),
      project("packages", ["packages/*/tests/**/*.test.ts"]),
      project("system", system),
    ],
    globalSetup: ["tests/server/run-database.ts"],
    // One more than cores, because tests also wait.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
  },
});
