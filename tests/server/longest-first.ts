import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest test files. One of them at the end would keep the other workers idle. */
const longest = [
  "tests/browser/reference.test.ts",
  "tests/browser/console.test.ts",
  "tests/development/start.test.ts",
  "packages/embedded-mongo/tests/durability.test.ts",
  "tests/http/every-route.test.ts",
  "tests/faults/payments/crash.test.ts",
  "tests/growth/long-lists.test.ts",
  "tests/faults/payments/reconcile.test.ts",
  "tests/faults/process/shutdown.test.ts",
  "tests/privacy/erase.test.ts",
  "tests/faults/selling/selling-crash.test.ts",
  "tests/client.test.ts",
  "tests/faults/community/crash.test.ts",
  "tests/api/community/pages.test.ts",
  "tests/api/chat/chat-order.test.ts",
];

/** Sorts the slowest files first. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
