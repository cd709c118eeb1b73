import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** What operations see of the AI provider, by purpose of the call. */
export function aiMetrics(registry: Registry, now: { inFlight(): number; refusing(): boolean }) {
  const registers = [registry];
  new Gauge({
    name: "lyceum_ai_requests_in_flight",
    help: "Requests to the AI provider that are under way",
    registers,
    collect() {
      this.set(now.inFlight());
    },
  });
  new Gauge({
    name: "lyceum_ai_circuit_open",
    help: "1 while AI calls are refused because the provider keeps failing",
    registers,
    collect() {
      this.set(now.refusing() ? 1 : 0);
    },
  });
  return {
    attempts: new Counter({
      name: "lyceum_ai_requests_total",
      help: "Requests to the AI provider by outcome: answered, unusable, unavailable, cancelled, refused",
      labelNames: ["purpose", "outcome"],
      registers,
    }),
    seconds: new Histogram({
      name: "lyceum_ai_request_duration_seconds",
      help: "Time that a request to the AI provider took",
      labelNames: ["purpose"],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60],
      registers,
    }),
    tokens: new Counter({
      name: "lyceum_ai_tokens_total",
      help: "Tokens as the provider counted them",
      labelNames: ["purpose", "kind"],
      registers,
    }),
  };
}
