import { isTimeLimit } from "../../db/database-errors.js";
import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { readPage } from "../../http/list-reply.js";
import { alreadySent, type Route, type RouteGroup, route } from "../../http/route.js";
import type { Failure } from "../../lib/errors.js";
import {
  CertificateNotFound,
  CertificateRevoked,
  NothingToChange,
  revokeManaged,
} from "../../services/certificates/change-certificate.js";
import { previewTemplate, removeTemplate, storeTemplate } from "../../services/certificates/manage-template.js";
import {
  describeManagedCertificate,
  listManagedCertificates,
} from "../../services/certificates/managed-certificates.js";
import { findManagedItem } from "../../services/certificates/managed-item.js";
import { reissueManaged } from "../../services/certificates/reissue-certificate.js";
import { findTemplateFields } from "../../services/certificates/templates.js";
import { CourseNotFound, NotTheOwner, PathNotFound } from "../../services/failures.js";
import { ResourceNotFound } from "../../services/resources/resources.js";
import { type RunSearch, SearchBusy } from "../../services/search-limit.js";
import {
  ManagedCertificateReply,
  ManagedCertificatesQuery,
  ManagedCertificatesReply,
  PreviewBody,
  ReissueBody,
  RevokeBody,
  TemplateBody,
  TemplateReply,
} from "./managed-certificates.schemas.js";

/** What differs between the routes of courses and those of paths. */
const kinds = [
  { kind: "course", base: "/courses/:id", infix: "", notFound: CourseNotFound },
  { kind: "path", base: "/paths/:id", infix: "Path", notFound: PathNotFound },
] as const;

type KindOfItem = (typeof kinds)[number];

/** Creates routes of certificates of courses and of paths, for educators and for administrators. */
const forItems = (
  routesOf: (as: KindOfItem & { role: "educator" | "admin"; refusals: Failure[]; suffix: string }) => Route[],
): RouteGroup[] =>
  forManagers("certificates", ["educator", "admin"], ({ role, isAdmin, suffix }) =>
    kinds.flatMap((kind) =>
      routesOf({ ...kind, role, suffix, refusals: [kind.notFound, ...(isAdmin ? [] : [NotTheOwner])] }),
    ),
  );

/** The certificates of courses and paths. */
export function managedCertificatesGroups(deps: Deps, runSearch: RunSearch): RouteGroup[] {
  const { db } = deps;
  return forItems(({ kind, base, infix, role, suffix, refusals }) => {
    const find = findManagedItem[kind];
    return [
      route("get", `${base}/certificates`, {
        operationId: `list${infix}Certificates${suffix}`,
        summary: `The certificates of a ${kind}, newest completion first`,
        access: role,
        scope: "certificates:read",
        query: ManagedCertificatesQuery,
        reply: ManagedCertificatesReply,
        errors: [...refusals, SearchBusy],
        async handle({ params, query, manager, signal }) {
          const list = listManagedCertificates(db, await find(db, params.id, manager), query);
          const read = () => readPage(list, query);
          const isSearch = Boolean(query.q || query.state);
          try {
            const page = await (isSearch ? runSearch(`user:${manager.userId}`, read, signal) : read());
            return { certificates: page.items, nextCursor: page.nextCursor };
          } catch (error) {
            throw isSearch && isTimeLimit(error) ? SearchBusy(error) : error;
          }
        },
      }),
      route("post", `${base}/certificates/:certificateId/reissue`, {
        operationId: `reissue${infix}Certificate${suffix}`,
        summary: "Make a new edition of a certificate, with a corrected name or the present template",
        description: "A revoked certificate is valid again. The reissue and its reason are in the audit trail.",
        access: role,
        scope: "certificates:write",
        body: ReissueBody,
        reply: ManagedCertificateReply,
        errors: [...refusals, CertificateNotFound, NothingToChange],
        async handle({ params: { id, certificateId }, body, manager }) {
          const item = await find(db, id, manager);
          const reissued = await reissueManaged(deps, item, { ...body, certificateId, actor: manager });
          return { certificate: describeManagedCertificate(reissued) };
        },
      }),
      route("post", `${base}/certificates/:certificateId/revoke`, {
        operationId: `revoke${infix}Certificate${suffix}`,
        summary: "Revoke a certificate",
        description:
          "Its PDF is removed. The revocation and its reason are in the audit trail; learners see no reason.",
        access: role,
        scope: "certificates:write",
        body: RevokeBody,
        reply: ManagedCertificateReply,
        errors: [...refusals, CertificateNotFound, CertificateRevoked],
        async handle({ params: { id, certificateId }, body, manager }) {
          const item = await find(db, id, manager);
          const revoked = await revokeManaged(db, item, certificateId, { ...body, actor: manager });
          return { certificate: describeManagedCertificate(revoked) };
        },
      }),
    ];
  });
}

/** What the certificates of courses and paths look like. */
export function templateGroups(deps: Deps): RouteGroup[] {
  const { db } = deps;
  return forItems(({ kind, base, infix, role, suffix, refusals }) => {
    const find = findManagedItem[kind];
    const path = `${base}/certificate-template` as const;
    return [
      route("get", path, {
        operationId: `get${infix}Template${suffix}`,
        summary: `The certificate template of a ${kind}`,
        access: role,
        reply: TemplateReply,
        errors: refusals,
        async handle({ params, manager }) {
          const item = await find(db, params.id, manager);
          return { template: await findTemplateFields(db, item._id) };
        },
      }),
      route("put", path, {
        operationId: `set${infix}Template${suffix}`,
        summary: `Set the certificate template of a ${kind}`,
        description:
          "The whole template: an absent field takes its default. Pictures are resources of the course, or of the courses of the path: PNG or JPEG of " +
          "at most 1 MiB and 4,096 pixels a side. Certificates that exist keep their look and their end.",
        access: role,
        body: TemplateBody,
        reply: TemplateReply,
        errors: [...refusals, ResourceNotFound],
        async handle({ params, body, manager, signal }) {
          const item = await find(db, params.id, manager);
          await storeTemplate(deps, item, body, signal);
          return { template: body };
        },
      }),
      route("delete", path, {
        operationId: `remove${infix}Template${suffix}`,
        summary: `Give a ${kind} the default certificate template again`,
        access: role,
        errors: refusals,
        async handle({ params, manager }) {
          await removeTemplate(db, await find(db, params.id, manager));
          return {};
        },
      }),
      route("post", `${path}/preview`, {
        operationId: `preview${infix}Template${suffix}`,
        summary: `A specimen of a ${kind}'s certificate, as PDF`,
        description: "With the caller's name and today's date, without QR code. `{}` shows the stored template.",
        access: role,
        body: PreviewBody,
        file: "application/pdf",
        errors: [...refusals, ResourceNotFound],
        async handle({ params, body, manager, res, signal }) {
          const item = await find(db, params.id, manager);
          res.type("application/pdf").send(await previewTemplate(deps, item, manager.userId, body, signal));
          return alreadySent;
        },
      }),
    ];
  });
}
