// Generated from openapi.json by `npm run client`.

import { client } from './client.gen.js';
import { type Client, formDataBodySerializer, type Options as Options2, type TDataShape } from './client/index.js';
import type { ClerkWebhookData, ClerkWebhookErrors, ClerkWebhookResponses, DeleteAdminCommunityPostsPostIdData, DeleteAdminCommunityPostsPostIdErrors, DeleteAdminCommunityPostsPostIdResponses, DeleteAdminCommunityRepliesReplyIdData, DeleteAdminCommunityRepliesReplyIdErrors, DeleteAdminCommunityRepliesReplyIdResponses, DeleteAdminEnrollmentsIdData, DeleteAdminEnrollmentsIdErrors, DeleteAdminEnrollmentsIdResponses, DeleteAdminGroupsIdData, DeleteAdminGroupsIdErrors, DeleteAdminGroupsIdResponses, DeleteCommunityPostsPostIdData, DeleteCommunityPostsPostIdErrors, DeleteCommunityPostsPostIdRepliesReplyIdData, DeleteCommunityPostsPostIdRepliesReplyIdErrors, DeleteCommunityPostsPostIdRepliesReplyIdResponses, DeleteCommunityPostsPostIdResponses, DeleteEducatorCoursesCourseIdEnrollmentsIdData, DeleteEducatorCoursesCourseIdEnrollmentsIdErrors, DeleteEducatorCoursesCourseIdEnrollmentsIdResponses, DeleteUserChatSessionIdData, DeleteUserChatSessionIdErrors, DeleteUserChatSessionIdResponses, DeleteUserDataData, DeleteUserDataErrors, DeleteUserDataResponses, GetAdminAuditData, GetAdminAuditErrors, GetAdminAuditResponses, GetAdminChartDataData, GetAdminChartDataErrors, GetAdminChartDataResponses, GetAdminCommunityReportsData, GetAdminCommunityReportsErrors, GetAdminCommunityReportsResponses, GetAdminCouponsData, GetAdminCouponsErrors, GetAdminCouponsResponses, GetAdminCoursesData, GetAdminCoursesErrors, GetAdminCoursesResponses, GetAdminEducatorApplicationsData, GetAdminEducatorApplicationsErrors, GetAdminEducatorApplicationsResponses, GetAdminEnrollmentsData, GetAdminEnrollmentsErrors, GetAdminEnrollmentsImportsImportIdData, GetAdminEnrollmentsImportsImportIdErrors, GetAdminEnrollmentsImportsImportIdResponses, GetAdminEnrollmentsImportsImportIdResultCsvData, GetAdminEnrollmentsImportsImportIdResultCsvErrors, GetAdminEnrollmentsImportsImportIdResultCsvResponses, GetAdminEnrollmentsResponses, GetAdminPaymentEventsData, GetAdminPaymentEventsErrors, GetAdminPaymentEventsResponses, GetAdminPurchasesCsvData, GetAdminPurchasesCsvErrors, GetAdminPurchasesCsvResponses, GetAdminPurchasesData, GetAdminPurchasesErrors, GetAdminPurchasesIdInvoiceData, GetAdminPurchasesIdInvoiceErrors, GetAdminPurchasesIdInvoiceResponses, GetAdminPurchasesResponses, GetAdminStatsData, GetAdminStatsErrors, GetAdminStatsResponses, GetAdminUsersData, GetAdminUsersErrors, GetAdminUsersResponses, GetCertificateVerifyCertificateIdData, GetCertificateVerifyCertificateIdErrors, GetCertificateVerifyCertificateIdResponses, GetCommunityGroupsData, GetCommunityGroupsErrors, GetCommunityGroupsResponses, GetCommunityPostsData, GetCommunityPostsErrors, GetCommunityPostsPostIdData, GetCommunityPostsPostIdErrors, GetCommunityPostsPostIdResponses, GetCommunityPostsResponses, GetCourseAllData, GetCourseAllErrors, GetCourseAllResponses, GetCourseIdData, GetCourseIdErrors, GetCourseIdResponses, GetEducatorApplicationStatusData, GetEducatorApplicationStatusErrors, GetEducatorApplicationStatusResponses, GetEducatorCouponsData, GetEducatorCouponsErrors, GetEducatorCouponsResponses, GetEducatorCoursesCourseIdEnrollmentsData, GetEducatorCoursesCourseIdEnrollmentsErrors, GetEducatorCoursesCourseIdEnrollmentsImportsImportIdData, GetEducatorCoursesCourseIdEnrollmentsImportsImportIdErrors, GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResponses, GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvData, GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvErrors, GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvResponses, GetEducatorCoursesCourseIdEnrollmentsResponses, GetEducatorCoursesData, GetEducatorCoursesErrors, GetEducatorCoursesIdData, GetEducatorCoursesIdErrors, GetEducatorCoursesIdResponses, GetEducatorCoursesResponses, GetEducatorDashboardData, GetEducatorDashboardErrors, GetEducatorDashboardResponses, GetEducatorEnrolledStudentsCsvData, GetEducatorEnrolledStudentsCsvErrors, GetEducatorEnrolledStudentsCsvResponses, GetEducatorEnrolledStudentsData, GetEducatorEnrolledStudentsErrors, GetEducatorEnrolledStudentsResponses, GetQuizCourseIdChapterIdData, GetQuizCourseIdChapterIdErrors, GetQuizCourseIdChapterIdResponses, GetQuizCourseResultsCourseIdData, GetQuizCourseResultsCourseIdErrors, GetQuizCourseResultsCourseIdResponses, GetQuizEducatorInsightsData, GetQuizEducatorInsightsErrors, GetQuizEducatorInsightsResponses, GetQuizMyResultsData, GetQuizMyResultsErrors, GetQuizMyResultsResponses, GetQuizResultsCourseIdChapterIdData, GetQuizResultsCourseIdChapterIdErrors, GetQuizResultsCourseIdChapterIdResponses, GetUserAnalyticsData, GetUserAnalyticsErrors, GetUserAnalyticsResponses, GetUserCertificateCheckCourseIdData, GetUserCertificateCheckCourseIdErrors, GetUserCertificateCheckCourseIdResponses, GetUserCertificateCourseIdData, GetUserCertificateCourseIdErrors, GetUserCertificateCourseIdResponses, GetUserChatSessionIdData, GetUserChatSessionIdErrors, GetUserChatSessionIdResponses, GetUserContinueData, GetUserContinueErrors, GetUserContinueResponses, GetUserDataData, GetUserDataErrors, GetUserDataResponses, GetUserEnrolledCoursesCourseIdData, GetUserEnrolledCoursesCourseIdErrors, GetUserEnrolledCoursesCourseIdResponses, GetUserEnrolledCoursesData, GetUserEnrolledCoursesErrors, GetUserEnrolledCoursesResponses, GetUserExportData, GetUserExportErrors, GetUserExportResponses, GetUserPurchasesData, GetUserPurchasesErrors, GetUserPurchasesIdInvoiceData, GetUserPurchasesIdInvoiceErrors, GetUserPurchasesIdInvoiceResponses, GetUserPurchasesResponses, HealthData, HealthResponses, MetricsData, MetricsErrors, MetricsResponses, OpenapiData, OpenapiResponses, PatchAdminCouponsIdData, PatchAdminCouponsIdErrors, PatchAdminCouponsIdResponses, PatchAdminEducatorApplicationsIdApproveData, PatchAdminEducatorApplicationsIdApproveErrors, PatchAdminEducatorApplicationsIdApproveResponses, PatchAdminEducatorApplicationsIdRejectData, PatchAdminEducatorApplicationsIdRejectErrors, PatchAdminEducatorApplicationsIdRejectResponses, PatchCommunityPostsPostIdData, PatchCommunityPostsPostIdErrors, PatchCommunityPostsPostIdRepliesReplyIdAcceptData, PatchCommunityPostsPostIdRepliesReplyIdAcceptErrors, PatchCommunityPostsPostIdRepliesReplyIdAcceptResponses, PatchCommunityPostsPostIdRepliesReplyIdData, PatchCommunityPostsPostIdRepliesReplyIdErrors, PatchCommunityPostsPostIdRepliesReplyIdResponses, PatchCommunityPostsPostIdResolveData, PatchCommunityPostsPostIdResolveErrors, PatchCommunityPostsPostIdResolveResponses, PatchCommunityPostsPostIdResponses, PatchEducatorCouponsIdData, PatchEducatorCouponsIdErrors, PatchEducatorCouponsIdResponses, PatchEducatorCoursesIdData, PatchEducatorCoursesIdErrors, PatchEducatorCoursesIdPublishData, PatchEducatorCoursesIdPublishErrors, PatchEducatorCoursesIdPublishResponses, PatchEducatorCoursesIdResponses, PostAdminCommunityReportsIdResolveData, PostAdminCommunityReportsIdResolveErrors, PostAdminCommunityReportsIdResolveResponses, PostAdminCouponsData, PostAdminCouponsErrors, PostAdminCouponsResponses, PostAdminEnrollmentsData, PostAdminEnrollmentsErrors, PostAdminEnrollmentsImportData, PostAdminEnrollmentsImportErrors, PostAdminEnrollmentsImportResponses, PostAdminEnrollmentsResponses, PostAdminPaymentEventsIdReplayData, PostAdminPaymentEventsIdReplayErrors, PostAdminPaymentEventsIdReplayResponses, PostAdminPaymentEventsIdReviewData, PostAdminPaymentEventsIdReviewErrors, PostAdminPaymentEventsIdReviewResponses, PostAdminPurchasesIdRefundData, PostAdminPurchasesIdRefundErrors, PostAdminPurchasesIdRefundResponses, PostAdminPurchasesIdReviewData, PostAdminPurchasesIdReviewErrors, PostAdminPurchasesIdReviewResponses, PostCommunityGroupsData, PostCommunityGroupsErrors, PostCommunityGroupsGroupIdMembershipData, PostCommunityGroupsGroupIdMembershipErrors, PostCommunityGroupsGroupIdMembershipResponses, PostCommunityGroupsResponses, PostCommunityPostsData, PostCommunityPostsErrors, PostCommunityPostsPostIdRepliesData, PostCommunityPostsPostIdRepliesErrors, PostCommunityPostsPostIdRepliesReplyIdReportData, PostCommunityPostsPostIdRepliesReplyIdReportErrors, PostCommunityPostsPostIdRepliesReplyIdReportResponses, PostCommunityPostsPostIdRepliesReplyIdUpvoteData, PostCommunityPostsPostIdRepliesReplyIdUpvoteErrors, PostCommunityPostsPostIdRepliesReplyIdUpvoteResponses, PostCommunityPostsPostIdRepliesResponses, PostCommunityPostsPostIdReportData, PostCommunityPostsPostIdReportErrors, PostCommunityPostsPostIdReportResponses, PostCommunityPostsPostIdUpvoteData, PostCommunityPostsPostIdUpvoteErrors, PostCommunityPostsPostIdUpvoteResponses, PostCommunityPostsResponses, PostEducatorAddCourseData, PostEducatorAddCourseErrors, PostEducatorAddCourseResponses, PostEducatorApplyData, PostEducatorApplyErrors, PostEducatorApplyResponses, PostEducatorCouponsData, PostEducatorCouponsErrors, PostEducatorCouponsResponses, PostEducatorCoursesCourseIdEnrollmentsData, PostEducatorCoursesCourseIdEnrollmentsErrors, PostEducatorCoursesCourseIdEnrollmentsImportData, PostEducatorCoursesCourseIdEnrollmentsImportErrors, PostEducatorCoursesCourseIdEnrollmentsImportResponses, PostEducatorCoursesCourseIdEnrollmentsResponses, PostQuizGenerateData, PostQuizGenerateErrors, PostQuizGenerateResponses, PostQuizSubmitData, PostQuizSubmitErrors, PostQuizSubmitResponses, PostUserAddRatingData, PostUserAddRatingErrors, PostUserAddRatingResponses, PostUserAiChatData, PostUserAiChatErrors, PostUserAiChatResponses, PostUserCertificateGenerateCourseIdData, PostUserCertificateGenerateCourseIdErrors, PostUserCertificateGenerateCourseIdResponses, PostUserCouponCheckData, PostUserCouponCheckErrors, PostUserCouponCheckResponses, PostUserGenerateCustomRoadmapData, PostUserGenerateCustomRoadmapErrors, PostUserGenerateCustomRoadmapResponses, PostUserGeneratePersonalRoadmapData, PostUserGeneratePersonalRoadmapErrors, PostUserGeneratePersonalRoadmapResponses, PostUserGetCourseProgressData, PostUserGetCourseProgressErrors, PostUserGetCourseProgressResponses, PostUserPreviousChatsData, PostUserPreviousChatsErrors, PostUserPreviousChatsResponses, PostUserPurchaseData, PostUserPurchaseErrors, PostUserPurchaseResponses, PostUserTrackTimeData, PostUserTrackTimeErrors, PostUserTrackTimeResponses, PostUserUpdateCourseProgressData, PostUserUpdateCourseProgressErrors, PostUserUpdateCourseProgressResponses, PostUserVerifyRazorpayData, PostUserVerifyRazorpayErrors, PostUserVerifyRazorpayResponses, RazorpayWebhookData, RazorpayWebhookErrors, RazorpayWebhookResponses, ReadinessData, ReadinessErrors, ReadinessResponses, ReferenceData, ReferenceResponses, RootData, RootResponses } from './types.gen.js';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: Record<string, unknown>;
};

