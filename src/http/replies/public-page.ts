import type { Request, Response } from "express";

/** Whether a page is sent. @param otherwise what is sent where `Accept` has no preference. */
export const prefersHtml = (req: Request, otherwise: "html" | "json"): boolean =>
  req.accepts(otherwise === "html" ? ["html", "json"] : ["json", "html"]) === "html";

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
