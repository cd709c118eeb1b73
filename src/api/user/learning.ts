import { createIssuer } from "../../commands/issue-certificate.js";
import type { Deps } from "../../deps.js";
import type { RouteGroup } from "../../http/route.js";
import { certificatesGroup } from "./certificates.routes.js";
import { profileGroup } from "./profile.routes.js";
import { progressGroup } from "./progress.routes.js";
import { ratingsGroup } from "./ratings.routes.js";
import { timeGroup } from "./time.routes.js";

/** What a learner does with the courses they are enrolled in. */
export function learningGroups(deps: Deps): RouteGroup[] {
  const issue = createIssuer(deps);
  return [
    profileGroup(deps),
    progressGroup(deps, issue),
    certificatesGroup(deps, issue),
    ratingsGroup(deps),
    timeGroup(deps),
  ];
}