/**
 * Plain answer of a working API
 */
export const root = <ThrowOnError extends boolean = false>(options?: Options<RootData, ThrowOnError>) => (options?.client ?? client).get<RootResponses, unknown, ThrowOnError>({ url: '/', ...options });

/**
 * Health of the process
 */
export const health = <ThrowOnError extends boolean = false>(options?: Options<HealthData, ThrowOnError>) => (options?.client ?? client).get<HealthResponses, unknown, ThrowOnError>({ url: '/healthz', ...options });

/**
 * Readiness: whether the database answers
 */
export const readiness = <ThrowOnError extends boolean = false>(options?: Options<ReadinessData, ThrowOnError>) => (options?.client ?? client).get<ReadinessResponses, ReadinessErrors, ThrowOnError>({ url: '/readyz', ...options });

/**
 * Metrics in Prometheus' text format
 *
 * Requires `METRICS_TOKEN` as a bearer token if it is set. Without it the metrics are open, but in production they are 404 unless `METRICS=open` is set.
 */
export const metrics = <ThrowOnError extends boolean = false>(options?: Options<MetricsData, ThrowOnError>) => (options?.client ?? client).get<MetricsResponses, MetricsErrors, ThrowOnError>({ url: '/metrics', ...options });

/**
 * The API reference page
 */
