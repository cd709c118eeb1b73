import { escapeHtml } from "../html.js";

/** Draws an initial on a coloured disc. A data URL stays valid when the emulator's port changes. */
export function drawAvatar(name: string, hue: number): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><circle cx="48" cy="48" r="48" fill="hsl(${hue} 55% 42%)"/><text x="48" y="63" font-family="sans-serif" font-size="44" fill="#fff" text-anchor="middle">${escapeHtml([...name][0] ?? "")}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
