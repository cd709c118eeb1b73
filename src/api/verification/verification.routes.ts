import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { CertificateUnknown, verificationController } from "./verification.controller.js";
import { VerifyParams, VerifyReply } from "./verification.schemas.js";

const VerificationFault = failure("verification_fault", 500, "An unexpected error occurred", { valid: false });

/** Certificates can be verified by anyone who has their id. */
export function verificationGroup(deps: Deps): RouteGroup {
  const verification = verificationController(deps);
  return {
    name: "certificate",
    base: "/api/certificate",
    routes: [
      route({
        method: "get",
        path: "/verify/:certificateId",
        summary: "Whether a certificate is genuine",
        description: "As JSON, or as a page when `Accept` prefers `text/html`.",
        access: "public",
        params: VerifyParams,
        reply: VerifyReply,
        errors: [CertificateUnknown],
        fallbackError: VerificationFault,
        alsoProduces: ["text/html"],
        handle: verification.verify,
      }),
    ],
  };
}
