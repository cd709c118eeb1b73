import { readFileSync } from "node:fs";
import { defaultClientConditions, defineConfig } from "vite";

// Finds the development server and its emulators, also on other ports. A deployed application has fixed addresses.
const { url, emulators = [] } = runningServer();
const addressOf = (provider) => emulators.find((one) => one.provider === provider)?.address;
setUnlessGiven("VITE_API_URL", url);
setUnlessGiven("VITE_CLERK_API_URL", addressOf("identity"));
setUnlessGiven("VITE_CHECKOUT_URL", addressOf("payments") && `${addressOf("payments")}/v1/checkout.js`);

export default defineConfig({
  // Replaces the provider's sign-in package by the emulator's. Remove this line to use the provider's package.
  resolve: {
    alias: { "@clerk/clerk-react": "@lyceum/provider-emulators/clerk-react" },
    conditions: ["lyceum-source", ...defaultClientConditions],
    dedupe: ["react"],
  },
  server: { port: 5173, strictPort: true },
});

function runningServer() {
  try {
    return JSON.parse(readFileSync(new URL("../../.data/running.json", import.meta.url), "utf8"));
  } catch {
    return {};
  }
}

function setUnlessGiven(name, value) {
  if (value !== undefined) process.env[name] ??= value;
}
