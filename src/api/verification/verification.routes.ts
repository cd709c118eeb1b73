import { createBrand } from "@lyceum/certificate-pdf/brand";
import { z } from "zod";
import type { Deps } from "../../deps.js";
import { loggedPath } from "../../http/pipeline/request-log.js";
import { prefersHtml, sendPublicPage } from "../../http/replies/public-page.js";
import { alreadySent, type RouteGroup, route } from "../../http/route.js";
import { errorCodeHeader, failure } from "../../lib/errors.js";
import { timestamp } from "../../lib/fields.js";
import { verificationPage } from "../../services/certificates/verification-page.js";
import { verifyCertificate } from "../../services/certificates/verify-certificate.js";
import { publicPageStyleHash } from "../../services/public-page.js";

const record = { certificateId: z.string(), courseTitle: z.string(), issuedAt: timestamp };

const VerifyReply = z.object({
  valid: z.boolean().meta({ description: "false for an expired or revoked certificate" }),
  certificate: z.discriminatedUnion("state", [
    z
      .object({
        ...record,
        state: z.enum(["valid", "expired"]),
        studentName: z.string(),
        completionDate: timestamp,
        expiresAt: timestamp.nullable(),
        reissuedAt: timestamp.nullable(),
      })
      .meta({ id: "VerifiedCertificate" }),
    z.object({ ...record, state: z.literal("revoked"), revokedAt: timestamp }).meta({ id: "RevokedCertificate" }),
  ]),
});

const CertificateUnknown = failure("certificate_not_found", 404, "Certificate not found", { valid: false });
const VerificationFault = failure("unexpected", 500, "An unexpected error occurred", { valid: false });

/** Verification of certificates by anyone who has their id. */
export function verificationGroup({ db, log, config }: Deps): RouteGroup {
  const brand = createBrand(config.platform);
  const styleHash = publicPageStyleHash(brand);
  return {
    name: "certificate",
    base: "/api/certificate",
    routes: [
      route("get", "/verify/:certificateId", {
        operationId: "verifyCertificate",
        summary: "Whether a certificate is genuine",
        description: "As JSON, or as a page when `Accept` prefers `text/html`.",
        access: "public",
        reply: VerifyReply,
        errors: [CertificateUnknown],
        fallbackError: VerificationFault,
        alsoProduces: ["text/html"],
        async handle({ params, req, res }) {
          res.vary("Accept");
          res.setHeader("Cache-Control", "no-cache");
          if (!prefersHtml(req, "json")) {
            const certificate = await verifyCertificate(db, params.certificateId);
            if (!certificate) throw CertificateUnknown();
            return { valid: certificate.state === "valid", certificate };
          }
          const result = await verifyCertificate(db, params.certificateId).catch((error: unknown) => {
            log.error(
              { eventId: "verification_page_failed", requestId: req.id, path: loggedPath(req.originalUrl), err: error },
              "verification page failed",
            );
            return "fault" as const;
          });
          const refusal = result === "fault" ? VerificationFault : result ? undefined : CertificateUnknown;
          if (refusal) res.status(refusal.status).setHeader(errorCodeHeader, refusal.id);
          sendPublicPage(res, verificationPage(result, brand, config), { styleHash });
          return alreadySent;
        },
      }),
    ],
  };
}
