import { createBrand } from "@lyceum/certificate-pdf";
import type { Request, Response } from "express";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { alreadySent, type RouteRequest } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { verificationPage, verificationPageStyleHash } from "../../services/certificates/verification-page.js";
import type { VerifyParams } from "./verification.schemas.js";

export const CertificateUnknown = failure("certificate_unknown", 404, "Certificate not found", { valid: false });

export function verificationController({ db, log, config }: Pick<Deps, "db" | "log" | "config">) {
  const brand = createBrand(config.platform);
  const styleHash = verificationPageStyleHash(brand);
  const findIssued = async (certificateId: string) => {
    const found = await db.Certificate.findOne({ certificateId, status: "issued" }).lean<Certificate>();
    if (!found?.issuedAt) return null;
    const { studentName, courseTitle, completionDate, issuedAt } = found;
    return { certificateId, studentName: studentName ?? "", courseTitle, completionDate, issuedAt };
  };

  return {
    async verify({ params, req, res }: RouteRequest<z.output<typeof VerifyParams>, undefined, undefined, "public">) {
      res.vary("Accept");
      if (!prefersHtml(req)) {
        const certificate = await findIssued(params.certificateId);
        if (!certificate) throw CertificateUnknown();
        return { valid: true as const, certificate };
      }
      const result = await findIssued(params.certificateId).catch((error: unknown) => {
        log.error(
          { eventId: "verification_page_failed", requestId: req.id, path: req.path, err: error },
          "verification page failed",
        );
        return "fault" as const;
      });
      sendPage(res, result === "fault" ? 500 : result ? 200 : 404, verificationPage(result, brand), styleHash);
      return alreadySent;
    },
  };
}

/** JSON is the default, and wins where `Accept` has no preference. */
const prefersHtml = (req: Request): boolean => req.accepts(["json", "html"]) === "html";

function sendPage(res: Response, status: number, page: string, styleHash: string): void {
  const style = `style-src '${styleHash}'`;
  res
    .status(status)
    .setHeader(
      "Content-Security-Policy",
      `default-src 'none'; ${style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    .type("html")
    .send(page);
}
