import cors from "cors";
import express, { type Express } from "express";
import helmet from "helmet";
import { applicationsGroup } from "./api/admin/applications/applications.routes.js";
import { moderationGroup } from "./api/admin/moderation/moderation.routes.js";
import { overviewGroup } from "./api/admin/overview/overview.routes.js";
import { paymentsGroup } from "./api/admin/payments/payments.routes.js";
import { assessmentGroups } from "./api/assessments/assessments.routes.js";
import { certificatesGroup } from "./api/certificates/certificates.routes.js";
import { chatGroup } from "./api/chat/chat.routes.js";
import { groupsGroup } from "./api/community/groups/groups.routes.js";
import { postsGroup } from "./api/community/posts/posts.routes.js";
import { repliesGroup } from "./api/community/replies/replies.routes.js";
import { couponGroups } from "./api/coupons/coupons.routes.js";
import { courseGroup } from "./api/courses/courses.routes.js";
import { credentialGroups } from "./api/credentials/credentials.routes.js";
import { announcementsGroup } from "./api/educator/announcements/announcements.routes.js";
import { ownApplicationGroup } from "./api/educator/applications/applications.routes.js";
import { educatorCoursesGroup } from "./api/educator/courses/courses.routes.js";
import { dashboardsGroup } from "./api/educator/dashboards/dashboards.routes.js";
import { enrollmentGroups } from "./api/enrollments/enrollments.routes.js";
import { eventsGroups } from "./api/events/events.routes.js";
import { importGroups } from "./api/imports/imports.routes.js";
import { keysGroups } from "./api/keys/keys.routes.js";
import { learnersGroups } from "./api/learners/learners.routes.js";
import { lecturesGroup } from "./api/lectures/lectures.routes.js";
import { managedCertificatesGroups, templateGroups } from "./api/managed-certificates/managed-certificates.routes.js";
import { notificationsGroup } from "./api/notifications/notifications.routes.js";
import { ordersGroups } from "./api/orders/orders.routes.js";
import { ownPathsGroup } from "./api/own-paths/own-paths.routes.js";
import { pathGroups } from "./api/paths/paths.routes.js";
import { privacyGroup } from "./api/privacy/privacy.routes.js";
import { profileGroup } from "./api/profile/profile.routes.js";
import { progressGroup } from "./api/progress/progress.routes.js";
import { purchaseGroup } from "./api/purchases/purchases.routes.js";
import { questionsGroup } from "./api/questions/questions.routes.js";
import { quizGroup } from "./api/quizzes/quizzes.routes.js";
import { ratingsGroup } from "./api/ratings/ratings.routes.js";
import { resourceGroups } from "./api/resources/resources.routes.js";
import { reviewsGroups } from "./api/reviews/reviews.routes.js";
import { roadmapsGroup } from "./api/roadmaps/roadmaps.routes.js";
import { timeTrackingGroup } from "./api/time-tracking/time-tracking.routes.js";
import { unsubscribeGroup } from "./api/unsubscribe/unsubscribe.routes.js";
import { verificationGroup } from "./api/verification/verification.routes.js";
import { webhooksGroups } from "./api/webhooks/webhooks.routes.js";
import type { Deps } from "./deps.js";
import { authenticate } from "./http/auth/authenticate.js";
import { authenticateKey } from "./http/auth/authenticate-key.js";
import { maskKeyInAddress, refuseKeyInAddress } from "./http/auth/key-in-address.js";
import { callerOf } from "./http/context.js";
import { pathMatcher, shedOverload } from "./http/limits/overload.js";
import { limitUnderWay, limitUploads } from "./http/limits/requests-under-way.js";
import { mountGroups, patternOf } from "./http/mount.js";
import { documentation } from "./http/openapi/documentation.js";
import { watchOutcomes } from "./http/outcomes.js";
import { createBodyReader, dropBody, rawBody } from "./http/pipeline/bodies.js";
import { errorHandler } from "./http/pipeline/error-handler.js";
import { invalidHeader } from "./http/pipeline/explain-invalid.js";
import { acceptBrokenEncoding } from "./http/pipeline/literal-path.js";
import { operations } from "./http/pipeline/operations.js";
import { logRefusedOrigins, requestLog } from "./http/pipeline/request-log.js";
import { requestMetrics, setRouteLabel } from "./http/pipeline/request-metrics.js";
import { boundReplies } from "./http/replies/send-text.js";
import { isAboutMoney, type Route, type RouteGroup } from "./http/route.js";
import { errorCodeHeader, RouteNotFound } from "./lib/errors.js";
import { effectiveRole } from "./models/users/user.js";
import { createCourseFinder } from "./services/courses/course-view.js";
import { createKeyFinder } from "./services/keys/find-key.js";
import { createSearchLimit } from "./services/search-limit.js";
import { clerkSignature, clerkWebhook } from "./webhooks/clerk.js";
import { razorpaySignature, razorpayWebhook } from "./webhooks/razorpay.js";
import { receivedWebhooks } from "./webhooks/webhook-operations.js";

