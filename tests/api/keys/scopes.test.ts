import { Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { apiGroups } from "../../../src/app.js";
import { type KeyScope, keyScopes } from "../../../src/models/users/api-key.js";
import { refusal } from "../../assertions/refusal.js";
import { createKey } from "../../factories/api-keys.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const routes = apiGroups({ ...server.deps, metrics: new Registry() }).flatMap(({ base, routes }) =>
  routes.map(({ method, path, access, scope }) => ({ name: `${method.toUpperCase()} ${base}${path}`, access, scope })),
);

const certified = ["educator", "admin"].flatMap((role) => [`/api/${role}/courses/:id`, `/api/${role}/paths/:pathId`]);

/** What each scope opens, by the contract. */
const table: Record<KeyScope, string[]> = {
  "courses:read": ["educator", "admin"].flatMap((role) => [`GET /api/${role}/courses`, `GET /api/${role}/paths`]),
  "learners:read": [
    "GET /api/educator/enrolled-students",
    "GET /api/admin/users",
    ...["educator", "admin"].flatMap((role) => [
      `GET /api/${role}/courses/:id/learners`,
      `GET /api/${role}/courses/:id/learners/:userId`,
      `GET /api/${role}/courses/:id/funnel`,
      `GET /api/${role}/courses/:id/gradebook.csv`,
    ]),
  ],
  "learners:write": ["educator", "admin"].map((role) => `POST /api/${role}/courses/:id/learners/:userId/reset`),
  "certificates:read": certified.map((item) => `GET ${item}/certificates`),
  "certificates:write": certified.flatMap((item) => [
    `POST ${item}/certificates/:certificateId/reissue`,
    `POST ${item}/certificates/:certificateId/revoke`,
  ]),
  "enrollments:read": ["/api/admin", "/api/educator/courses/:courseId"]
    .flatMap((base) => [
      `GET ${base}/enrollments`,
      `GET ${base}/enrollments/imports/:importId`,
      `GET ${base}/enrollments/imports/:importId/result.csv`,
    ])
    .concat(["educator", "admin"].map((role) => `GET /api/${role}/paths/:pathId/enrollments`)),
  "enrollments:write": ["/api/admin", "/api/educator/courses/:courseId"]
    .flatMap((base) => [
      `POST ${base}/enrollments`,
      `DELETE ${base}/enrollments/:id`,
      `POST ${base}/enrollments/import`,
    ])
    .concat(
      ["educator", "admin"].flatMap((role) => [
        `POST /api/${role}/paths/:pathId/enrollments`,
        `DELETE /api/${role}/paths/:pathId/enrollments/:enrollmentId`,
      ]),
    ),
  "purchases:read": ["GET /api/admin/purchases", "GET /api/admin/purchases/:id/invoice"],
  "coupons:read": ["GET /api/admin/coupons", "GET /api/educator/coupons"],
  "coupons:write": ["admin", "educator"].flatMap((role) => [
    `POST /api/${role}/coupons`,
    `PATCH /api/${role}/coupons/:id`,
  ]),
  "events:read": ["admin", "educator"].flatMap((role) => [
    `GET /api/${role}/events`,
    `GET /api/${role}/webhooks/event-types`,
  ]),
  "webhooks:write": ["admin", "educator"].flatMap((role) => [
    `POST /api/${role}/webhooks`,
    `GET /api/${role}/webhooks`,
    `PATCH /api/${role}/webhooks/:id`,
    `DELETE /api/${role}/webhooks/:id`,
    `POST /api/${role}/webhooks/:id/rotate-secret`,
    `POST /api/${role}/webhooks/:id/ping`,
    `GET /api/${role}/webhooks/:id/deliveries`,
    `POST /api/${role}/webhooks/:id/deliveries/:deliveryId/resend`,
  ]),
};

test("each scope opens the routes of the contract, and nothing else", () => {
  for (const scope of keyScopes) {
    const opened = routes.filter((route) => route.scope === scope).map(({ name }) => name);
    expect([scope, opened.sort()]).toEqual([scope, [...table[scope]].sort()]);
  }
});

const owners = { admin: await server.signedIn("admin"), educator: await server.signedIn("educator") };
const rolesOf = (scope: KeyScope) =>
  scope === "purchases:read" ? (["admin"] as const) : (["admin", "educator"] as const);

describe.each(keyScopes)("%s", (scope) => {
  test.each(rolesOf(scope))("opens its routes and no others to a key of an %s", async (role) => {
    const { secret } = await createKey(server, owners[role], role, { scopes: [scope] });
    const included = scope.endsWith(":write") ? [scope, scope.replace("write", "read")] : [scope];
    for (const { name, access, scope: wanted } of routes.filter((route) => route.access === role)) {
      const [method = "", path = ""] = name.split(" ");
      const target = path.replace(/:\w+/g, "665f1c2ab7e4d90012ab34cd");
      const answer = await server.call(method, target, {
        token: secret,
        ...(method === "GET" ? {} : { body: {} }),
      });
      if (wanted && included.includes(wanted)) expect([name, [401, 403]]).not.toContain([name, answer.status]);
      else expect([name, access, answer]).toMatchObject([name, role, refusal(403, "Unauthorized Access")]);
    }
  });
});
