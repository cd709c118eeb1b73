/** What is generated from ../openapi.json into src/. `npm run client` also says into which other folder, for tests. */
export default {
  input: "../openapi.json",
  output: {
    path: process.env.CLIENT_OUTPUT ?? "src",
    clean: true,
    header: ["// Generated from openapi.json by `npm run client`."],
    module: { extension: ".js" },
  },
  plugins: [
    "@hey-api/typescript",
    "@hey-api/sdk",
    { name: "@hey-api/client-fetch", baseUrl: false, includeInEntry: true },
  ],
};