/** Creates the route groups of the API. Groups of one base share a router. */
export function apiGroups(deps: Deps): RouteGroup[] {
  const findCourse = createCourseFinder(deps.db);
  const runSearch = createSearchLimit(deps.metrics);
  return [
    courseGroup(deps, findCourse, runSearch),
    purchaseGroup(deps),
    paymentsGroup(deps),
    profileGroup(deps, findCourse),
    notificationsGroup(deps),
    unsubscribeGroup(deps),
    privacyGroup(deps),
    progressGroup(deps),
    certificatesGroup(deps),
    ...managedCertificatesGroups(deps, runSearch),
    ...templateGroups(deps),
    ratingsGroup(deps),
    ...reviewsGroups(deps),
    timeTrackingGroup(deps),
    verificationGroup(deps),
    ...credentialGroups(deps),
    groupsGroup(deps),
    postsGroup(deps, runSearch),
    repliesGroup(deps),
    ownApplicationGroup(deps),
    educatorCoursesGroup(deps),
    ...pathGroups(deps, runSearch),
    announcementsGroup(deps),
    dashboardsGroup(deps),
    overviewGroup(deps),
    applicationsGroup(deps),
    chatGroup(deps),
    roadmapsGroup(deps),
    // Before the quizzes, because `/attempts/:attemptId` looks like a course and its chapter.
    ...assessmentGroups(deps),
    quizGroup(deps),
    questionsGroup(deps),
    moderationGroup(deps),
    ...couponGroups(deps),
    ...ordersGroups(deps),
    ...enrollmentGroups(deps),
    ...importGroups(deps),
    ...learnersGroups(deps, runSearch),
    ...eventsGroups(deps),
    ...webhooksGroups(deps),
    ...keysGroups(deps),
    ...resourceGroups(deps),
    lecturesGroup(deps),
    ownPathsGroup(deps),
  ];
}

/** Creates a test for the paths of some routes. */
const pathsOf = (groups: readonly RouteGroup[], isMeant: (route: Route) => boolean) =>
  pathMatcher(
    groups.flatMap(({ base, routes }) => routes.filter(isMeant).map(({ path }) => patternOf({ base }, path))),
  );

/** Maximum number of concurrent requests of one user. A browser sends six at once over HTTP/1.1. */
const maxPerUser = 64;

/** Time for which a browser may cache a preflight. No browser caches longer. */
const preflightLastsSeconds = 7_200;

/** Creates the application with the whole pipeline, in order. */
export function createApp(deps: Deps): Express {
  const { config, log } = deps;
  const app = express();
  const groups = apiGroups(deps);

  app.disable("x-powered-by");
  app.set("trust proxy", config.trustProxyHops);
  app.set("etag", false);
  // `q[]=` and `q[$ne]=` become the parameter `q` with a wrong type, which is refused.
  app.set("query parser", "extended");

  const security = helmet({ crossOriginResourcePolicy: { policy: "cross-origin" } });
  const isOpen = pathsOf(groups, ({ anyOrigin }) => anyOrigin === true);
  const crossOrigin = {
    origin: config.frontendOrigin,
    methods: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"],
    exposedHeaders: [
      "RateLimit-Policy",
      "RateLimit-Limit",
      "RateLimit-Remaining",
      "RateLimit-Reset",
      "Retry-After",
      "X-Request-Id",
      "Content-Disposition",
      "Content-Range",
      "Accept-Ranges",
      "ETag",
      errorCodeHeader,
      invalidHeader,
    ],
    maxAge: preflightLastsSeconds,
    optionsSuccessStatus: 204,
  };

  const metrics = requestMetrics(deps.metrics);
  app.use(metrics.measure);
  app.use(maskKeyInAddress, requestLog(log));
  app.use(security, boundReplies());
  app.use((_req, res, next) => {
    // By default no cache keeps a reply, so that no proxy gives one caller's reply to another caller.
    res.setHeader("Cache-Control", "no-store");
    next();
  });
  app.use(logRefusedOrigins(log, config.frontendOrigin, isOpen));
  app.use(cors(({ path }, use) => use(null, isOpen(path) ? { ...crossOrigin, origin: "*" } : crossOrigin)));
  app.use(refuseKeyInAddress);
  app.use(acceptBrokenEncoding);
  app.use(operations(deps));
  const watch = watchOutcomes(deps.metrics, log);
  const [identityBody, paymentBody] = [rawBody(clerkSignature), rawBody(razorpaySignature)];
  app.post("/clerk", setRouteLabel("/clerk"), watch("identity_webhook"), identityBody, clerkWebhook(deps));
  app.post("/razorpay", setRouteLabel("/razorpay"), watch("payment_webhook"), paymentBody, razorpayWebhook(deps));

  const about = {
    title: config.platform.name,
    identityEmulator: identityEmulatorOf(config),
    received: receivedWebhooks,
  };
  app.use("/api/docs", dropBody);
  app.use(documentation(groups, about));
  const isSpared = pathsOf(groups, isAboutMoney);
  app.use("/api", shedOverload({ isSpared, onRefused: () => metrics.refused("event_loop") }));
  const readBody = createBodyReader();
  mountGroups(app, groups, {
    watch,
    authenticate: [
      authenticate({ ...config.identity, party: config.frontendOrigin }),
      authenticateKey(createKeyFinder(deps), deps.limits),
    ],
    underWay: [
      limitUnderWay({
        atOnce: maxPerUser,
        keyOf: (req) => (isSpared(req.baseUrl + req.path) ? undefined : callerOf(req)),
        onRefused: () => metrics.refused("user"),
      }),
    ],
    limits: deps.limits,
    uploads: limitUploads({ onRefused: () => metrics.refused("uploads") }),
    readBody,
    roleOf: (viewer) => effectiveRole(deps.db, viewer),
  });

  app.use(readBody());
  app.use(() => {
    throw RouteNotFound();
  });
  app.use(errorHandler(log, { detail: !config.production }));
  return app;
}

/** Outside production, an identity provider on this machine is the emulator. */
function identityEmulatorOf({ production, identity }: Deps["config"]): string | undefined {
  const { apiUrl } = identity;
  return !production && apiUrl && new URL(apiUrl).hostname === "127.0.0.1" ? apiUrl : undefined;
}
