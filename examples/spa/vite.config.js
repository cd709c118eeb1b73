import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  // Signing in with the emulator instead of the provider: remove this line to use the provider's own package.
  resolve: {
    alias: { "@clerk/clerk-react": "@lyceum/provider-emulators/clerk-react" },
    conditions: ["development", ...defaultClientConditions],
    dedupe: ["react"],
  },
  server: { port: 5173, strictPort: true },
});
