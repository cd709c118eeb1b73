import { createBrand } from "@lyceum/certificate-pdf/brand";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Deps } from "../../deps.js";
import { sendPublicPage } from "../../http/replies/public-page.js";
import { type AlreadySent, alreadySent, type RouteGroup, route } from "../../http/route.js";
import { errorCodeHeader, failure } from "../../lib/errors.js";
import { noticeTypes } from "../../services/notices/notice-types.js";
import { findSubscription, isOptional, unsubscribe } from "../../services/notices/unsubscribe.js";
import { publicPage, publicPageStyleHash, readPublicPart } from "../../services/public-page.js";

const UnsubscribeParams = z.object({ token: z.string() });
const AddressUnknown = failure("unsubscribe_address_unknown", 404, "Address not found");

const kind = "Mail";
const pages = {
  question: { kind, title: "Switch off mails?", content: readPublicPart("unsubscribe.html") },
  done: { kind, title: "Mail switched off", content: readPublicPart("unsubscribed.html") },
  unknown: { kind, title: "Address not found", content: readPublicPart("unknown-address.html") },
};

/** Switches off mail without a sign-in: for the button of a mail program (RFC 8058), and by a page. */
export function unsubscribeGroup({ db, config }: Deps): RouteGroup {
  const brand = createBrand(config.platform);
  const styleHash = publicPageStyleHash(brand);
  const send = (res: Response, page: Parameters<typeof publicPage>[0]): AlreadySent => {
    sendPublicPage(res, publicPage(page, brand), { styleHash, hasForm: true });
    return alreadySent;
  };
  const refuse = (req: Request, res: Response): AlreadySent => {
    if (!prefersHtml(req)) throw AddressUnknown();
    res.status(AddressUnknown.status).setHeader(errorCodeHeader, AddressUnknown.id);
    return send(res, pages.unknown);
  };
  return {
    name: "notifications",
    base: "/unsubscribe",
    routes: [
      route({
        method: "get",
        path: "/:token",
        operationId: "showUnsubscribe",
        summary: "A page with a button that switches off the mail of a type",
        access: "public",
        params: UnsubscribeParams,
        file: "text/html",
        errors: [AddressUnknown],
        async handle({ params, req, res }) {
          const type = await findSubscription(db, params.token);
          if (!type) return refuse(req, res);
          const { reason } = noticeTypes[type].mail;
          const which = isOptional(type) ? "these mails" : "all other mails";
          return send(res, { ...pages.question, values: { reason, which } });
        },
      }),
      route({
        method: "post",
        path: "/:token",
        operationId: "unsubscribe",
        summary: "Switch off the mail of a type",
        description:
          "One-click (RFC 8058): mail programs send `List-Unsubscribe=One-Click` as a form. Receipts cannot be switched " +
          "off: their address switches off all other mail.",
        access: "public",
        params: UnsubscribeParams,
        errors: [AddressUnknown],
        alsoProduces: ["text/html"],
        async handle({ params, req, res }) {
          if (!(await unsubscribe(db, params.token))) return refuse(req, res);
          return prefersHtml(req) ? send(res, pages.done) : {};
        },
      }),
    ],
  };
}

/** A page is the default, because browsers and mail programs open these addresses. */
const prefersHtml = (req: Request): boolean => req.accepts(["html", "json"]) === "html";
