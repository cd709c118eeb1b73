import { variables } from "../src/env.js";

/** The text of `.env.example`: every variable with its meaning and default. A test fails when the file is stale. */
export function envExample(): string {
  const lines = [
    "# Every variable of the server. In development a provider whose variables are unset is emulated.",
    "# Generated from src/env.ts by `npm run docs`.",
  ];
  for (const { name, about, when, fallback = "" } of Object.values(variables)) {
    lines.push("", `# ${about}${when === "optional" ? "" : " (mandatory in production)"}`, `# ${name}=${fallback}`);
  }
  return `${lines.join("\n")}\n`;
}