export const reference = <ThrowOnError extends boolean = false>(options?: Options<ReferenceData, ThrowOnError>) => (options?.client ?? client).get<ReferenceResponses, unknown, ThrowOnError>({ url: '/api/docs', ...options });

/**
 * This description
 */
export const openapi = <ThrowOnError extends boolean = false>(options?: Options<OpenapiData, ThrowOnError>) => (options?.client ?? client).get<OpenapiResponses, unknown, ThrowOnError>({ url: '/api/openapi.json', ...options });

/**
 * Events of the identity provider
 *
 * Signed by svix over `<id>.<timestamp>.<body>`, body up to 1 MB. The provider repeats an event until the status is 2xx. `webhooks` describes the events.
 */
export const clerkWebhook = <ThrowOnError extends boolean = false>(options: Options<ClerkWebhookData, ThrowOnError>) => (options.client ?? client).post<ClerkWebhookResponses, ClerkWebhookErrors, ThrowOnError>({
    url: '/clerk',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Events of the payment provider
 *
 * Signed with HMAC-SHA256 over the body, in hex; body up to 1 MB. The provider repeats an event until the status is 200 or 400. `webhooks` describes the events.
 */
export const razorpayWebhook = <ThrowOnError extends boolean = false>(options: Options<RazorpayWebhookData, ThrowOnError>) => (options.client ?? client).post<RazorpayWebhookResponses, RazorpayWebhookErrors, ThrowOnError>({
    url: '/razorpay',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Every published course
 *
 * In creation order unless `sort` says otherwise. Compressed, with a strong `ETag`.
 */
export const getCourseAll = <ThrowOnError extends boolean = false>(options?: Options<GetCourseAllData, ThrowOnError>) => (options?.client ?? client).get<GetCourseAllResponses, GetCourseAllErrors, ThrowOnError>({ url: '/api/course/all', ...options });

/**
 * One course with its curriculum
 *
 * Drafts are included. Only free previews have their video URL.
 */
export const getCourseId = <ThrowOnError extends boolean = false>(options: Options<GetCourseIdData, ThrowOnError>) => (options.client ?? client).get<GetCourseIdResponses, GetCourseIdErrors, ThrowOnError>({ url: '/api/course/{id}', ...options });

/**
 * Open the purchase of a course
 *
 * Returns the data for the provider's checkout. A free course is enrolled at once. Repeating the request returns the unfinished purchase. With an `Idempotency-Key` header, the same request gets the saved reply for a day.
 *
 * **Limit:** 10 requests in 15 min for one caller.
 */
export const postUserPurchase = <ThrowOnError extends boolean = false>(options: Options<PostUserPurchaseData, ThrowOnError>) => (options.client ?? client).post<PostUserPurchaseResponses, PostUserPurchaseErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/purchase',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify a payment by the checkout's signature
 *
 * Completes the purchase. The caller is enrolled when the reply arrives.
 *
 * **Limit:** 10 requests in 15 min for one caller.
 */
export const postUserVerifyRazorpay = <ThrowOnError extends boolean = false>(options: Options<PostUserVerifyRazorpayData, ThrowOnError>) => (options.client ?? client).post<PostUserVerifyRazorpayResponses, PostUserVerifyRazorpayErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/verify-razorpay',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Refund a payment of a purchase
 *
 * Asks the provider to refund the rest of a payment. The purchase becomes `refunded`, and access ends, when the provider reports that the payment that completed the purchase is refunded. Repeating the request moves no more money. After a refusal or a failed refund it starts a new refund.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const postAdminPurchasesIdRefund = <ThrowOnError extends boolean = false>(options: Options<PostAdminPurchasesIdRefundData, ThrowOnError>) => (options.client ?? client).post<PostAdminPurchasesIdRefundResponses, PostAdminPurchasesIdRefundErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/purchases/{id}/refund',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Settle a reason for the review of a purchase
 *
 * Other reasons stay open. `reviewReason` shows the newest open reason.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const postAdminPurchasesIdReview = <ThrowOnError extends boolean = false>(options: Options<PostAdminPurchasesIdReviewData, ThrowOnError>) => (options.client ?? client).post<PostAdminPurchasesIdReviewResponses, PostAdminPurchasesIdReviewErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/purchases/{id}/review',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Payment events
 *
 * Newest first, a page at a time.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminPaymentEvents = <ThrowOnError extends boolean = false>(options?: Options<GetAdminPaymentEventsData, ThrowOnError>) => (options?.client ?? client).get<GetAdminPaymentEventsResponses, GetAdminPaymentEventsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/payment-events',
    ...options
});

/**
 * Process a stored payment event again
 *
 * Has the effect of a redelivery by the provider. It may be repeated.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const postAdminPaymentEventsIdReplay = <ThrowOnError extends boolean = false>(options: Options<PostAdminPaymentEventsIdReplayData, ThrowOnError>) => (options.client ?? client).post<PostAdminPaymentEventsIdReplayResponses, PostAdminPaymentEventsIdReplayErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/payment-events/{id}/replay',
    ...options
});

/**
 * Settle a payment event that needs review
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const postAdminPaymentEventsIdReview = <ThrowOnError extends boolean = false>(options: Options<PostAdminPaymentEventsIdReviewData, ThrowOnError>) => (options.client ?? client).post<PostAdminPaymentEventsIdReviewResponses, PostAdminPaymentEventsIdReviewErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/payment-events/{id}/review',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Erase the data stored about the caller
 *
 * Access to courses ends. Posts and replies stay under the name `Deleted user`, and purchases stay without the user. The request may be repeated. The account itself has to be deleted at the identity provider.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteUserData = <ThrowOnError extends boolean = false>(options: Options<DeleteUserDataData, ThrowOnError>) => (options.client ?? client).delete<DeleteUserDataResponses, DeleteUserDataErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/data',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The caller's profile
 */
export const getUserData = <ThrowOnError extends boolean = false>(options?: Options<GetUserDataData, ThrowOnError>) => (options?.client ?? client).get<GetUserDataResponses, GetUserDataErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/data',
    ...options
});

/**
 * The caller's courses, oldest enrollment first
 */
export const getUserEnrolledCourses = <ThrowOnError extends boolean = false>(options?: Options<GetUserEnrolledCoursesData, ThrowOnError>) => (options?.client ?? client).get<GetUserEnrolledCoursesResponses, GetUserEnrolledCoursesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/enrolled-courses',
    ...options
});

/**
 * One of the caller's courses, with every video URL
 */
export const getUserEnrolledCoursesCourseId = <ThrowOnError extends boolean = false>(options: Options<GetUserEnrolledCoursesCourseIdData, ThrowOnError>) => (options.client ?? client).get<GetUserEnrolledCoursesCourseIdResponses, GetUserEnrolledCoursesCourseIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/enrolled-courses/{courseId}',
    ...options
});

