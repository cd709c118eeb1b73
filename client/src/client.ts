import { type Client, type Config, createConfig, createClient as createPlainClient } from "./generated/client/index.js";
import { client as defaultClient } from "./generated/client.gen.js";

/** Creates a client of its own, for example for each request of a server. Pass it to functions as `client`. */
export function createClient(config: Config = {}): Client {
  return withFiles(createPlainClient(createConfig(config)));
}

/** The client of all functions that are not given another one. */
export const client: Client = withFiles(defaultClient);

/** Returns tables as files, as it returns PDFs. Otherwise a table would be text. */
function withFiles(client: Client): Client {
  client.interceptors.response.use((response, _request, options) => {
    const isTable = response.headers.get("Content-Type")?.startsWith("text/csv");
    if (isTable && (options.parseAs ?? "auto") === "auto") options.parseAs = "blob";
    return response;
  });
  return client;
}
