import { Histogram, type Registry } from "prom-client";

type Method = (...args: unknown[]) => unknown;

/** Copies a provider's client and measures its asynchronous calls. `isFailure` tells a failure among the results. */
type MeasureCalls = <C extends object>(provider: string, client: C, isFailure?: (result: unknown) => boolean) => C;

/** Creates a function that measures the calls of providers. */
export function createCallMeasure(metrics: Registry): MeasureCalls {
  const seconds = new Histogram({
    name: "lyceum_provider_request_duration_seconds",
    help: "Time that a call of a provider took",
    labelNames: ["provider", "operation", "outcome"],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [metrics],
  });
  return (provider, client, isFailure = () => false) => {
    const measured = (operation: string, method: Method): Method => {
      return (...args) => {
        const called = method.apply(client, args);
        if (!(called instanceof Promise)) return called;
        const end = seconds.startTimer({ provider, operation });
        called.then(
          (result) => end({ outcome: isFailure(result) ? "error" : "ok" }),
          () => end({ outcome: "error" }),
        );
        return called;
      };
    };
    const members = Object.entries(client).map(([name, member]) => [
      name,
      typeof member === "function" ? measured(name, member as Method) : member,
    ]);
    return Object.fromEntries(members);
  };
}