/**
 * Courses that the caller has begun and not completed, newest activity first
 */
export const getUserContinue = <ThrowOnError extends boolean = false>(options?: Options<GetUserContinueData, ThrowOnError>) => (options?.client ?? client).get<GetUserContinueResponses, GetUserContinueErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/continue',
    ...options
});

/**
 * Export the data stored about the caller
 *
 * Streamed. The rows of a list are in no particular order. Durations are in seconds.
 */
export const getUserExport = <ThrowOnError extends boolean = false>(options?: Options<GetUserExportData, ThrowOnError>) => (options?.client ?? client).get<GetUserExportResponses, GetUserExportErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/export',
    ...options
});

/**
 * Mark a lecture as completed
 *
 * The last lecture completes the course permanently and produces the certificate.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postUserUpdateCourseProgress = <ThrowOnError extends boolean = false>(options: Options<PostUserUpdateCourseProgressData, ThrowOnError>) => (options.client ?? client).post<PostUserUpdateCourseProgressResponses, PostUserUpdateCourseProgressErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/update-course-progress',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The caller's progress in a course
 *
 * `progressData` is null when nothing is stored. Any string is accepted as a course id.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postUserGetCourseProgress = <ThrowOnError extends boolean = false>(options: Options<PostUserGetCourseProgressData, ThrowOnError>) => (options.client ?? client).post<PostUserGetCourseProgressResponses, PostUserGetCourseProgressErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/get-course-progress',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Whether the caller has earned the certificate of a course, and whether it exists
 */
export const getUserCertificateCheckCourseId = <ThrowOnError extends boolean = false>(options: Options<GetUserCertificateCheckCourseIdData, ThrowOnError>) => (options.client ?? client).get<GetUserCertificateCheckCourseIdResponses, GetUserCertificateCheckCourseIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificate/check/{courseId}',
    ...options
});

/**
 * Produce the certificate of a completed course
 *
 * Simultaneous calls produce one PDF. Completing the course produces it too.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postUserCertificateGenerateCourseId = <ThrowOnError extends boolean = false>(options: Options<PostUserCertificateGenerateCourseIdData, ThrowOnError>) => (options.client ?? client).post<PostUserCertificateGenerateCourseIdResponses, PostUserCertificateGenerateCourseIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificate/generate/{courseId}',
    ...options
});

/**
 * The address of the certificate's PDF
 */
export const getUserCertificateCourseId = <ThrowOnError extends boolean = false>(options: Options<GetUserCertificateCourseIdData, ThrowOnError>) => (options.client ?? client).get<GetUserCertificateCourseIdResponses, GetUserCertificateCourseIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificate/{courseId}',
    ...options
});

/**
 * Rate a course, or change the rating
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postUserAddRating = <ThrowOnError extends boolean = false>(options: Options<PostUserAddRatingData, ThrowOnError>) => (options.client ?? client).post<PostUserAddRatingResponses, PostUserAddRatingErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/add-rating',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Record time spent on a page
 *
 * With an `Idempotency-Key` header, a session that is sent again counts once.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postUserTrackTime = <ThrowOnError extends boolean = false>(options: Options<PostUserTrackTimeData, ThrowOnError>) => (options.client ?? client).post<PostUserTrackTimeResponses, PostUserTrackTimeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/track-time',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Time spent, by page, day, course and quiz
 */
export const getUserAnalytics = <ThrowOnError extends boolean = false>(options?: Options<GetUserAnalyticsData, ThrowOnError>) => (options?.client ?? client).get<GetUserAnalyticsResponses, GetUserAnalyticsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/analytics',
    ...options
});

/**
 * Whether a certificate is genuine
 *
 * As JSON, or as a page when `Accept` prefers `text/html`.
 */
export const getCertificateVerifyCertificateId = <ThrowOnError extends boolean = false>(options: Options<GetCertificateVerifyCertificateIdData, ThrowOnError>) => (options.client ?? client).get<GetCertificateVerifyCertificateIdResponses, GetCertificateVerifyCertificateIdErrors, ThrowOnError>({ url: '/api/certificate/verify/{certificateId}', ...options });

/**
 * Every group
 *
 * Official groups first, then by number of members, then by name (code point order). One page with `limit`.
 */
export const getCommunityGroups = <ThrowOnError extends boolean = false>(options?: Options<GetCommunityGroupsData, ThrowOnError>) => (options?.client ?? client).get<GetCommunityGroupsResponses, GetCommunityGroupsErrors, ThrowOnError>({ url: '/api/community/groups', ...options });

/**
 * Create a group
 *
 * The caller becomes its first member. Names must differ in more than case and spacing, and in the slug. A user creates at most 5 groups a day (UTC) and 50 in all.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postCommunityGroups = <ThrowOnError extends boolean = false>(options: Options<PostCommunityGroupsData, ThrowOnError>) => (options.client ?? client).post<PostCommunityGroupsResponses, PostCommunityGroupsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/groups',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Join a group, or leave it
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postCommunityGroupsGroupIdMembership = <ThrowOnError extends boolean = false>(options: Options<PostCommunityGroupsGroupIdMembershipData, ThrowOnError>) => (options.client ?? client).post<PostCommunityGroupsGroupIdMembershipResponses, PostCommunityGroupsGroupIdMembershipErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/groups/{groupId}/membership',
    ...options
});

/**
 * Posts, newest first by default
 *
 * The whole list without `limit`, one page with it.
 */
export const getCommunityPosts = <ThrowOnError extends boolean = false>(options?: Options<GetCommunityPostsData, ThrowOnError>) => (options?.client ?? client).get<GetCommunityPostsResponses, GetCommunityPostsErrors, ThrowOnError>({ url: '/api/community/posts', ...options });

/**
 * Write a post
 *
 * In a group or without one. Membership is not required.
 *
 * **Limit:** 20 requests in 10 min for one caller.
 */
export const postCommunityPosts = <ThrowOnError extends boolean = false>(options: Options<PostCommunityPostsData, ThrowOnError>) => (options.client ?? client).post<PostCommunityPostsResponses, PostCommunityPostsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete one of the caller's posts with its replies
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteCommunityPostsPostId = <ThrowOnError extends boolean = false>(options: Options<DeleteCommunityPostsPostIdData, ThrowOnError>) => (options.client ?? client).delete<DeleteCommunityPostsPostIdResponses, DeleteCommunityPostsPostIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}',
    ...options
});

/**
 * One post with its replies
 *
 * The accepted reply first, then the others, oldest first.
 */
export const getCommunityPostsPostId = <ThrowOnError extends boolean = false>(options: Options<GetCommunityPostsPostIdData, ThrowOnError>) => (options.client ?? client).get<GetCommunityPostsPostIdResponses, GetCommunityPostsPostIdErrors, ThrowOnError>({ url: '/api/community/posts/{postId}', ...options });

