import type { Deps } from "../../deps.js";
import { clientOf } from "../../http/context.js";
import { sendJson, sendText } from "../../http/replies/send-text.js";
import { alreadySent, type Route, type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { describeItem } from "../../models/learning/certificate.js";
import { CertificateNotFound, CertificateRevoked } from "../../services/certificates/change-certificate.js";
import { createBadges } from "../../services/credentials/badges.js";
import { bakeBadge } from "../../services/credentials/bake-badge.js";
import { findCredential } from "../../services/credentials/find-credential.js";
import { createStatusLists } from "../../services/credentials/status-lists.js";
import { CourseNotFound, PathNotFound } from "../../services/failures.js";

const NotSetUp = failure("credentials_not_set_up", 404, "Credentials are not set up");
const StatusListNotFound = failure("status_list_not_found", 404, "Status list not found");

/** Numbers of lists. Any other text names no list. */
const listNumber = /^[1-9]\d{0,8}$/;

/** Certificates as Open Badges 3.0, and the documents with which anyone verifies them. */
export function credentialGroups(deps: Deps): RouteGroup[] {
  const { db, config, issuer } = deps;
  const findBadge = createBadges(deps);
  const made = issuer && { issuer, deps: { db, config, issuer }, readList: createStatusLists({ db, config, issuer }) };
  /** @throws NotSetUp without a key. */
  const requireSetUp = () => {
    if (!made) throw NotSetUp();
    return made;
  };
  /** @throws NotSetUp, CertificateNotFound, CertificateRevoked */
  const findOwn = (userId: string, certificateId: string) => findCredential(requireSetUp().deps, userId, certificateId);

  const didDocument = (operationId: string): Route =>
    route("get", "/", {
      operationId,
      summary: "The DID document with the keys that sign credentials",
      access: "public",
      anyOrigin: true,
      file: "application/json",
      errors: [NotSetUp],
      async handle({ res }) {
        sendJson(res, await requireSetUp().issuer.describe());
        return alreadySent;
      },
    });

  const publicBadge = (kind: "course" | "path"): Route =>
    route("get", "/:id/badge.png", {
      operationId: kind === "path" ? "getPathBadge" : "getCourseBadge",
      summary: `The badge of a ${kind}, without a credential`,
      description: "600 × 600 pixels, with an `ETag`. Drafts are included.",
      access: "public",
      anyOrigin: true,
      file: "image/png",
      errors: [NotSetUp, kind === "path" ? PathNotFound : CourseNotFound],
      async handle({ params, req, res }) {
        requireSetUp();
        const badge = await findBadge(kind, params.id);
        res.set({ ETag: badge.etag, "Cache-Control": "no-cache" });
        if (req.fresh) res.status(304).end();
        else sendText(res, await badge.draw(clientOf(req)), "image/png");
        return alreadySent;
      },
    });

  return [
    // The place of a `did:web` without a path, and of one with a path.
    { name: "credentials", base: "/.well-known/did.json", routes: [didDocument("getDidDocument")] },
    { name: "credentials", base: "/did.json", routes: [didDocument("getDidDocumentOfPath")] },
    {
      name: "credentials",
      base: "/api/certificate",
      routes: [
        route("get", "/status/:list", {
          operationId: "getStatusList",
          summary: "A signed list of the credentials that no longer count",
          description: "A `BitstringStatusListCredential`. The bit of a revoked, replaced or erased credential is 1.",
          access: "public",
          anyOrigin: true,
          file: "application/json",
          errors: [NotSetUp, StatusListNotFound],
          async handle({ params, res }) {
            const { readList } = requireSetUp();
            const text = listNumber.test(params.list) ? await readList(Number(params.list)) : undefined;
            if (text === undefined) throw StatusListNotFound();
            res.setHeader("Cache-Control", "max-age=60");
            sendJson(res, text);
            return alreadySent;
          },
        }),
      ],
    },
    {
      name: "credentials",
      base: "/api/user",
      routes: [
        route("get", "/certificates/:certificateId/credential", {
          operationId: "getCredential",
          summary: "The caller's certificate as a signed Open Badge 3.0",
          description: "The first call signs it. Every call returns the same bytes, until the certificate is reissued.",
          access: "user",
          file: "application/json",
          errors: [NotSetUp, CertificateNotFound, CertificateRevoked],
          async handle({ viewer, params, res }) {
            const { text, certificate } = await findOwn(viewer.id, params.certificateId);
            res.attachment(`${certificate.certificateId}.json`);
            sendJson(res, text);
            return alreadySent;
          },
        }),
        route("get", "/certificates/:certificateId/badge.png", {
          operationId: "getBakedBadge",
          summary: "The badge of the course or path with the caller's credential in it",
          description: "Wallets read the credential from the `iTXt` chunk `openbadgecredential`.",
          access: "user",
          file: "image/png",
          errors: [NotSetUp, CertificateNotFound, CertificateRevoked],
          async handle({ viewer, params, req, res }) {
            const { text, certificate } = await findOwn(viewer.id, params.certificateId);
            const { kind, courseId, pathId } = describeItem(certificate);
            const badge = await findBadge(kind, String(pathId ?? courseId), certificate.courseTitle);
            res.attachment(`${certificate.certificateId}.png`);
            sendText(res, bakeBadge(await badge.draw(clientOf(req)), text), "image/png");
            return alreadySent;
          },
        }),
      ],
    },
    { name: "credentials", base: "/api/course", routes: [publicBadge("course")] },
    { name: "credentials", base: "/api/paths", routes: [publicBadge("path")] },
  ];
}
