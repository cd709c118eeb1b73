import type { Response } from "express";

/**
 * Sends a page that runs and loads nothing.
 * @param options `hasForm`: the page may send its form to this server.
 */
export function sendPublicPage(
  res: Response,
  page: string,
  { styleHash, hasForm = false }: { styleHash: string; hasForm?: boolean },
): void {
  const [style, form] = [`style-src '${styleHash}'`, hasForm ? "'self'" : "'none'"];
  // Without this a browser would send the form with the origin `null`.
  if (hasForm) res.setHeader("Referrer-Policy", "same-origin");
  res
    .setHeader(
      "Content-Security-Policy",
      `default-src 'none'; ${style}; base-uri 'none'; form-action ${form}; frame-ancestors 'none'`,
    )
    .type("html")
    .send(page);
}
