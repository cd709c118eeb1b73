import { providerEmulators } from "@lyceum/provider-emulators/vite";
import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  plugins: [providerEmulators({ dataDir: process.env.DATA_DIR ?? "../../.data" })],
  resolve: { conditions: ["lyceum-source", ...defaultClientConditions] },
  server: { port: 5173, strictPort: true },
});
