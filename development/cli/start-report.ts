interface Started {
  /** Address of the server. */
  url: string;
  console: string | undefined;
  rows: readonly { provider: string; kind: string; address: string }[];
  /** The preferred port of each address. */
  wantedPorts: Readonly<Record<string, number>>;
  seconds: number;
  frontendOrigin: string;
  relaxedRateLimits: boolean;
}

/** Describes a started development server: addresses, taken ports and the time that the start took. */
export function describeStart(started: Started): string {
  const { url, console, rows, wantedPorts, seconds } = started;
  const describeTakenPort = (name: string, address: string): string => {
    const wanted = wantedPorts[name];
    const other = wanted !== undefined && URL.canParse(address) && new URL(address).port !== String(wanted);
    return other ? ` (port ${wanted} is taken)` : "";
  };
  const width = Math.max(...rows.map(({ provider }) => provider.length));
  const providers = rows.map(
    ({ provider, kind, address }) =>
      `  ${provider.padEnd(width)}  ${kind.padEnd(8)}  ${address}${kind === "real" ? "" : describeTakenPort(provider, address)}`,
  );
  return [
    ...["", ...providers, ""],
    `  Lyceum listens on  ${url}${describeTakenPort("server", url)}, after ${seconds.toFixed(1)} s`,
    `  API reference      ${url}/api/docs`,
    `  Allowed origin     ${started.frontendOrigin} (FRONTEND_URL)`,
    ...(started.relaxedRateLimits ? ["  Rate limits        ten times the real ones (RATE_LIMITS=relaxed)"] : []),
    ...(console ? [`  Console            ${console}${describeTakenPort("console", console)}`] : []),
    ...["", ""],
  ].join("\n");
}
