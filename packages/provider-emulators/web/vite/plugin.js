import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const standInOf = (name) => fileURLToPath(new URL(`../identity/${name}.js`, import.meta.url));
/** Packages of the provider, and what replaces each. */
const standIns = { "@clerk/clerk-react": standInOf("clerk-react"), "@clerk/react": standInOf("react") };
const checkoutOrigin = "https://checkout.razorpay.com";
/** Addresses of a development server that found its usual ports free. */
const usual = { api: "http://localhost:3000", clerk: "http://127.0.0.1:3101", razorpay: "http://127.0.0.1:3102" };
const usualKey = `pk_test_${btoa("emulator.localhost$")}`;
/** Time between two looks at the description of the development server. */
const pollMs = 1_000;

/** @param {import("./plugin.js").Options} [options] @returns {import("vite").Plugin} */
export function providerEmulators(options = {}) {
  const { addresses = {}, build = false } = options;
  let file = "";
  let text = "";
  let facts = {};
  /** @type {string | undefined} */
  let allowedOrigin;
  let stopWatching = () => {};
  /** @param {string} text */
  const replaceCheckout = (text) => text.replaceAll(checkoutOrigin, facts.razorpayApi ?? checkoutOrigin);
  return {
    name: "provider-emulators",
    enforce: "pre",
    apply: (_config, { command, isPreview }) => build || (command === "serve" && !isPreview),

    config({ root = "." }) {
      file = resolve(root, options.dataDir ?? process.env.DATA_DIR ?? ".data", "running.json");
      text = read(file);
      const { url, frontendOrigin, console, emulators = [], variables = {} } = text ? JSON.parse(text) : {};
      /** Undefined when the server uses the real provider. @param {string} provider */
      const addressOf = (provider) => {
        if (addresses[provider]) return addresses[provider];
        const row = emulators.find((row) => row.provider === provider);
        if (row === undefined) return usual[provider];
        return row.kind === "real" ? undefined : row.address;
      };
      const [clerk, razorpay] = [addressOf("clerk"), addressOf("razorpay")];
      allowedOrigin = frontendOrigin;
      facts = {
        api: addresses.api ?? url ?? usual.api,
        clerkApi: clerk,
        clerkPublishableKey: clerk && (variables.CLERK_PUBLISHABLE_KEY ?? usualKey),
        razorpayApi: razorpay,
        checkoutScript: razorpay && `${razorpay}/v1/checkout.js`,
        razorpayKeyId: razorpay && variables.RAZORPAY_KEY_ID,
        console,
      };
      return {
        resolve: {
          alias: Object.entries(clerk ? standIns : {}).map(([name, replacement]) => ({
            find: new RegExp(`^${name}$`),
            replacement,
          })),
          // The emulator's components must use the React of the application, also when the package is linked.
          dedupe: ["react"],
        },
        optimizeDeps: { exclude: clerk ? Object.keys(standIns) : [] },
        define: Object.fromEntries(
          Object.entries(variablesOf(facts, options.env))
            // A variable without a value is the application's own.
            .filter(([, value]) => value !== undefined)
            // A variable of the shell wins. The plugin wins over .env files, which may name real providers.
            .filter(([name]) => process.env[name] === undefined)
            .map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
        ),
      };
    },

    configureServer(server) {
      const { api, clerkApi, razorpayApi } = facts;
      const source = text ? file : `usual addresses, because there is no ${file}`;
      const [signIn, checkout] = [clerkApi, razorpayApi].map((address) => address ?? "real");
      server.config.logger.info(`Emulators: API ${api}, sign-in ${signIn}, checkout ${checkout} (${source})`);
      server.httpServer?.once("listening", () => {
        const own = `http://localhost:${server.httpServer?.address().port}`;
        if (!allowedOrigin?.startsWith("http://localhost:") || allowedOrigin === own) return;
        server.config.logger.warn(`The server allows ${allowedOrigin} alone. Start it with FRONTEND_URL=${own}`);
      });
      const restart = () => {
        const now = read(file);
        if (now && now !== text) void server.restart();
      };
      watchFile(file, { interval: pollMs, persistent: false }, restart);
      // A restart opens the new server before it closes the old one, so only the old listener may go.
      stopWatching = () => unwatchFile(file, restart);
    },
    buildEnd: () => stopWatching(),

    transformIndexHtml: { order: "pre", handler: (html) => replaceCheckout(html) },
    transform: (code) => (code.includes(checkoutOrigin) ? { code: replaceCheckout(code), map: null } : undefined),
  };
}

const defaultEnv = {
  VITE_API_URL: "api",
  VITE_BACKEND_URL: "api",
  VITE_CLERK_PUBLISHABLE_KEY: "clerkPublishableKey",
  VITE_RAZORPAY_KEY_ID: "razorpayKeyId",
  VITE_CLERK_API_URL: "clerkApi",
  VITE_CONSOLE_URL: "console",
};

/** @param {Record<string, string>} facts @param {Record<string, string>} [env] */
function variablesOf(facts, env) {
  return Object.fromEntries(
    Object.entries({ ...defaultEnv, ...env }).map(([name, fact]) => {
      if (fact in facts) return [name, facts[fact]];
      throw new Error(`${name} names "${fact}", which is none of ${Object.keys(facts).join(", ")}`);
    }),
  );
}

/** @param {string} file @returns {string} empty when no development server runs */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
