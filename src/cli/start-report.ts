interface Started {
  /** Of the server. */
  url: string;
  console: string | undefined;
  rows: readonly { provider: string; kind: string; address: string }[];
  /** The port that each address was to have. */
  wantedPorts: Readonly<Record<string, number>>;
  seconds: number;
}

/** What the development server says when it listens: addresses, ports that were taken, how long it took. */
export function startReport({ url, console, rows, wantedPorts, seconds }: Started): string {
  const taken = (name: string, address: string): string => {
    const wanted = wantedPorts[name];
    const other = wanted !== undefined && URL.canParse(address) && new URL(address).port !== String(wanted);
    return other ? ` (port ${wanted} is taken)` : "";
  };
  const width = Math.max(...rows.map(({ provider }) => provider.length));
  const providers = rows.map(
    ({ provider, kind, address }) =>
      `  ${provider.padEnd(width)}  ${kind.padEnd(8)}  ${address}${kind === "real" ? "" : taken(provider, address)}`,
  );
  return [
    ...["", ...providers, ""],
    `  Lyceum listens on  ${url}${taken("server", url)}, after ${seconds.toFixed(1)} s`,
    `  API reference      ${url}/api/docs`,
    ...(console ? [`  Console            ${console}${taken("console", console)}`] : []),
    ...["", ""],
  ].join("\n");
}