/**
 * Edit one of the caller's posts
 *
 * Any of title, content and tags; sets `editedAt`.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const patchCommunityPostsPostId = <ThrowOnError extends boolean = false>(options: Options<PatchCommunityPostsPostIdData, ThrowOnError>) => (options.client ?? client).patch<PatchCommunityPostsPostIdResponses, PatchCommunityPostsPostIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Upvote a post, or remove the upvote
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postCommunityPostsPostIdUpvote = <ThrowOnError extends boolean = false>(options: Options<PostCommunityPostsPostIdUpvoteData, ThrowOnError>) => (options.client ?? client).post<PostCommunityPostsPostIdUpvoteResponses, PostCommunityPostsPostIdUpvoteErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/upvote',
    ...options
});

/**
 * Mark one of the caller's posts as resolved, or reopen it
 *
 * An accepted reply stays accepted.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const patchCommunityPostsPostIdResolve = <ThrowOnError extends boolean = false>(options: Options<PatchCommunityPostsPostIdResolveData, ThrowOnError>) => (options.client ?? client).patch<PatchCommunityPostsPostIdResolveResponses, PatchCommunityPostsPostIdResolveErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/resolve',
    ...options
});

/**
 * Report a post to the administrators
 *
 * A further report by the same user changes nothing while the first is open.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postCommunityPostsPostIdReport = <ThrowOnError extends boolean = false>(options: Options<PostCommunityPostsPostIdReportData, ThrowOnError>) => (options.client ?? client).post<PostCommunityPostsPostIdReportResponses, PostCommunityPostsPostIdReportErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/report',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Reply to a post
 *
 * **Limit:** 20 requests in 10 min for one caller.
 */
export const postCommunityPostsPostIdReplies = <ThrowOnError extends boolean = false>(options: Options<PostCommunityPostsPostIdRepliesData, ThrowOnError>) => (options.client ?? client).post<PostCommunityPostsPostIdRepliesResponses, PostCommunityPostsPostIdRepliesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/replies',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete one of the caller's replies
 *
 * Deleting the accepted reply reopens the post.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteCommunityPostsPostIdRepliesReplyId = <ThrowOnError extends boolean = false>(options: Options<DeleteCommunityPostsPostIdRepliesReplyIdData, ThrowOnError>) => (options.client ?? client).delete<DeleteCommunityPostsPostIdRepliesReplyIdResponses, DeleteCommunityPostsPostIdRepliesReplyIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/replies/{replyId}',
    ...options
});

/**
 * Edit one of the caller's replies
 *
 * Sets `editedAt`.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const patchCommunityPostsPostIdRepliesReplyId = <ThrowOnError extends boolean = false>(options: Options<PatchCommunityPostsPostIdRepliesReplyIdData, ThrowOnError>) => (options.client ?? client).patch<PatchCommunityPostsPostIdRepliesReplyIdResponses, PatchCommunityPostsPostIdRepliesReplyIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/replies/{replyId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Upvote a reply, or remove the upvote
 *
 * Users may upvote their own replies.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postCommunityPostsPostIdRepliesReplyIdUpvote = <ThrowOnError extends boolean = false>(options: Options<PostCommunityPostsPostIdRepliesReplyIdUpvoteData, ThrowOnError>) => (options.client ?? client).post<PostCommunityPostsPostIdRepliesReplyIdUpvoteResponses, PostCommunityPostsPostIdRepliesReplyIdUpvoteErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/replies/{replyId}/upvote',
    ...options
});

/**
 * Accept a reply to one of the caller's posts, or undo it
 *
 * Accepting resolves the post and replaces the reply accepted before. Undoing it reopens the post.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const patchCommunityPostsPostIdRepliesReplyIdAccept = <ThrowOnError extends boolean = false>(options: Options<PatchCommunityPostsPostIdRepliesReplyIdAcceptData, ThrowOnError>) => (options.client ?? client).patch<PatchCommunityPostsPostIdRepliesReplyIdAcceptResponses, PatchCommunityPostsPostIdRepliesReplyIdAcceptErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/replies/{replyId}/accept',
    ...options
});

/**
 * Report a reply to the administrators
 *
 * A further report by the same user changes nothing while the first is open.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postCommunityPostsPostIdRepliesReplyIdReport = <ThrowOnError extends boolean = false>(options: Options<PostCommunityPostsPostIdRepliesReplyIdReportData, ThrowOnError>) => (options.client ?? client).post<PostCommunityPostsPostIdRepliesReplyIdReportResponses, PostCommunityPostsPostIdRepliesReplyIdReportErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}/replies/{replyId}/report',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Apply to become an educator, or again after a rejection
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postEducatorApply = <ThrowOnError extends boolean = false>(options: Options<PostEducatorApplyData, ThrowOnError>) => (options.client ?? client).post<PostEducatorApplyResponses, PostEducatorApplyErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/apply',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The caller's application
 */
export const getEducatorApplicationStatus = <ThrowOnError extends boolean = false>(options?: Options<GetEducatorApplicationStatusData, ThrowOnError>) => (options?.client ?? client).get<GetEducatorApplicationStatusResponses, GetEducatorApplicationStatusErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/application-status',
    ...options
});

/**
 * Add a course
 *
 * A form with the course as JSON text and its thumbnail. Numbers may be sent as text. Chapters and lectures are sorted by their order numbers and renumbered from 1; totals are computed. The thumbnail may have 5 MB, the text 1 MB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postEducatorAddCourse = <ThrowOnError extends boolean = false>(options: Options<PostEducatorAddCourseData, ThrowOnError>) => (options.client ?? client).post<PostEducatorAddCourseResponses, PostEducatorAddCourseErrors, ThrowOnError>({
    ...formDataBodySerializer,
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/add-course',
    ...options,
    headers: {
        'Content-Type': null,
        ...options.headers
    }
});

/**
 * The educator's courses, drafts included
 */
export const getEducatorCourses = <ThrowOnError extends boolean = false>(options?: Options<GetEducatorCoursesData, ThrowOnError>) => (options?.client ?? client).get<GetEducatorCoursesResponses, GetEducatorCoursesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses',
    ...options
});

/**
 * One of the educator's courses, for editing
 */
export const getEducatorCoursesId = <ThrowOnError extends boolean = false>(options: Options<GetEducatorCoursesIdData, ThrowOnError>) => (options.client ?? client).get<GetEducatorCoursesIdResponses, GetEducatorCoursesIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}',
    ...options
});

/**
 * Edit one of the educator's courses
 *
 * Takes any of the fields, and the `version` that the educator read. The body is JSON, or a form (`courseData` as JSON text, optional `image`) to replace the thumbnail. `courseContent` replaces the whole curriculum, so it also reorders chapters and lectures. Lectures keep their ids, so learners keep their progress. JSON may have 100 kB, the text of a form 1 MB, its thumbnail 5 MB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const patchEducatorCoursesId = <ThrowOnError extends boolean = false>(options: Options<PatchEducatorCoursesIdData, ThrowOnError>) => (options.client ?? client).patch<PatchEducatorCoursesIdResponses, PatchEducatorCoursesIdErrors, ThrowOnError>({
    ...formDataBodySerializer,
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}',
    ...options,
    headers: {
        'Content-Type': null,
        ...options.headers
    }
});

/**
 * Publish or unpublish one of the educator's courses
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const patchEducatorCoursesIdPublish = <ThrowOnError extends boolean = false>(options: Options<PatchEducatorCoursesIdPublishData, ThrowOnError>) => (options.client ?? client).patch<PatchEducatorCoursesIdPublishResponses, PatchEducatorCoursesIdPublishErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/publish',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Earnings, courses and students of the educator
 */
