/** What is generated from ../openapi.json into src/generated/. A test sets another folder in CLIENT_OUTPUT. */
export default {
  input: "../openapi.json",
  parser: {
    // Routes for operators are no use to a browser.
    filters: { tags: { exclude: ["operations"] }, orphans: true },
  },
  output: {
    path: process.env.CLIENT_OUTPUT ?? "src/generated",
    clean: true,
    entryFile: false,
    header: ["// Generated from openapi.json by `npm run client`."],
    module: { extension: ".js" },
  },
  plugins: ["@hey-api/typescript", "@hey-api/sdk", { name: "@hey-api/client-fetch", baseUrl: false }],
};
