import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import { trackTime } from "../../services/learning/track-time.js";
import { readAnalytics } from "./analytics.js";
import type { TrackingBody } from "./time-tracking.schemas.js";

export function timeTrackingController({ db }: Pick<Deps, "db">) {
  return {
    async track({ viewer, body, req }: RouteRequest<undefined, undefined, z.output<typeof TrackingBody>, "user">) {
      await trackTime(db, { userId: viewer.id, ...body, idempotencyKey: req.get("idempotency-key") });
      return {};
    },

    async analytics({ viewer }: RouteRequest<undefined, undefined, undefined, "user">) {
      return { analytics: await readAnalytics(db, viewer.id) };
    },
  };
}