export const getEducatorDashboard = <ThrowOnError extends boolean = false>(options?: Options<GetEducatorDashboardData, ThrowOnError>) => (options?.client ?? client).get<GetEducatorDashboardResponses, GetEducatorDashboardErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/dashboard',
    ...options
});

/**
 * Active enrollments in the educator's courses, oldest purchase first
 */
export const getEducatorEnrolledStudents = <ThrowOnError extends boolean = false>(options?: Options<GetEducatorEnrolledStudentsData, ThrowOnError>) => (options?.client ?? client).get<GetEducatorEnrolledStudentsResponses, GetEducatorEnrolledStudentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/enrolled-students',
    ...options
});

/**
 * Active enrollments in the educator's courses as CSV, course by course
 *
 * Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.
 */
export const getEducatorEnrolledStudentsCsv = <ThrowOnError extends boolean = false>(options?: Options<GetEducatorEnrolledStudentsCsvData, ThrowOnError>) => (options?.client ?? client).get<GetEducatorEnrolledStudentsCsvResponses, GetEducatorEnrolledStudentsCsvErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/enrolled-students.csv',
    ...options
});

/**
 * Figures of the platform
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminStats = <ThrowOnError extends boolean = false>(options?: Options<GetAdminStatsData, ThrowOnError>) => (options?.client ?? client).get<GetAdminStatsResponses, GetAdminStatsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/stats',
    ...options
});

/**
 * Most enrolled courses and revenue of the last seven days
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminChartData = <ThrowOnError extends boolean = false>(options?: Options<GetAdminChartDataData, ThrowOnError>) => (options?.client ?? client).get<GetAdminChartDataResponses, GetAdminChartDataErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/chart-data',
    ...options
});

/**
 * Every course, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminCourses = <ThrowOnError extends boolean = false>(options?: Options<GetAdminCoursesData, ThrowOnError>) => (options?.client ?? client).get<GetAdminCoursesResponses, GetAdminCoursesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses',
    ...options
});

/**
 * Purchases, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminPurchases = <ThrowOnError extends boolean = false>(options?: Options<GetAdminPurchasesData, ThrowOnError>) => (options?.client ?? client).get<GetAdminPurchasesResponses, GetAdminPurchasesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/purchases',
    ...options
});

/**
 * Every user, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminUsers = <ThrowOnError extends boolean = false>(options?: Options<GetAdminUsersData, ThrowOnError>) => (options?.client ?? client).get<GetAdminUsersResponses, GetAdminUsersErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/users',
    ...options
});

/**
 * Administrative actions and changes of roles, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminAudit = <ThrowOnError extends boolean = false>(options?: Options<GetAdminAuditData, ThrowOnError>) => (options?.client ?? client).get<GetAdminAuditResponses, GetAdminAuditErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/audit',
    ...options
});

/**
 * Purchases as CSV, newest first
 *
 * Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminPurchasesCsv = <ThrowOnError extends boolean = false>(options?: Options<GetAdminPurchasesCsvData, ThrowOnError>) => (options?.client ?? client).get<GetAdminPurchasesCsvResponses, GetAdminPurchasesCsvErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/purchases.csv',
    ...options
});

/**
 * Applications, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminEducatorApplications = <ThrowOnError extends boolean = false>(options?: Options<GetAdminEducatorApplicationsData, ThrowOnError>) => (options?.client ?? client).get<GetAdminEducatorApplicationsResponses, GetAdminEducatorApplicationsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/educator-applications',
    ...options
});

/**
 * Approve an application
 *
 * The role takes effect at once. It is written to the identity provider as soon as the provider answers.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const patchAdminEducatorApplicationsIdApprove = <ThrowOnError extends boolean = false>(options: Options<PatchAdminEducatorApplicationsIdApproveData, ThrowOnError>) => (options.client ?? client).patch<PatchAdminEducatorApplicationsIdApproveResponses, PatchAdminEducatorApplicationsIdApproveErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/educator-applications/{id}/approve',
    ...options
});

/**
 * Reject an application
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const patchAdminEducatorApplicationsIdReject = <ThrowOnError extends boolean = false>(options: Options<PatchAdminEducatorApplicationsIdRejectData, ThrowOnError>) => (options.client ?? client).patch<PatchAdminEducatorApplicationsIdRejectResponses, PatchAdminEducatorApplicationsIdRejectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/educator-applications/{id}/reject',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask the tutor
 *
 * With `Accept: text/event-stream` the answer comes as Server-Sent Events: `delta` `{text}` as the model writes, then `done` with the JSON reply, or `error` with `{success, message}`. Failures before the first text have their usual status. A failed question stores nothing.
 *
 * **Limit:** 30 requests in 10 min for one caller.
 */
export const postUserAiChat = <ThrowOnError extends boolean = false>(options: Options<PostUserAiChatData, ThrowOnError>) => (options.client ?? client).post<PostUserAiChatResponses, PostUserAiChatErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/ai-chat',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The caller's chats, newest created first
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postUserPreviousChats = <ThrowOnError extends boolean = false>(options?: Options<PostUserPreviousChatsData, ThrowOnError>) => (options?.client ?? client).post<PostUserPreviousChatsResponses, PostUserPreviousChatsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/previous-chats',
    ...options
});

/**
 * Delete one of the caller's chats
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteUserChatSessionId = <ThrowOnError extends boolean = false>(options: Options<DeleteUserChatSessionIdData, ThrowOnError>) => (options.client ?? client).delete<DeleteUserChatSessionIdResponses, DeleteUserChatSessionIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/chat/{sessionId}',
    ...options
});

/**
 * One of the caller's chats
 */
export const getUserChatSessionId = <ThrowOnError extends boolean = false>(options: Options<GetUserChatSessionIdData, ThrowOnError>) => (options.client ?? client).get<GetUserChatSessionIdResponses, GetUserChatSessionIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/chat/{sessionId}',
    ...options
});

/**
 * A roadmap from the caller's courses and progress
 *
 * **Limit:** 10 requests in 1 h for one caller.
 */
export const postUserGeneratePersonalRoadmap = <ThrowOnError extends boolean = false>(options?: Options<PostUserGeneratePersonalRoadmapData, ThrowOnError>) => (options?.client ?? client).post<PostUserGeneratePersonalRoadmapResponses, PostUserGeneratePersonalRoadmapErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/generate-personal-roadmap',
    ...options
});

/**
 * A roadmap for any topic
 *
 * Line breaks, quotes, backticks and backslashes are removed. The topic must then have 2 to 120 characters.
 *
 * **Limit:** 10 requests in 1 h for one caller.
 */
export const postUserGenerateCustomRoadmap = <ThrowOnError extends boolean = false>(options: Options<PostUserGenerateCustomRoadmapData, ThrowOnError>) => (options.client ?? client).post<PostUserGenerateCustomRoadmapResponses, PostUserGenerateCustomRoadmapErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/generate-custom-roadmap',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Generate a new quiz for a chapter
 *
 * Replaces the current quiz. Learners who were shown an earlier version are graded on that version.
 *
 * **Limit:** 10 requests in 1 h for one caller.
 */
