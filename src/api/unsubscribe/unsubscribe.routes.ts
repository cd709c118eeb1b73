import { createBrand } from "@lyceum/certificate-pdf/brand";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Deps } from "../../deps.js";
import { prefersHtml, sendPublicPage } from "../../http/replies/public-page.js";
import { type AlreadySent, alreadySent, type RouteGroup, route } from "../../http/route.js";
import { errorCodeHeader, failure } from "../../lib/errors.js";
import { noticeTypes } from "../../services/notices/notice-types.js";
import { readPreferences } from "../../services/notices/preferences.js";
import { findSubscription, maskedAddress, type Subscription, switchMails } from "../../services/notices/unsubscribe.js";
import { publicPage, publicPageStyleHash, readPublicPart } from "../../services/public-page.js";

const UnsubscribeQuery = z.object({
  undo: z.literal("true").optional().meta({ description: "`true`: switch the mails on again" }),
});
const AddressUnknown = failure("unsubscribe_address_unknown", 404, "Address not found");

const kind = "Mail";
const subscription = readPublicPart("subscription.html");
const readPart = (file: string): string => readPublicPart(file).replace("<!-- subscription -->", subscription);
const pages = {
  question: { kind, title: "Switch off mails?", content: readPart("unsubscribe.html") },
  done: { kind, title: "Mails switched off", content: readPart("unsubscribed.html") },
  undone: { kind, title: "Mails switched on", content: readPart("subscribed.html") },
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
  const sendAbout = (res: Response, page: Parameters<typeof publicPage>[0], { type, email }: Subscription) =>
    send(res, { ...page, values: { label: noticeTypes[type].label, address: maskedAddress(email) } });
  // Browsers and mail programs open these addresses, so that a page is the default.
  const refuse = (req: Request, res: Response): AlreadySent => {
    if (!prefersHtml(req, "html")) throw AddressUnknown();
    res.status(AddressUnknown.status).setHeader(errorCodeHeader, AddressUnknown.id);
    return send(res, pages.unknown);
  };
  return {
    name: "notifications",
    base: "/unsubscribe",
    routes: [
      route("get", "/:token", {
        operationId: "showUnsubscribe",
        summary: "A page with a button that switches off the mail of a type",
        access: "public",
        file: "text/html",
        errors: [AddressUnknown],
        async handle({ params, req, res }) {
          const found = await findSubscription(db, params.token);
          if (!found) return refuse(req, res);
          const isOn = (await readPreferences(db, found.userId))[found.type].mail;
          return sendAbout(res, isOn ? pages.question : pages.done, found);
        },
      }),
      route("post", "/:token", {
        operationId: "unsubscribe",
        summary: "Switch off the mail of a type",
        description:
          "One-click (RFC 8058): mail programs send `List-Unsubscribe=One-Click` as a form. A token is for the mails of one " +
          "type to one address.",
        access: "public",
        query: UnsubscribeQuery,
        errors: [AddressUnknown],
        alsoProduces: ["text/html"],
        async handle({ params, query, req, res }) {
          const found = await findSubscription(db, params.token);
          if (!found) return refuse(req, res);
          const undo = query.undo === "true";
          await switchMails(db, found, undo);
          return prefersHtml(req, "html") ? sendAbout(res, undo ? pages.undone : pages.done, found) : {};
        },
      }),
    ],
  };
}
