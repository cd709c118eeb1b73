import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import type { RouteRequest } from "../../../http/route.js";
import { type EducatorApplication, shownStatus } from "../../../models/users/educator-application.js";
import { applyAsEducator } from "../../../services/educators/apply-as-educator.js";
import type { ApplicationBody, ApplicationStatusReply } from "./applications.schemas.js";

const messages = {
  submitted: "Application submitted successfully. We will review it shortly.",
  resubmitted: "Application resubmitted successfully.",
};

export function ownApplicationController({ db }: Pick<Deps, "db">) {
  return {
    async apply({ body, viewer }: RouteRequest<undefined, undefined, z.output<typeof ApplicationBody>, "user">) {
      return { message: messages[await applyAsEducator(db, viewer, body)] };
    },

    async status({
      viewer,
    }: RouteRequest<undefined, undefined, undefined, "user">): Promise<z.input<typeof ApplicationStatusReply>> {
      const found = await db.EducatorApplication.findOne({ userId: viewer.id }).lean<EducatorApplication>();
      return { application: found && { ...found, status: shownStatus(found) } };
    },
  };
}