export const postQuizGenerate = <ThrowOnError extends boolean = false>(options: Options<PostQuizGenerateData, ThrowOnError>) => (options.client ?? client).post<PostQuizGenerateResponses, PostQuizGenerateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/generate',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Submit an attempt for grading
 *
 * Graded on the version that the caller was shown last, otherwise on the current version.
 *
 * **Limit:** 30 requests in 10 min for one caller.
 */
export const postQuizSubmit = <ThrowOnError extends boolean = false>(options: Options<PostQuizSubmitData, ThrowOnError>) => (options.client ?? client).post<PostQuizSubmitResponses, PostQuizSubmitErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/submit',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * All of the caller's attempts, newest first
 */
export const getQuizMyResults = <ThrowOnError extends boolean = false>(options?: Options<GetQuizMyResultsData, ThrowOnError>) => (options?.client ?? client).get<GetQuizMyResultsResponses, GetQuizMyResultsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/my-results',
    ...options
});

/**
 * Results of the quizzes in the educator's courses
 *
 * One entry per chapter with attempts, by attempts descending.
 */
export const getQuizEducatorInsights = <ThrowOnError extends boolean = false>(options?: Options<GetQuizEducatorInsightsData, ThrowOnError>) => (options?.client ?? client).get<GetQuizEducatorInsightsResponses, GetQuizEducatorInsightsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/educator-insights',
    ...options
});

/**
 * The caller's attempts in one course, newest first
 */
export const getQuizCourseResultsCourseId = <ThrowOnError extends boolean = false>(options: Options<GetQuizCourseResultsCourseIdData, ThrowOnError>) => (options.client ?? client).get<GetQuizCourseResultsCourseIdResponses, GetQuizCourseResultsCourseIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/course-results/{courseId}',
    ...options
});

/**
 * The caller's attempts at one chapter's quiz, newest first
 */
export const getQuizResultsCourseIdChapterId = <ThrowOnError extends boolean = false>(options: Options<GetQuizResultsCourseIdChapterIdData, ThrowOnError>) => (options.client ?? client).get<GetQuizResultsCourseIdChapterIdResponses, GetQuizResultsCourseIdChapterIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/results/{courseId}/{chapterId}',
    ...options
});

/**
 * A chapter's quiz, without its answers
 *
 * For the course's learners and its educator. The first request generates the quiz and takes one unit of the AI generation limit (429 when none is left). A stored quiz takes no unit.
 */
export const getQuizCourseIdChapterId = <ThrowOnError extends boolean = false>(options: Options<GetQuizCourseIdChapterIdData, ThrowOnError>) => (options.client ?? client).get<GetQuizCourseIdChapterIdResponses, GetQuizCourseIdChapterIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/{courseId}/{chapterId}',
    ...options
});

/**
 * Remove any post with its replies
 *
 * Audited. Resolves the open reports of the post.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const deleteAdminCommunityPostsPostId = <ThrowOnError extends boolean = false>(options: Options<DeleteAdminCommunityPostsPostIdData, ThrowOnError>) => (options.client ?? client).delete<DeleteAdminCommunityPostsPostIdResponses, DeleteAdminCommunityPostsPostIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/community/posts/{postId}',
    ...options
});

/**
 * Remove any reply
 *
 * Audited. Resolves the open reports of the reply.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const deleteAdminCommunityRepliesReplyId = <ThrowOnError extends boolean = false>(options: Options<DeleteAdminCommunityRepliesReplyIdData, ThrowOnError>) => (options.client ?? client).delete<DeleteAdminCommunityRepliesReplyIdResponses, DeleteAdminCommunityRepliesReplyIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/community/replies/{replyId}',
    ...options
});

/**
 * Remove a group of the community
 *
 * Audited. The posts of the group stay, without a group. The default groups cannot be removed.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const deleteAdminGroupsId = <ThrowOnError extends boolean = false>(options: Options<DeleteAdminGroupsIdData, ThrowOnError>) => (options.client ?? client).delete<DeleteAdminGroupsIdResponses, DeleteAdminGroupsIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/groups/{id}',
    ...options
});

/**
 * Reports of posts and replies, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminCommunityReports = <ThrowOnError extends boolean = false>(options?: Options<GetAdminCommunityReportsData, ThrowOnError>) => (options?.client ?? client).get<GetAdminCommunityReportsResponses, GetAdminCommunityReportsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/community/reports',
    ...options
});

/**
 * Mark a report as resolved
 *
 * Audited. Repeating the request changes nothing.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const postAdminCommunityReportsIdResolve = <ThrowOnError extends boolean = false>(options: Options<PostAdminCommunityReportsIdResolveData, ThrowOnError>) => (options.client ?? client).post<PostAdminCommunityReportsIdResolveResponses, PostAdminCommunityReportsIdResolveErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/community/reports/{id}/resolve',
    ...options
});

/**
 * Every coupon, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminCoupons = <ThrowOnError extends boolean = false>(options?: Options<GetAdminCouponsData, ThrowOnError>) => (options?.client ?? client).get<GetAdminCouponsResponses, GetAdminCouponsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/coupons',
    ...options
});

/**
 * Create a coupon for some courses or for every course
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const postAdminCoupons = <ThrowOnError extends boolean = false>(options: Options<PostAdminCouponsData, ThrowOnError>) => (options.client ?? client).post<PostAdminCouponsResponses, PostAdminCouponsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/coupons',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Change when and how often a coupon can be used
 *
 * Purchases that have reserved it keep it.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const patchAdminCouponsId = <ThrowOnError extends boolean = false>(options: Options<PatchAdminCouponsIdData, ThrowOnError>) => (options.client ?? client).patch<PatchAdminCouponsIdResponses, PatchAdminCouponsIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/coupons/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The educator's own coupons, newest first
 */
export const getEducatorCoupons = <ThrowOnError extends boolean = false>(options?: Options<GetEducatorCouponsData, ThrowOnError>) => (options?.client ?? client).get<GetEducatorCouponsResponses, GetEducatorCouponsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/coupons',
    ...options
});

/**
 * Create a coupon for the educator's own courses
 *
 * After ten conflicts within an hour, further creations are refused until the hour is over.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postEducatorCoupons = <ThrowOnError extends boolean = false>(options: Options<PostEducatorCouponsData, ThrowOnError>) => (options.client ?? client).post<PostEducatorCouponsResponses, PostEducatorCouponsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/coupons',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Change when and how often a coupon can be used
 *
 * Purchases that have reserved it keep it.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const patchEducatorCouponsId = <ThrowOnError extends boolean = false>(options: Options<PatchEducatorCouponsIdData, ThrowOnError>) => (options.client ?? client).patch<PatchEducatorCouponsIdResponses, PatchEducatorCouponsIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/coupons/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * What a course costs with a coupon
 *
 * Nothing is reserved. The answer does not tell why a coupon is not valid.
 *
 * **Limit:** 10 requests in 15 min for one caller.
 */
export const postUserCouponCheck = <ThrowOnError extends boolean = false>(options: Options<PostUserCouponCheckData, ThrowOnError>) => (options.client ?? client).post<PostUserCouponCheckResponses, PostUserCouponCheckErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/coupon/check',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The caller's purchases in every state, newest first
 */
export const getUserPurchases = <ThrowOnError extends boolean = false>(options?: Options<GetUserPurchasesData, ThrowOnError>) => (options?.client ?? client).get<GetUserPurchasesResponses, GetUserPurchasesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/purchases',
    ...options
});

/**
 * The invoice of one of the caller's purchases
 *
 * A PDF. `document=credit-note` gives the newest credit note. Each refund has a credit note with its own number.
 */
export const getUserPurchasesIdInvoice = <ThrowOnError extends boolean = false>(options: Options<GetUserPurchasesIdInvoiceData, ThrowOnError>) => (options.client ?? client).get<GetUserPurchasesIdInvoiceResponses, GetUserPurchasesIdInvoiceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/purchases/{id}/invoice',
    ...options
});

/**
 * The invoice of any purchase
 *
 * A PDF. `document=credit-note` gives the newest credit note. Each refund has a credit note with its own number.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminPurchasesIdInvoice = <ThrowOnError extends boolean = false>(options: Options<GetAdminPurchasesIdInvoiceData, ThrowOnError>) => (options.client ?? client).get<GetAdminPurchasesIdInvoiceResponses, GetAdminPurchasesIdInvoiceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/purchases/{id}/invoice',
    ...options
});

/**
 * Active enrollments and waiting grants, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminEnrollments = <ThrowOnError extends boolean = false>(options?: Options<GetAdminEnrollmentsData, ThrowOnError>) => (options?.client ?? client).get<GetAdminEnrollmentsResponses, GetAdminEnrollmentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/enrollments',
    ...options
});

/**
 * Enroll a learner in any course without a purchase
 *
 * The learner is enrolled at once. A grant to an e-mail address that no user has waits until a user has verified the address as the primary one.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const postAdminEnrollments = <ThrowOnError extends boolean = false>(options: Options<PostAdminEnrollmentsData, ThrowOnError>) => (options.client ?? client).post<PostAdminEnrollmentsResponses, PostAdminEnrollmentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/enrollments',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a granted enrollment
 *
 * The learner stays enrolled if a purchase or another grant gives access.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const deleteAdminEnrollmentsId = <ThrowOnError extends boolean = false>(options: Options<DeleteAdminEnrollmentsIdData, ThrowOnError>) => (options.client ?? client).delete<DeleteAdminEnrollmentsIdResponses, DeleteAdminEnrollmentsIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/enrollments/{id}',
    ...options
});

/**
 * Active enrollments and waiting grants of one of the educator's own courses, newest first
 */
export const getEducatorCoursesCourseIdEnrollments = <ThrowOnError extends boolean = false>(options: Options<GetEducatorCoursesCourseIdEnrollmentsData, ThrowOnError>) => (options.client ?? client).get<GetEducatorCoursesCourseIdEnrollmentsResponses, GetEducatorCoursesCourseIdEnrollmentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments',
    ...options
});

/**
 * Enroll a learner in one of the educator's own courses without a purchase
 *
 * The learner is enrolled at once. A grant to an e-mail address that no user has waits until a user has verified the address as the primary one.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postEducatorCoursesCourseIdEnrollments = <ThrowOnError extends boolean = false>(options: Options<PostEducatorCoursesCourseIdEnrollmentsData, ThrowOnError>) => (options.client ?? client).post<PostEducatorCoursesCourseIdEnrollmentsResponses, PostEducatorCoursesCourseIdEnrollmentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a granted enrollment in one of the educator's own courses
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteEducatorCoursesCourseIdEnrollmentsId = <ThrowOnError extends boolean = false>(options: Options<DeleteEducatorCoursesCourseIdEnrollmentsIdData, ThrowOnError>) => (options.client ?? client).delete<DeleteEducatorCoursesCourseIdEnrollmentsIdResponses, DeleteEducatorCoursesCourseIdEnrollmentsIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments/{id}',
    ...options
});

/**
 * Enroll many learners in any courses
 *
 * A CSV table with the header `email,courseId,expiresAt`, separated by commas or semicolons. An empty `expiresAt` gives access for good; a date means its first moment in UTC. The rows are processed in the background, and a bad row does not stop good ones. A refused file is answered with `errors: [{row, message}]` and has no effect.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const postAdminEnrollmentsImport = <ThrowOnError extends boolean = false>(options: Options<PostAdminEnrollmentsImportData, ThrowOnError>) => (options.client ?? client).post<PostAdminEnrollmentsImportResponses, PostAdminEnrollmentsImportErrors, ThrowOnError>({
    ...formDataBodySerializer,
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/enrollments/import',
    ...options,
    headers: {
        'Content-Type': null,
        ...options.headers
    }
});

/**
 * The progress of an import
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminEnrollmentsImportsImportId = <ThrowOnError extends boolean = false>(options: Options<GetAdminEnrollmentsImportsImportIdData, ThrowOnError>) => (options.client ?? client).get<GetAdminEnrollmentsImportsImportIdResponses, GetAdminEnrollmentsImportsImportIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/enrollments/imports/{importId}',
    ...options
});

/**
 * The result of each row of an import
 *
 * Every row as it was sent, with its outcome and the reason. Streamed. The outcome is empty until it is known.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getAdminEnrollmentsImportsImportIdResultCsv = <ThrowOnError extends boolean = false>(options: Options<GetAdminEnrollmentsImportsImportIdResultCsvData, ThrowOnError>) => (options.client ?? client).get<GetAdminEnrollmentsImportsImportIdResultCsvResponses, GetAdminEnrollmentsImportsImportIdResultCsvErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/enrollments/imports/{importId}/result.csv',
    ...options
});

/**
 * Enroll many learners in one of the educator's own courses
 *
 * A CSV table with the header `email,expiresAt`, separated by commas or semicolons. An empty `expiresAt` gives access for good; a date means its first moment in UTC. The rows are processed in the background, and a bad row does not stop good ones. A refused file is answered with `errors: [{row, message}]` and has no effect.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const postEducatorCoursesCourseIdEnrollmentsImport = <ThrowOnError extends boolean = false>(options: Options<PostEducatorCoursesCourseIdEnrollmentsImportData, ThrowOnError>) => (options.client ?? client).post<PostEducatorCoursesCourseIdEnrollmentsImportResponses, PostEducatorCoursesCourseIdEnrollmentsImportErrors, ThrowOnError>({
    ...formDataBodySerializer,
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments/import',
    ...options,
    headers: {
        'Content-Type': null,
        ...options.headers
    }
});

/**
 * The progress of an import into one of the educator's own courses
 */
export const getEducatorCoursesCourseIdEnrollmentsImportsImportId = <ThrowOnError extends boolean = false>(options: Options<GetEducatorCoursesCourseIdEnrollmentsImportsImportIdData, ThrowOnError>) => (options.client ?? client).get<GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResponses, GetEducatorCoursesCourseIdEnrollmentsImportsImportIdErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments/imports/{importId}',
    ...options
});

/**
 * The result of each row of an import into one of the educator's own courses
 *
 * Every row as it was sent, with its outcome and the reason. Streamed. The outcome is empty until it is known.
 */
export const getEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsv = <ThrowOnError extends boolean = false>(options: Options<GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvData, ThrowOnError>) => (options.client ?? client).get<GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvResponses, GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments/imports/{importId}/result.csv',
    ...options
});
