// Generated from openapi.json by `npm run client`.

import { client } from './client.gen.js';
import { type Client, formDataBodySerializer, type Options as Options2, type TDataShape } from './client/index.js';
import type { AddResourceData, AddResourceErrors, AddResourceResponses, AnnounceData, AnnounceErrors, AnnounceResponses, ApplyAsEducatorData, ApplyAsEducatorErrors, ApplyAsEducatorResponses, ApproveApplicationData, ApproveApplicationErrors, ApproveApplicationResponses, AskTutorData, AskTutorErrors, AskTutorResponses, BrowseCoursesData, BrowseCoursesErrors, BrowseCoursesResponses, CheckCertificateData, CheckCertificateErrors, CheckCertificateResponses, CheckCouponData, CheckCouponErrors, CheckCouponResponses, CompleteLectureData, CompleteLectureErrors, CompleteLectureResponses, CreateAdminCouponData, CreateAdminCouponErrors, CreateAdminCouponResponses, CreateAdminEnrollmentData, CreateAdminEnrollmentErrors, CreateAdminEnrollmentResponses, CreateAdminPathEnrollmentData, CreateAdminPathEnrollmentErrors, CreateAdminPathEnrollmentResponses, CreateApiKeyAsAdminData, CreateApiKeyAsAdminErrors, CreateApiKeyAsAdminResponses, CreateApiKeyData, CreateApiKeyErrors, CreateApiKeyResponses, CreateCouponData, CreateCouponErrors, CreateCouponResponses, CreateCourseData, CreateCourseErrors, CreateCourseResponses, CreateEnrollmentData, CreateEnrollmentErrors, CreateEnrollmentResponses, CreateGroupData, CreateGroupErrors, CreateGroupResponses, CreatePathData, CreatePathEnrollmentData, CreatePathEnrollmentErrors, CreatePathEnrollmentResponses, CreatePathErrors, CreatePathResponses, CreatePostData, CreatePostErrors, CreatePostResponses, CreatePurchaseData, CreatePurchaseErrors, CreatePurchaseResponses, CreateQuestionData, CreateQuestionErrors, CreateQuestionResponses, CreateReplyData, CreateReplyErrors, CreateReplyResponses, CreateWebhookAsAdminData, CreateWebhookAsAdminErrors, CreateWebhookAsAdminResponses, CreateWebhookData, CreateWebhookErrors, CreateWebhookResponses, DeleteAssessmentData, DeleteAssessmentErrors, DeleteAssessmentResponses, DeleteChatData, DeleteChatErrors, DeleteChatResponses, DeletePathData, DeletePathErrors, DeletePathResponses, DeletePostData, DeletePostErrors, DeletePostResponses, DeleteQuestionData, DeleteQuestionErrors, DeleteQuestionResponses, DeleteReplyData, DeleteReplyErrors, DeleteReplyResponses, DeleteWebhookAsAdminData, DeleteWebhookAsAdminErrors, DeleteWebhookAsAdminResponses, DeleteWebhookData, DeleteWebhookErrors, DeleteWebhookResponses, DownloadResourceData, DownloadResourceErrors, DownloadResourceResponses, EndAdminEnrollmentData, EndAdminEnrollmentErrors, EndAdminEnrollmentResponses, EndAdminPathEnrollmentData, EndAdminPathEnrollmentErrors, EndAdminPathEnrollmentResponses, EndEnrollmentData, EndEnrollmentErrors, EndEnrollmentResponses, EndPathEnrollmentData, EndPathEnrollmentErrors, EndPathEnrollmentResponses, EraseUserDataData, EraseUserDataErrors, EraseUserDataResponses, ExportEnrolledStudentsData, ExportEnrolledStudentsErrors, ExportEnrolledStudentsResponses, ExportGradebookAsAdminData, ExportGradebookAsAdminErrors, ExportGradebookAsAdminResponses, ExportGradebookData, ExportGradebookErrors, ExportGradebookResponses, ExportPurchasesData, ExportPurchasesErrors, ExportPurchasesResponses, ExportQuestionsData, ExportQuestionsErrors, ExportQuestionsResponses, ExportUserDataData, ExportUserDataErrors, ExportUserDataResponses, GenerateCertificateData, GenerateCertificateErrors, GenerateCertificateResponses, GenerateCustomRoadmapData, GenerateCustomRoadmapErrors, GenerateCustomRoadmapResponses, GeneratePersonalRoadmapData, GeneratePersonalRoadmapErrors, GeneratePersonalRoadmapResponses, GenerateQuizData, GenerateQuizErrors, GenerateQuizResponses, GetAdminImportData, GetAdminImportErrors, GetAdminImportResponses, GetAdminImportResultData, GetAdminImportResultErrors, GetAdminImportResultResponses, GetAdminInvoiceData, GetAdminInvoiceErrors, GetAdminInvoiceResponses, GetAnalyticsData, GetAnalyticsErrors, GetAnalyticsResponses, GetApiKeyData, GetApiKeyErrors, GetApiKeyResponses, GetAssessmentData, GetAssessmentErrors, GetAssessmentResponses, GetAttemptData, GetAttemptErrors, GetAttemptResponses, GetBakedBadgeData, GetBakedBadgeErrors, GetBakedBadgeResponses, GetCertificateData, GetCertificateErrors, GetCertificateResponses, GetChatData, GetChatErrors, GetChatResponses, GetCourseBadgeData, GetCourseBadgeErrors, GetCourseBadgeResponses, GetCourseBySlugData, GetCourseBySlugErrors, GetCourseBySlugResponses, GetCourseData, GetCourseErrors, GetCourseProgressData, GetCourseProgressErrors, GetCourseProgressResponses, GetCourseResponses, GetCredentialData, GetCredentialErrors, GetCredentialResponses, GetDidDocumentData, GetDidDocumentErrors, GetDidDocumentOfPathData, GetDidDocumentOfPathErrors, GetDidDocumentOfPathResponses, GetDidDocumentResponses, GetEducatorCourseData, GetEducatorCourseErrors, GetEducatorCourseResponses, GetEducatorDashboardData, GetEducatorDashboardErrors, GetEducatorDashboardResponses, GetEnrolledCourseData, GetEnrolledCourseErrors, GetEnrolledCourseResponses, GetFunnelAsAdminData, GetFunnelAsAdminErrors, GetFunnelAsAdminResponses, GetFunnelData, GetFunnelErrors, GetFunnelResponses, GetImportData, GetImportErrors, GetImportResponses, GetImportResultData, GetImportResultErrors, GetImportResultResponses, GetInvoiceData, GetInvoiceErrors, GetInvoiceResponses, GetLearnerAsAdminData, GetLearnerAsAdminErrors, GetLearnerAsAdminResponses, GetLearnerData, GetLearnerErrors, GetLearnerResponses, GetLectureData, GetLectureErrors, GetLectureResponses, GetOwnApplicationData, GetOwnApplicationErrors, GetOwnApplicationResponses, GetPathBadgeData, GetPathBadgeErrors, GetPathBadgeResponses, GetPathData, GetPathErrors, GetPathResponses, GetPathTemplateAsAdminData, GetPathTemplateAsAdminErrors, GetPathTemplateAsAdminResponses, GetPathTemplateData, GetPathTemplateErrors, GetPathTemplateResponses, GetPlatformChartsData, GetPlatformChartsErrors, GetPlatformChartsResponses, GetPlatformStatsData, GetPlatformStatsErrors, GetPlatformStatsResponses, GetPostData, GetPostErrors, GetPostResponses, GetPreferencesData, GetPreferencesErrors, GetPreferencesResponses, GetProfileData, GetProfileErrors, GetProfileResponses, GetQuestionData, GetQuestionErrors, GetQuestionResponses, GetQuizData, GetQuizErrors, GetQuizInsightsData, GetQuizInsightsErrors, GetQuizInsightsResponses, GetQuizResponses, GetStatusListData, GetStatusListErrors, GetStatusListResponses, GetTemplateAsAdminData, GetTemplateAsAdminErrors, GetTemplateAsAdminResponses, GetTemplateData, GetTemplateErrors, GetTemplateResponses, HideReviewData, HideReviewErrors, HideReviewResponses, ImportQuestionsData, ImportQuestionsErrors, ImportQuestionsResponses, ListAdminCouponsData, ListAdminCouponsErrors, ListAdminCouponsResponses, ListAdminCoursesData, ListAdminCoursesErrors, ListAdminCoursesResponses, ListAdminEnrollmentsData, ListAdminEnrollmentsErrors, ListAdminEnrollmentsResponses, ListAdminPathEnrollmentsData, ListAdminPathEnrollmentsErrors, ListAdminPathEnrollmentsResponses, ListAdminPathsData, ListAdminPathsErrors, ListAdminPathsResponses, ListAdminPurchasesData, ListAdminPurchasesErrors, ListAdminPurchasesResponses, ListApiKeysAsAdminData, ListApiKeysAsAdminErrors, ListApiKeysAsAdminResponses, ListApiKeysData, ListApiKeysErrors, ListApiKeysResponses, ListApplicationsData, ListApplicationsErrors, ListApplicationsResponses, ListAuditEntriesData, ListAuditEntriesErrors, ListAuditEntriesResponses, ListCertificatesAsAdminData, ListCertificatesAsAdminErrors, ListCertificatesAsAdminResponses, ListCertificatesData, ListCertificatesErrors, ListCertificatesResponses, ListChapterQuizResultsData, ListChapterQuizResultsErrors, ListChapterQuizResultsResponses, ListChatsData, ListChatsErrors, ListChatsResponses, ListCouponsData, ListCouponsErrors, ListCouponsResponses, ListCourseQuizResultsData, ListCourseQuizResultsErrors, ListCourseQuizResultsResponses, ListCoursesData, ListCoursesErrors, ListCoursesResponses, ListCoursesToContinueData, ListCoursesToContinueErrors, ListCoursesToContinueResponses, ListDeliveriesAsAdminData, ListDeliveriesAsAdminErrors, ListDeliveriesAsAdminResponses, ListDeliveriesData, ListDeliveriesErrors, ListDeliveriesResponses, ListEducatorCoursesData, ListEducatorCoursesErrors, ListEducatorCoursesResponses, ListEducatorPathsData, ListEducatorPathsErrors, ListEducatorPathsResponses, ListEnrolledCoursesData, ListEnrolledCoursesErrors, ListEnrolledCoursesResponses, ListEnrolledStudentsData, ListEnrolledStudentsErrors, ListEnrolledStudentsResponses, ListEnrollmentsData, ListEnrollmentsErrors, ListEnrollmentsResponses, ListEventsAsAdminData, ListEventsAsAdminErrors, ListEventsAsAdminResponses, ListEventsData, ListEventsErrors, ListEventsResponses, ListEventTypesAsAdminData, ListEventTypesAsAdminErrors, ListEventTypesAsAdminResponses, ListEventTypesData, ListEventTypesErrors, ListEventTypesResponses, ListGroupsData, ListGroupsErrors, ListGroupsResponses, ListLearnersAsAdminData, ListLearnersAsAdminErrors, ListLearnersAsAdminResponses, ListLearnersData, ListLearnersErrors, ListLearnersResponses, ListNotificationsData, ListNotificationsErrors, ListNotificationsResponses, ListOrdersData, ListOrdersErrors, ListOrdersResponses, ListOwnCertificatesData, ListOwnCertificatesErrors, ListOwnCertificatesResponses, ListOwnPathsData, ListOwnPathsErrors, ListOwnPathsResponses, ListPathCertificatesAsAdminData, ListPathCertificatesAsAdminErrors, ListPathCertificatesAsAdminResponses, ListPathCertificatesData, ListPathCertificatesErrors, ListPathCertificatesResponses, ListPathEnrollmentsData, ListPathEnrollmentsErrors, ListPathEnrollmentsResponses, ListPathsData, ListPathsErrors, ListPathsResponses, ListPaymentEventsData, ListPaymentEventsErrors, ListPaymentEventsResponses, ListPostsData, ListPostsErrors, ListPostsResponses, ListQuestionsData, ListQuestionsErrors, ListQuestionsResponses, ListQuizResultsData, ListQuizResultsErrors, ListQuizResultsResponses, ListReportsData, ListReportsErrors, ListReportsResponses, ListResourcesData, ListResourcesErrors, ListResourcesResponses, ListReviewsData, ListReviewsErrors, ListReviewsResponses, ListUsersData, ListUsersErrors, ListUsersResponses, ListWebhooksAsAdminData, ListWebhooksAsAdminErrors, ListWebhooksAsAdminResponses, ListWebhooksData, ListWebhooksErrors, ListWebhooksResponses, PingWebhookAsAdminData, PingWebhookAsAdminErrors, PingWebhookAsAdminResponses, PingWebhookData, PingWebhookErrors, PingWebhookResponses, PreviewPathTemplateAsAdminData, PreviewPathTemplateAsAdminErrors, PreviewPathTemplateAsAdminResponses, PreviewPathTemplateData, PreviewPathTemplateErrors, PreviewPathTemplateResponses, PreviewTemplateAsAdminData, PreviewTemplateAsAdminErrors, PreviewTemplateAsAdminResponses, PreviewTemplateData, PreviewTemplateErrors, PreviewTemplateResponses, PutAssessmentData, PutAssessmentErrors, PutAssessmentResponses, RateCourseData, RateCourseErrors, RateCourseResponses, ReadNotificationsData, ReadNotificationsErrors, ReadNotificationsResponses, RefundPurchaseData, RefundPurchaseErrors, RefundPurchaseResponses, ReissueCertificateAsAdminData, ReissueCertificateAsAdminErrors, ReissueCertificateAsAdminResponses, ReissueCertificateData, ReissueCertificateErrors, ReissueCertificateResponses, ReissueOwnCertificateData, ReissueOwnCertificateErrors, ReissueOwnCertificateResponses, ReissuePathCertificateAsAdminData, ReissuePathCertificateAsAdminErrors, ReissuePathCertificateAsAdminResponses, ReissuePathCertificateData, ReissuePathCertificateErrors, ReissuePathCertificateResponses, RejectApplicationData, RejectApplicationErrors, RejectApplicationResponses, RemoveGroupData, RemoveGroupErrors, RemoveGroupResponses, RemovePathTemplateAsAdminData, RemovePathTemplateAsAdminErrors, RemovePathTemplateAsAdminResponses, RemovePathTemplateData, RemovePathTemplateErrors, RemovePathTemplateResponses, RemovePostData, RemovePostErrors, RemovePostResponses, RemoveReplyData, RemoveReplyErrors, RemoveReplyResponses, RemoveResourceData, RemoveResourceErrors, RemoveResourceResponses, RemoveReviewResponseData, RemoveReviewResponseErrors, RemoveReviewResponseResponses, RemoveTemplateAsAdminData, RemoveTemplateAsAdminErrors, RemoveTemplateAsAdminResponses, RemoveTemplateData, RemoveTemplateErrors, RemoveTemplateResponses, RenewCertificateData, RenewCertificateErrors, RenewCertificateResponses, ReplayPaymentEventData, ReplayPaymentEventErrors, ReplayPaymentEventResponses, ReportPostData, ReportPostErrors, ReportPostResponses, ReportReplyData, ReportReplyErrors, ReportReplyResponses, ReportReviewData, ReportReviewErrors, ReportReviewResponses, ResendDeliveryAsAdminData, ResendDeliveryAsAdminErrors, ResendDeliveryAsAdminResponses, ResendDeliveryData, ResendDeliveryErrors, ResendDeliveryResponses, ResetLearnerAsAdminData, ResetLearnerAsAdminErrors, ResetLearnerAsAdminResponses, ResetLearnerData, ResetLearnerErrors, ResetLearnerResponses, ResolveReportData, ResolveReportErrors, ResolveReportResponses, RespondToReviewData, RespondToReviewErrors, RespondToReviewResponses, RevokeApiKeyAsAdminData, RevokeApiKeyAsAdminErrors, RevokeApiKeyAsAdminResponses, RevokeApiKeyData, RevokeApiKeyErrors, RevokeApiKeyResponses, RevokeCertificateAsAdminData, RevokeCertificateAsAdminErrors, RevokeCertificateAsAdminResponses, RevokeCertificateData, RevokeCertificateErrors, RevokeCertificateResponses, RevokePathCertificateAsAdminData, RevokePathCertificateAsAdminErrors, RevokePathCertificateAsAdminResponses, RevokePathCertificateData, RevokePathCertificateErrors, RevokePathCertificateResponses, RotateApiKeyAsAdminData, RotateApiKeyAsAdminErrors, RotateApiKeyAsAdminResponses, RotateApiKeyData, RotateApiKeyErrors, RotateApiKeyResponses, RotateSecretAsAdminData, RotateSecretAsAdminErrors, RotateSecretAsAdminResponses, RotateSecretData, RotateSecretErrors, RotateSecretResponses, SaveAnswersData, SaveAnswersErrors, SaveAnswersResponses, SetPathTemplateAsAdminData, SetPathTemplateAsAdminErrors, SetPathTemplateAsAdminResponses, SetPathTemplateData, SetPathTemplateErrors, SetPathTemplateResponses, SetPreferencesData, SetPreferencesErrors, SetPreferencesResponses, SetTemplateAsAdminData, SetTemplateAsAdminErrors, SetTemplateAsAdminResponses, SetTemplateData, SetTemplateErrors, SetTemplateResponses, SettlePaymentEventReviewData, SettlePaymentEventReviewErrors, SettlePaymentEventReviewResponses, SettlePurchaseReviewData, SettlePurchaseReviewErrors, SettlePurchaseReviewResponses, ShowUnsubscribeData, ShowUnsubscribeErrors, ShowUnsubscribeResponses, StartAdminImportData, StartAdminImportErrors, StartAdminImportResponses, StartAttemptData, StartAttemptErrors, StartAttemptResponses, StartImportData, StartImportErrors, StartImportResponses, StreamNotificationsData, StreamNotificationsErrors, StreamNotificationsResponses, SubmitAttemptData, SubmitAttemptErrors, SubmitAttemptResponses, SubmitQuizData, SubmitQuizErrors, SubmitQuizResponses, ToggleAcceptedReplyData, ToggleAcceptedReplyErrors, ToggleAcceptedReplyResponses, ToggleGroupMembershipData, ToggleGroupMembershipErrors, ToggleGroupMembershipResponses, ToggleHelpfulReviewData, ToggleHelpfulReviewErrors, ToggleHelpfulReviewResponses, TogglePostResolvedData, TogglePostResolvedErrors, TogglePostResolvedResponses, TogglePostUpvoteData, TogglePostUpvoteErrors, TogglePostUpvoteResponses, TogglePublishedData, TogglePublishedErrors, TogglePublishedResponses, ToggleReplyUpvoteData, ToggleReplyUpvoteErrors, ToggleReplyUpvoteResponses, TrackTimeData, TrackTimeErrors, TrackTimeResponses, UnsubscribeData, UnsubscribeErrors, UnsubscribeResponses, UpdateAdminCouponData, UpdateAdminCouponErrors, UpdateAdminCouponResponses, UpdateApiKeyAsAdminData, UpdateApiKeyAsAdminErrors, UpdateApiKeyAsAdminResponses, UpdateApiKeyData, UpdateApiKeyErrors, UpdateApiKeyResponses, UpdateCouponData, UpdateCouponErrors, UpdateCouponResponses, UpdateCourseData, UpdateCourseErrors, UpdateCourseResponses, UpdatePathData, UpdatePathErrors, UpdatePathResponses, UpdatePostData, UpdatePostErrors, UpdatePostResponses, UpdateQuestionData, UpdateQuestionErrors, UpdateQuestionResponses, UpdateReplyData, UpdateReplyErrors, UpdateReplyResponses, UpdateWebhookAsAdminData, UpdateWebhookAsAdminErrors, UpdateWebhookAsAdminResponses, UpdateWebhookData, UpdateWebhookErrors, UpdateWebhookResponses, VerifyCertificateData, VerifyCertificateErrors, VerifyCertificateResponses, VerifyPaymentData, VerifyPaymentErrors, VerifyPaymentResponses } from './types.gen.js';

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
 * Every published course
 *
 * In creation order unless `sort` says otherwise. Compressed, with a strong `ETag`.
 */
export const listCourses = <ThrowOnError extends boolean = false>(options?: Options<ListCoursesData, ThrowOnError>) => (options?.client ?? client).get<ListCoursesResponses, ListCoursesErrors, ThrowOnError>({ url: '/api/course/all', ...options });

/**
 * Find published courses
 *
 * All words of `q` must match in title, subtitle, tags, educator's name or description. Filters combine. A cursor belongs to its query.
 */
export const browseCourses = <ThrowOnError extends boolean = false>(options?: Options<BrowseCoursesData, ThrowOnError>) => (options?.client ?? client).get<BrowseCoursesResponses, BrowseCoursesErrors, ThrowOnError>({ url: '/api/course/browse', ...options });

/**
 * One course with its curriculum, by its name in addresses
 *
 * A former slug, and one in capitals, is answered with 301 and the address of the present one.
 */
export const getCourseBySlug = <ThrowOnError extends boolean = false>(options: Options<GetCourseBySlugData, ThrowOnError>) => (options.client ?? client).get<GetCourseBySlugResponses, GetCourseBySlugErrors, ThrowOnError>({ url: '/api/course/slug/{slug}', ...options });

/**
 * One course with its curriculum
 *
 * Drafts are included. Only free previews have their video URL.
 */
export const getCourse = <ThrowOnError extends boolean = false>(options: Options<GetCourseData, ThrowOnError>) => (options.client ?? client).get<GetCourseResponses, GetCourseErrors, ThrowOnError>({ url: '/api/course/{id}', ...options });

/**
 * Open the purchase of a course or a path
 *
 * Returns the data for the provider's checkout. What is free is enrolled at once. Repeating the request returns the unfinished purchase. With an `Idempotency-Key` header, the same request gets the saved reply for a day.
 *
 * **Limit:** 10 requests in 15 min for one caller.
 */
export const createPurchase = <ThrowOnError extends boolean = false>(options: Options<CreatePurchaseData, ThrowOnError>) => (options.client ?? client).post<CreatePurchaseResponses, CreatePurchaseErrors, ThrowOnError>({
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
export const verifyPayment = <ThrowOnError extends boolean = false>(options: Options<VerifyPaymentData, ThrowOnError>) => (options.client ?? client).post<VerifyPaymentResponses, VerifyPaymentErrors, ThrowOnError>({
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
export const refundPurchase = <ThrowOnError extends boolean = false>(options: Options<RefundPurchaseData, ThrowOnError>) => (options.client ?? client).post<RefundPurchaseResponses, RefundPurchaseErrors, ThrowOnError>({
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
export const settlePurchaseReview = <ThrowOnError extends boolean = false>(options: Options<SettlePurchaseReviewData, ThrowOnError>) => (options.client ?? client).post<SettlePurchaseReviewResponses, SettlePurchaseReviewErrors, ThrowOnError>({
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
export const listPaymentEvents = <ThrowOnError extends boolean = false>(options?: Options<ListPaymentEventsData, ThrowOnError>) => (options?.client ?? client).get<ListPaymentEventsResponses, ListPaymentEventsErrors, ThrowOnError>({
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
export const replayPaymentEvent = <ThrowOnError extends boolean = false>(options: Options<ReplayPaymentEventData, ThrowOnError>) => (options.client ?? client).post<ReplayPaymentEventResponses, ReplayPaymentEventErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/payment-events/{id}/replay',
    ...options
});

/**
 * Settle a payment event that needs review
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const settlePaymentEventReview = <ThrowOnError extends boolean = false>(options: Options<SettlePaymentEventReviewData, ThrowOnError>) => (options.client ?? client).post<SettlePaymentEventReviewResponses, SettlePaymentEventReviewErrors, ThrowOnError>({
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
export const eraseUserData = <ThrowOnError extends boolean = false>(options: Options<EraseUserDataData, ThrowOnError>) => (options.client ?? client).delete<EraseUserDataResponses, EraseUserDataErrors, ThrowOnError>({
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
export const getProfile = <ThrowOnError extends boolean = false>(options?: Options<GetProfileData, ThrowOnError>) => (options?.client ?? client).get<GetProfileResponses, GetProfileErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/data',
    ...options
});

/**
 * The caller's courses, oldest enrollment first
 */
export const listEnrolledCourses = <ThrowOnError extends boolean = false>(options?: Options<ListEnrolledCoursesData, ThrowOnError>) => (options?.client ?? client).get<ListEnrolledCoursesResponses, ListEnrolledCoursesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/enrolled-courses',
    ...options
});

/**
 * One of the caller's courses, with the video URLs that are open
 */
export const getEnrolledCourse = <ThrowOnError extends boolean = false>(options: Options<GetEnrolledCourseData, ThrowOnError>) => (options.client ?? client).get<GetEnrolledCourseResponses, GetEnrolledCourseErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/enrolled-courses/{courseId}',
    ...options
});

/**
 * Courses that the caller has begun and not completed, newest activity first
 */
export const listCoursesToContinue = <ThrowOnError extends boolean = false>(options?: Options<ListCoursesToContinueData, ThrowOnError>) => (options?.client ?? client).get<ListCoursesToContinueResponses, ListCoursesToContinueErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/continue',
    ...options
});

/**
 * The caller's notifications, newest first
 */
export const listNotifications = <ThrowOnError extends boolean = false>(options?: Options<ListNotificationsData, ThrowOnError>) => (options?.client ?? client).get<ListNotificationsResponses, ListNotificationsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/notifications',
    ...options
});

/**
 * The caller's notifications as they are made
 *
 * Server-Sent Events: `notification` with a notification, and a comment every 25 seconds. With `Last-Event-ID` the stream begins behind that event; after 500 missed events it ends, and the client resumes it. A stream ends after an hour. A user has three streams at most on each instance.
 */
export const streamNotifications = <ThrowOnError extends boolean = false>(options?: Options<StreamNotificationsData, ThrowOnError>) => (options?.client ?? client).get<StreamNotificationsResponses, StreamNotificationsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/notifications/stream',
    ...options
});

/**
 * Mark notifications as read: some of them, or all
 *
 * Ids that are not the caller's own change nothing.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const readNotifications = <ThrowOnError extends boolean = false>(options: Options<ReadNotificationsData, ThrowOnError>) => (options.client ?? client).post<ReadNotificationsResponses, ReadNotificationsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/notifications/read',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Where the caller is told of what
 */
export const getPreferences = <ThrowOnError extends boolean = false>(options?: Options<GetPreferencesData, ThrowOnError>) => (options?.client ?? client).get<GetPreferencesResponses, GetPreferencesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/notification-preferences',
    ...options
});

/**
 * Change where the caller is told of what
 *
 * Types and channels that are not named stay. `purchase_receipt` is a mail only, which cannot be switched off.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const setPreferences = <ThrowOnError extends boolean = false>(options: Options<SetPreferencesData, ThrowOnError>) => (options.client ?? client).put<SetPreferencesResponses, SetPreferencesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/notification-preferences',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * A page with a button that switches off the mail of a type
 */
export const showUnsubscribe = <ThrowOnError extends boolean = false>(options: Options<ShowUnsubscribeData, ThrowOnError>) => (options.client ?? client).get<ShowUnsubscribeResponses, ShowUnsubscribeErrors, ThrowOnError>({ url: '/unsubscribe/{token}', ...options });

/**
 * Switch off the mail of a type
 *
 * One-click (RFC 8058): mail programs send `List-Unsubscribe=One-Click` as a form. A token is for the mails of one type to one address.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const unsubscribe = <ThrowOnError extends boolean = false>(options: Options<UnsubscribeData, ThrowOnError>) => (options.client ?? client).post<UnsubscribeResponses, UnsubscribeErrors, ThrowOnError>({ url: '/unsubscribe/{token}', ...options });

/**
 * Export the data stored about the caller
 *
 * Streamed. The rows of a list are in no particular order. Durations are in seconds.
 */
export const exportUserData = <ThrowOnError extends boolean = false>(options?: Options<ExportUserDataData, ThrowOnError>) => (options?.client ?? client).get<ExportUserDataResponses, ExportUserDataErrors, ThrowOnError>({
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
export const completeLecture = <ThrowOnError extends boolean = false>(options: Options<CompleteLectureData, ThrowOnError>) => (options.client ?? client).post<CompleteLectureResponses, CompleteLectureErrors, ThrowOnError>({
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
export const getCourseProgress = <ThrowOnError extends boolean = false>(options: Options<GetCourseProgressData, ThrowOnError>) => (options.client ?? client).post<GetCourseProgressResponses, GetCourseProgressErrors, ThrowOnError>({
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
export const checkCertificate = <ThrowOnError extends boolean = false>(options: Options<CheckCertificateData, ThrowOnError>) => (options.client ?? client).get<CheckCertificateResponses, CheckCertificateErrors, ThrowOnError>({
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
export const generateCertificate = <ThrowOnError extends boolean = false>(options: Options<GenerateCertificateData, ThrowOnError>) => (options.client ?? client).post<GenerateCertificateResponses, GenerateCertificateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificate/generate/{courseId}',
    ...options
});

/**
 * The address of the certificate's PDF
 */
export const getCertificate = <ThrowOnError extends boolean = false>(options: Options<GetCertificateData, ThrowOnError>) => (options.client ?? client).get<GetCertificateResponses, GetCertificateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificate/{courseId}',
    ...options
});

/**
 * The caller's certificates, newest completion first
 */
export const listOwnCertificates = <ThrowOnError extends boolean = false>(options?: Options<ListOwnCertificatesData, ThrowOnError>) => (options?.client ?? client).get<ListOwnCertificatesResponses, ListOwnCertificatesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificates',
    ...options
});

/**
 * Make a new edition of a certificate with the name of the caller's profile
 *
 * The certificate keeps its id, and the former PDF is removed. A learner may do it three times.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const reissueOwnCertificate = <ThrowOnError extends boolean = false>(options: Options<ReissueOwnCertificateData, ThrowOnError>) => (options.client ?? client).post<ReissueOwnCertificateResponses, ReissueOwnCertificateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificates/{certificateId}/reissue',
    ...options
});

/**
 * Begin the course of a certificate again that ends within 90 days, or has ended
 *
 * The progress goes back to nothing, and former attempts at assessments count no more. Completing the course makes a further certificate. A repetition changes nothing.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const renewCertificate = <ThrowOnError extends boolean = false>(options: Options<RenewCertificateData, ThrowOnError>) => (options.client ?? client).post<RenewCertificateResponses, RenewCertificateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificates/{certificateId}/renew',
    ...options
});

/**
 * The certificates of a course, newest completion first
 */
export const listCertificates = <ThrowOnError extends boolean = false>(options: Options<ListCertificatesData, ThrowOnError>) => (options.client ?? client).get<ListCertificatesResponses, ListCertificatesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/certificates',
    ...options
});

/**
 * Make a new edition of a certificate, with a corrected name or the present template
 *
 * A revoked certificate is valid again. The reissue and its reason are in the audit trail.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const reissueCertificate = <ThrowOnError extends boolean = false>(options: Options<ReissueCertificateData, ThrowOnError>) => (options.client ?? client).post<ReissueCertificateResponses, ReissueCertificateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/certificates/{certificateId}/reissue',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke a certificate
 *
 * Its PDF is removed. The revocation and its reason are in the audit trail; learners see no reason.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const revokeCertificate = <ThrowOnError extends boolean = false>(options: Options<RevokeCertificateData, ThrowOnError>) => (options.client ?? client).post<RevokeCertificateResponses, RevokeCertificateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/certificates/{certificateId}/revoke',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The certificates of a path, newest completion first
 */
export const listPathCertificates = <ThrowOnError extends boolean = false>(options: Options<ListPathCertificatesData, ThrowOnError>) => (options.client ?? client).get<ListPathCertificatesResponses, ListPathCertificatesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/certificates',
    ...options
});

/**
 * Make a new edition of a certificate, with a corrected name or the present template
 *
 * A revoked certificate is valid again. The reissue and its reason are in the audit trail.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const reissuePathCertificate = <ThrowOnError extends boolean = false>(options: Options<ReissuePathCertificateData, ThrowOnError>) => (options.client ?? client).post<ReissuePathCertificateResponses, ReissuePathCertificateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/certificates/{certificateId}/reissue',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke a certificate
 *
 * Its PDF is removed. The revocation and its reason are in the audit trail; learners see no reason.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const revokePathCertificate = <ThrowOnError extends boolean = false>(options: Options<RevokePathCertificateData, ThrowOnError>) => (options.client ?? client).post<RevokePathCertificateResponses, RevokePathCertificateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/certificates/{certificateId}/revoke',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The certificates of a course, newest completion first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listCertificatesAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ListCertificatesAsAdminData, ThrowOnError>) => (options.client ?? client).get<ListCertificatesAsAdminResponses, ListCertificatesAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/certificates',
    ...options
});

/**
 * Make a new edition of a certificate, with a corrected name or the present template
 *
 * A revoked certificate is valid again. The reissue and its reason are in the audit trail.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const reissueCertificateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ReissueCertificateAsAdminData, ThrowOnError>) => (options.client ?? client).post<ReissueCertificateAsAdminResponses, ReissueCertificateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/certificates/{certificateId}/reissue',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke a certificate
 *
 * Its PDF is removed. The revocation and its reason are in the audit trail; learners see no reason.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const revokeCertificateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<RevokeCertificateAsAdminData, ThrowOnError>) => (options.client ?? client).post<RevokeCertificateAsAdminResponses, RevokeCertificateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/certificates/{certificateId}/revoke',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The certificates of a path, newest completion first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listPathCertificatesAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ListPathCertificatesAsAdminData, ThrowOnError>) => (options.client ?? client).get<ListPathCertificatesAsAdminResponses, ListPathCertificatesAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/certificates',
    ...options
});

/**
 * Make a new edition of a certificate, with a corrected name or the present template
 *
 * A revoked certificate is valid again. The reissue and its reason are in the audit trail.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const reissuePathCertificateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ReissuePathCertificateAsAdminData, ThrowOnError>) => (options.client ?? client).post<ReissuePathCertificateAsAdminResponses, ReissuePathCertificateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/certificates/{certificateId}/reissue',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke a certificate
 *
 * Its PDF is removed. The revocation and its reason are in the audit trail; learners see no reason.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const revokePathCertificateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<RevokePathCertificateAsAdminData, ThrowOnError>) => (options.client ?? client).post<RevokePathCertificateAsAdminResponses, RevokePathCertificateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/certificates/{certificateId}/revoke',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Give a course the default certificate template again
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const removeTemplate = <ThrowOnError extends boolean = false>(options: Options<RemoveTemplateData, ThrowOnError>) => (options.client ?? client).delete<RemoveTemplateResponses, RemoveTemplateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/certificate-template',
    ...options
});

/**
 * The certificate template of a course
 */
export const getTemplate = <ThrowOnError extends boolean = false>(options: Options<GetTemplateData, ThrowOnError>) => (options.client ?? client).get<GetTemplateResponses, GetTemplateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/certificate-template',
    ...options
});

/**
 * Set the certificate template of a course
 *
 * The whole template: an absent field takes its default. Pictures are resources of the course, or of the courses of the path: PNG or JPEG of at most 1 MiB and 4,096 pixels a side. Certificates that exist keep their look and their end.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const setTemplate = <ThrowOnError extends boolean = false>(options: Options<SetTemplateData, ThrowOnError>) => (options.client ?? client).put<SetTemplateResponses, SetTemplateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/certificate-template',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * A specimen of a course's certificate, as PDF
 *
 * With the caller's name and today's date, without QR code. `{}` shows the stored template.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const previewTemplate = <ThrowOnError extends boolean = false>(options: Options<PreviewTemplateData, ThrowOnError>) => (options.client ?? client).post<PreviewTemplateResponses, PreviewTemplateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/certificate-template/preview',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Give a path the default certificate template again
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const removePathTemplate = <ThrowOnError extends boolean = false>(options: Options<RemovePathTemplateData, ThrowOnError>) => (options.client ?? client).delete<RemovePathTemplateResponses, RemovePathTemplateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/certificate-template',
    ...options
});

/**
 * The certificate template of a path
 */
export const getPathTemplate = <ThrowOnError extends boolean = false>(options: Options<GetPathTemplateData, ThrowOnError>) => (options.client ?? client).get<GetPathTemplateResponses, GetPathTemplateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/certificate-template',
    ...options
});

/**
 * Set the certificate template of a path
 *
 * The whole template: an absent field takes its default. Pictures are resources of the course, or of the courses of the path: PNG or JPEG of at most 1 MiB and 4,096 pixels a side. Certificates that exist keep their look and their end.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const setPathTemplate = <ThrowOnError extends boolean = false>(options: Options<SetPathTemplateData, ThrowOnError>) => (options.client ?? client).put<SetPathTemplateResponses, SetPathTemplateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/certificate-template',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * A specimen of a path's certificate, as PDF
 *
 * With the caller's name and today's date, without QR code. `{}` shows the stored template.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const previewPathTemplate = <ThrowOnError extends boolean = false>(options: Options<PreviewPathTemplateData, ThrowOnError>) => (options.client ?? client).post<PreviewPathTemplateResponses, PreviewPathTemplateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/certificate-template/preview',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Give a course the default certificate template again
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const removeTemplateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<RemoveTemplateAsAdminData, ThrowOnError>) => (options.client ?? client).delete<RemoveTemplateAsAdminResponses, RemoveTemplateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/certificate-template',
    ...options
});

/**
 * The certificate template of a course
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getTemplateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<GetTemplateAsAdminData, ThrowOnError>) => (options.client ?? client).get<GetTemplateAsAdminResponses, GetTemplateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/certificate-template',
    ...options
});

/**
 * Set the certificate template of a course
 *
 * The whole template: an absent field takes its default. Pictures are resources of the course, or of the courses of the path: PNG or JPEG of at most 1 MiB and 4,096 pixels a side. Certificates that exist keep their look and their end.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const setTemplateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<SetTemplateAsAdminData, ThrowOnError>) => (options.client ?? client).put<SetTemplateAsAdminResponses, SetTemplateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/certificate-template',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * A specimen of a course's certificate, as PDF
 *
 * With the caller's name and today's date, without QR code. `{}` shows the stored template.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const previewTemplateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<PreviewTemplateAsAdminData, ThrowOnError>) => (options.client ?? client).post<PreviewTemplateAsAdminResponses, PreviewTemplateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/certificate-template/preview',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Give a path the default certificate template again
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const removePathTemplateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<RemovePathTemplateAsAdminData, ThrowOnError>) => (options.client ?? client).delete<RemovePathTemplateAsAdminResponses, RemovePathTemplateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/certificate-template',
    ...options
});

/**
 * The certificate template of a path
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getPathTemplateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<GetPathTemplateAsAdminData, ThrowOnError>) => (options.client ?? client).get<GetPathTemplateAsAdminResponses, GetPathTemplateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/certificate-template',
    ...options
});

/**
 * Set the certificate template of a path
 *
 * The whole template: an absent field takes its default. Pictures are resources of the course, or of the courses of the path: PNG or JPEG of at most 1 MiB and 4,096 pixels a side. Certificates that exist keep their look and their end.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const setPathTemplateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<SetPathTemplateAsAdminData, ThrowOnError>) => (options.client ?? client).put<SetPathTemplateAsAdminResponses, SetPathTemplateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/certificate-template',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * A specimen of a path's certificate, as PDF
 *
 * With the caller's name and today's date, without QR code. `{}` shows the stored template.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const previewPathTemplateAsAdmin = <ThrowOnError extends boolean = false>(options: Options<PreviewPathTemplateAsAdminData, ThrowOnError>) => (options.client ?? client).post<PreviewPathTemplateAsAdminResponses, PreviewPathTemplateAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/certificate-template/preview',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Rate and review a course, or change the rating or the review
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const rateCourse = <ThrowOnError extends boolean = false>(options: Options<RateCourseData, ThrowOnError>) => (options.client ?? client).post<RateCourseResponses, RateCourseErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/add-rating',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Reviews of a course, the most helpful first by default
 *
 * `distribution` counts all ratings, also without a text, but none of hidden reviews.
 */
export const listReviews = <ThrowOnError extends boolean = false>(options: Options<ListReviewsData, ThrowOnError>) => (options.client ?? client).get<ListReviewsResponses, ListReviewsErrors, ThrowOnError>({ url: '/api/course/{id}/reviews', ...options });

/**
 * Mark a review of another user as helpful, or remove the mark
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const toggleHelpfulReview = <ThrowOnError extends boolean = false>(options: Options<ToggleHelpfulReviewData, ThrowOnError>) => (options.client ?? client).post<ToggleHelpfulReviewResponses, ToggleHelpfulReviewErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/course/{id}/reviews/{reviewId}/helpful',
    ...options
});

/**
 * Report a review to the administrators
 *
 * A further report by the same user changes nothing while the first is open.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const reportReview = <ThrowOnError extends boolean = false>(options: Options<ReportReviewData, ThrowOnError>) => (options.client ?? client).post<ReportReviewResponses, ReportReviewErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/course/{id}/reviews/{reviewId}/report',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove the response to a review
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const removeReviewResponse = <ThrowOnError extends boolean = false>(options: Options<RemoveReviewResponseData, ThrowOnError>) => (options.client ?? client).delete<RemoveReviewResponseResponses, RemoveReviewResponseErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/reviews/{reviewId}/response',
    ...options
});

/**
 * Respond to a review of one of the educator's courses, or change the response
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const respondToReview = <ThrowOnError extends boolean = false>(options: Options<RespondToReviewData, ThrowOnError>) => (options.client ?? client).put<RespondToReviewResponses, RespondToReviewErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/reviews/{reviewId}/response',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Hide a review, or show it again
 *
 * Audited. A hidden rating does not count. Hiding resolves the open reports of the review.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const hideReview = <ThrowOnError extends boolean = false>(options: Options<HideReviewData, ThrowOnError>) => (options.client ?? client).post<HideReviewResponses, HideReviewErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/reviews/{id}/hide',
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
export const trackTime = <ThrowOnError extends boolean = false>(options: Options<TrackTimeData, ThrowOnError>) => (options.client ?? client).post<TrackTimeResponses, TrackTimeErrors, ThrowOnError>({
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
export const getAnalytics = <ThrowOnError extends boolean = false>(options?: Options<GetAnalyticsData, ThrowOnError>) => (options?.client ?? client).get<GetAnalyticsResponses, GetAnalyticsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/analytics',
    ...options
});

/**
 * Whether a certificate is genuine
 *
 * As JSON, or as a page when `Accept` prefers `text/html`.
 */
export const verifyCertificate = <ThrowOnError extends boolean = false>(options: Options<VerifyCertificateData, ThrowOnError>) => (options.client ?? client).get<VerifyCertificateResponses, VerifyCertificateErrors, ThrowOnError>({ url: '/api/certificate/verify/{certificateId}', ...options });

/**
 * The DID document with the keys that sign credentials
 */
export const getDidDocument = <ThrowOnError extends boolean = false>(options?: Options<GetDidDocumentData, ThrowOnError>) => (options?.client ?? client).get<GetDidDocumentResponses, GetDidDocumentErrors, ThrowOnError>({ url: '/.well-known/did.json', ...options });

/**
 * The DID document with the keys that sign credentials
 */
export const getDidDocumentOfPath = <ThrowOnError extends boolean = false>(options?: Options<GetDidDocumentOfPathData, ThrowOnError>) => (options?.client ?? client).get<GetDidDocumentOfPathResponses, GetDidDocumentOfPathErrors, ThrowOnError>({ url: '/did.json', ...options });

/**
 * A signed list of the credentials that no longer count
 *
 * A `BitstringStatusListCredential`. The bit of a revoked, replaced or erased credential is 1.
 */
export const getStatusList = <ThrowOnError extends boolean = false>(options: Options<GetStatusListData, ThrowOnError>) => (options.client ?? client).get<GetStatusListResponses, GetStatusListErrors, ThrowOnError>({ url: '/api/certificate/status/{list}', ...options });

/**
 * The caller's certificate as a signed Open Badge 3.0
 *
 * The first call signs it. Every call returns the same bytes, until the certificate is reissued.
 */
export const getCredential = <ThrowOnError extends boolean = false>(options: Options<GetCredentialData, ThrowOnError>) => (options.client ?? client).get<GetCredentialResponses, GetCredentialErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificates/{certificateId}/credential',
    ...options
});

/**
 * The badge of the course or path with the caller's credential in it
 *
 * Wallets read the credential from the `iTXt` chunk `openbadgecredential`.
 */
export const getBakedBadge = <ThrowOnError extends boolean = false>(options: Options<GetBakedBadgeData, ThrowOnError>) => (options.client ?? client).get<GetBakedBadgeResponses, GetBakedBadgeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/certificates/{certificateId}/badge.png',
    ...options
});

/**
 * The badge of a course, without a credential
 *
 * 600 × 600 pixels, with an `ETag`. Drafts are included.
 */
export const getCourseBadge = <ThrowOnError extends boolean = false>(options: Options<GetCourseBadgeData, ThrowOnError>) => (options.client ?? client).get<GetCourseBadgeResponses, GetCourseBadgeErrors, ThrowOnError>({ url: '/api/course/{id}/badge.png', ...options });

/**
 * The badge of a path, without a credential
 *
 * 600 × 600 pixels, with an `ETag`. Drafts are included.
 */
export const getPathBadge = <ThrowOnError extends boolean = false>(options: Options<GetPathBadgeData, ThrowOnError>) => (options.client ?? client).get<GetPathBadgeResponses, GetPathBadgeErrors, ThrowOnError>({ url: '/api/paths/{pathId}/badge.png', ...options });

/**
 * Every group
 *
 * Official groups first, then by number of members, then by name (code point order). One page with `limit`.
 */
export const listGroups = <ThrowOnError extends boolean = false>(options?: Options<ListGroupsData, ThrowOnError>) => (options?.client ?? client).get<ListGroupsResponses, ListGroupsErrors, ThrowOnError>({ url: '/api/community/groups', ...options });

/**
 * Create a group
 *
 * The caller becomes its first member. Names must differ in more than case and spacing. A user creates at most 5 groups a day (UTC) and 50 in all.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const createGroup = <ThrowOnError extends boolean = false>(options: Options<CreateGroupData, ThrowOnError>) => (options.client ?? client).post<CreateGroupResponses, CreateGroupErrors, ThrowOnError>({
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
export const toggleGroupMembership = <ThrowOnError extends boolean = false>(options: Options<ToggleGroupMembershipData, ThrowOnError>) => (options.client ?? client).post<ToggleGroupMembershipResponses, ToggleGroupMembershipErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/groups/{groupId}/membership',
    ...options
});

/**
 * Posts, newest first by default
 *
 * The whole list without `limit`, one page with it.
 */
export const listPosts = <ThrowOnError extends boolean = false>(options?: Options<ListPostsData, ThrowOnError>) => (options?.client ?? client).get<ListPostsResponses, ListPostsErrors, ThrowOnError>({ url: '/api/community/posts', ...options });

/**
 * Write a post
 *
 * In a group or without one. Membership is not required.
 *
 * **Limit:** 20 requests in 10 min for one caller.
 */
export const createPost = <ThrowOnError extends boolean = false>(options: Options<CreatePostData, ThrowOnError>) => (options.client ?? client).post<CreatePostResponses, CreatePostErrors, ThrowOnError>({
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
export const deletePost = <ThrowOnError extends boolean = false>(options: Options<DeletePostData, ThrowOnError>) => (options.client ?? client).delete<DeletePostResponses, DeletePostErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/community/posts/{postId}',
    ...options
});

/**
 * One post with its replies
 *
 * The accepted reply first, then the others, oldest first.
 */
export const getPost = <ThrowOnError extends boolean = false>(options: Options<GetPostData, ThrowOnError>) => (options.client ?? client).get<GetPostResponses, GetPostErrors, ThrowOnError>({ url: '/api/community/posts/{postId}', ...options });

/**
 * Edit one of the caller's posts
 *
 * Any of title, content and tags; sets `editedAt`.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const updatePost = <ThrowOnError extends boolean = false>(options: Options<UpdatePostData, ThrowOnError>) => (options.client ?? client).patch<UpdatePostResponses, UpdatePostErrors, ThrowOnError>({
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
export const togglePostUpvote = <ThrowOnError extends boolean = false>(options: Options<TogglePostUpvoteData, ThrowOnError>) => (options.client ?? client).post<TogglePostUpvoteResponses, TogglePostUpvoteErrors, ThrowOnError>({
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
export const togglePostResolved = <ThrowOnError extends boolean = false>(options: Options<TogglePostResolvedData, ThrowOnError>) => (options.client ?? client).patch<TogglePostResolvedResponses, TogglePostResolvedErrors, ThrowOnError>({
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
export const reportPost = <ThrowOnError extends boolean = false>(options: Options<ReportPostData, ThrowOnError>) => (options.client ?? client).post<ReportPostResponses, ReportPostErrors, ThrowOnError>({
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
export const createReply = <ThrowOnError extends boolean = false>(options: Options<CreateReplyData, ThrowOnError>) => (options.client ?? client).post<CreateReplyResponses, CreateReplyErrors, ThrowOnError>({
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
export const deleteReply = <ThrowOnError extends boolean = false>(options: Options<DeleteReplyData, ThrowOnError>) => (options.client ?? client).delete<DeleteReplyResponses, DeleteReplyErrors, ThrowOnError>({
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
export const updateReply = <ThrowOnError extends boolean = false>(options: Options<UpdateReplyData, ThrowOnError>) => (options.client ?? client).patch<UpdateReplyResponses, UpdateReplyErrors, ThrowOnError>({
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
export const toggleReplyUpvote = <ThrowOnError extends boolean = false>(options: Options<ToggleReplyUpvoteData, ThrowOnError>) => (options.client ?? client).post<ToggleReplyUpvoteResponses, ToggleReplyUpvoteErrors, ThrowOnError>({
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
export const toggleAcceptedReply = <ThrowOnError extends boolean = false>(options: Options<ToggleAcceptedReplyData, ThrowOnError>) => (options.client ?? client).patch<ToggleAcceptedReplyResponses, ToggleAcceptedReplyErrors, ThrowOnError>({
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
export const reportReply = <ThrowOnError extends boolean = false>(options: Options<ReportReplyData, ThrowOnError>) => (options.client ?? client).post<ReportReplyResponses, ReportReplyErrors, ThrowOnError>({
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
export const applyAsEducator = <ThrowOnError extends boolean = false>(options: Options<ApplyAsEducatorData, ThrowOnError>) => (options.client ?? client).post<ApplyAsEducatorResponses, ApplyAsEducatorErrors, ThrowOnError>({
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
export const getOwnApplication = <ThrowOnError extends boolean = false>(options?: Options<GetOwnApplicationData, ThrowOnError>) => (options?.client ?? client).get<GetOwnApplicationResponses, GetOwnApplicationErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/application-status',
    ...options
});

/**
 * Add a course
 *
 * A form with the course as JSON text and its thumbnail. Numbers may be sent as text. Chapters and lectures are sorted by their order numbers and renumbered from 1; totals are computed. The thumbnail may have 5 MB, the text 1 MB beside the texts of blocks, which may have 2 MB in all.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const createCourse = <ThrowOnError extends boolean = false>(options: Options<CreateCourseData, ThrowOnError>) => (options.client ?? client).post<CreateCourseResponses, CreateCourseErrors, ThrowOnError>({
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
export const listEducatorCourses = <ThrowOnError extends boolean = false>(options?: Options<ListEducatorCoursesData, ThrowOnError>) => (options?.client ?? client).get<ListEducatorCoursesResponses, ListEducatorCoursesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses',
    ...options
});

/**
 * One of the educator's courses, for editing
 */
export const getEducatorCourse = <ThrowOnError extends boolean = false>(options: Options<GetEducatorCourseData, ThrowOnError>) => (options.client ?? client).get<GetEducatorCourseResponses, GetEducatorCourseErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}',
    ...options
});

/**
 * Edit one of the educator's courses
 *
 * Takes any of the fields, and the `version` that the educator read. The body is JSON, or a form (`courseData` as JSON text, optional `image`) to replace the thumbnail. `courseContent` replaces the whole curriculum, so it also reorders chapters and lectures. Lectures keep their ids, so learners keep their progress. JSON may have 100 kB, the text of a form 1 MB, its thumbnail 5 MB. The texts of blocks may have 2 MB more in all.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const updateCourse = <ThrowOnError extends boolean = false>(options: Options<UpdateCourseData, ThrowOnError>) => (options.client ?? client).patch<UpdateCourseResponses, UpdateCourseErrors, ThrowOnError>({
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
export const togglePublished = <ThrowOnError extends boolean = false>(options: Options<TogglePublishedData, ThrowOnError>) => (options.client ?? client).patch<TogglePublishedResponses, TogglePublishedErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/publish',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Published paths, newest first
 *
 * A path with a course that is not published is left out.
 */
export const listPaths = <ThrowOnError extends boolean = false>(options?: Options<ListPathsData, ThrowOnError>) => (options?.client ?? client).get<ListPathsResponses, ListPathsErrors, ThrowOnError>({ url: '/api/paths', ...options });

/**
 * One path, by its id or by a slug that it has or had
 *
 * A draft is shown to its educator alone.
 */
export const getPath = <ThrowOnError extends boolean = false>(options: Options<GetPathData, ThrowOnError>) => (options.client ?? client).get<GetPathResponses, GetPathErrors, ThrowOnError>({ url: '/api/paths/{pathId}', ...options });

/**
 * The educator's own paths, newest first
 */
export const listEducatorPaths = <ThrowOnError extends boolean = false>(options?: Options<ListEducatorPathsData, ThrowOnError>) => (options?.client ?? client).get<ListEducatorPathsResponses, ListEducatorPathsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths',
    ...options
});

/**
 * Add a path of own courses
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const createPath = <ThrowOnError extends boolean = false>(options: Options<CreatePathData, ThrowOnError>) => (options.client ?? client).post<CreatePathResponses, CreatePathErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a path that nobody has bought or got
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deletePath = <ThrowOnError extends boolean = false>(options: Options<DeletePathData, ThrowOnError>) => (options.client ?? client).delete<DeletePathResponses, DeletePathErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}',
    ...options
});

/**
 * Edit one of the educator's paths
 *
 * Takes any of the fields, and the `version` that the educator read. Who has bought or got the path keeps the courses of that moment.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const updatePath = <ThrowOnError extends boolean = false>(options: Options<UpdatePathData, ThrowOnError>) => (options.client ?? client).patch<UpdatePathResponses, UpdatePathErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Every path, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listAdminPaths = <ThrowOnError extends boolean = false>(options?: Options<ListAdminPathsData, ThrowOnError>) => (options?.client ?? client).get<ListAdminPathsResponses, ListAdminPathsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths',
    ...options
});

/**
 * Tell all learners of a course something
 *
 * Their notifications and mails follow soon. A course has five announcements on a UTC day at most.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const announce = <ThrowOnError extends boolean = false>(options: Options<AnnounceData, ThrowOnError>) => (options.client ?? client).post<AnnounceResponses, AnnounceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/announcements',
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
export const listEnrolledStudents = <ThrowOnError extends boolean = false>(options?: Options<ListEnrolledStudentsData, ThrowOnError>) => (options?.client ?? client).get<ListEnrolledStudentsResponses, ListEnrolledStudentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/enrolled-students',
    ...options
});

/**
 * Active enrollments in the educator's courses as CSV, course by course
 *
 * Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.
 */
export const exportEnrolledStudents = <ThrowOnError extends boolean = false>(options?: Options<ExportEnrolledStudentsData, ThrowOnError>) => (options?.client ?? client).get<ExportEnrolledStudentsResponses, ExportEnrolledStudentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/enrolled-students.csv',
    ...options
});

/**
 * Figures of the platform
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getPlatformStats = <ThrowOnError extends boolean = false>(options?: Options<GetPlatformStatsData, ThrowOnError>) => (options?.client ?? client).get<GetPlatformStatsResponses, GetPlatformStatsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/stats',
    ...options
});

/**
 * Most enrolled courses and revenue of the last seven days
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getPlatformCharts = <ThrowOnError extends boolean = false>(options?: Options<GetPlatformChartsData, ThrowOnError>) => (options?.client ?? client).get<GetPlatformChartsResponses, GetPlatformChartsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/chart-data',
    ...options
});

/**
 * Every course, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listAdminCourses = <ThrowOnError extends boolean = false>(options?: Options<ListAdminCoursesData, ThrowOnError>) => (options?.client ?? client).get<ListAdminCoursesResponses, ListAdminCoursesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses',
    ...options
});

/**
 * Purchases, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listAdminPurchases = <ThrowOnError extends boolean = false>(options?: Options<ListAdminPurchasesData, ThrowOnError>) => (options?.client ?? client).get<ListAdminPurchasesResponses, ListAdminPurchasesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/purchases',
    ...options
});

/**
 * Every user, newest first
 *
 * An API key with `courseIds` lists the users enrolled in these courses, by their ids.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listUsers = <ThrowOnError extends boolean = false>(options?: Options<ListUsersData, ThrowOnError>) => (options?.client ?? client).get<ListUsersResponses, ListUsersErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/users',
    ...options
});

/**
 * Administrative actions and changes of roles, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listAuditEntries = <ThrowOnError extends boolean = false>(options?: Options<ListAuditEntriesData, ThrowOnError>) => (options?.client ?? client).get<ListAuditEntriesResponses, ListAuditEntriesErrors, ThrowOnError>({
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
export const exportPurchases = <ThrowOnError extends boolean = false>(options?: Options<ExportPurchasesData, ThrowOnError>) => (options?.client ?? client).get<ExportPurchasesResponses, ExportPurchasesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/purchases.csv',
    ...options
});

/**
 * Applications, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listApplications = <ThrowOnError extends boolean = false>(options?: Options<ListApplicationsData, ThrowOnError>) => (options?.client ?? client).get<ListApplicationsResponses, ListApplicationsErrors, ThrowOnError>({
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
export const approveApplication = <ThrowOnError extends boolean = false>(options: Options<ApproveApplicationData, ThrowOnError>) => (options.client ?? client).patch<ApproveApplicationResponses, ApproveApplicationErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/educator-applications/{id}/approve',
    ...options
});

/**
 * Reject an application
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const rejectApplication = <ThrowOnError extends boolean = false>(options: Options<RejectApplicationData, ThrowOnError>) => (options.client ?? client).patch<RejectApplicationResponses, RejectApplicationErrors, ThrowOnError>({
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
export const askTutor = <ThrowOnError extends boolean = false>(options: Options<AskTutorData, ThrowOnError>) => (options.client ?? client).post<AskTutorResponses, AskTutorErrors, ThrowOnError>({
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
export const listChats = <ThrowOnError extends boolean = false>(options?: Options<ListChatsData, ThrowOnError>) => (options?.client ?? client).post<ListChatsResponses, ListChatsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/previous-chats',
    ...options
});

/**
 * Delete one of the caller's chats
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteChat = <ThrowOnError extends boolean = false>(options: Options<DeleteChatData, ThrowOnError>) => (options.client ?? client).delete<DeleteChatResponses, DeleteChatErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/chat/{sessionId}',
    ...options
});

/**
 * One of the caller's chats
 */
export const getChat = <ThrowOnError extends boolean = false>(options: Options<GetChatData, ThrowOnError>) => (options.client ?? client).get<GetChatResponses, GetChatErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/chat/{sessionId}',
    ...options
});

/**
 * A roadmap from the caller's courses and progress
 *
 * **Limit:** 10 requests in 1 h for one caller.
 */
export const generatePersonalRoadmap = <ThrowOnError extends boolean = false>(options?: Options<GeneratePersonalRoadmapData, ThrowOnError>) => (options?.client ?? client).post<GeneratePersonalRoadmapResponses, GeneratePersonalRoadmapErrors, ThrowOnError>({
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
export const generateCustomRoadmap = <ThrowOnError extends boolean = false>(options: Options<GenerateCustomRoadmapData, ThrowOnError>) => (options.client ?? client).post<GenerateCustomRoadmapResponses, GenerateCustomRoadmapErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/generate-custom-roadmap',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Give a chapter its AI quiz back
 *
 * Open attempts are graded with the saved answers. Graded attempts stay.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteAssessment = <ThrowOnError extends boolean = false>(options: Options<DeleteAssessmentData, ThrowOnError>) => (options.client ?? client).delete<DeleteAssessmentResponses, DeleteAssessmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/chapters/{chapterId}/assessment',
    ...options
});

/**
 * Give a chapter an assessment, or change it
 *
 * The assessment replaces the AI quiz of the chapter. It has either `questionIds` or `draw`. Attempts that have begun keep their questions.
 *
 * **Body:** up to 512 kB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const putAssessment = <ThrowOnError extends boolean = false>(options: Options<PutAssessmentData, ThrowOnError>) => (options.client ?? client).put<PutAssessmentResponses, PutAssessmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/chapters/{chapterId}/assessment',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The assessment of a chapter, and how the caller has done in it
 *
 * For the course's learners, once the chapter is open for them, and its educator.
 */
export const getAssessment = <ThrowOnError extends boolean = false>(options: Options<GetAssessmentData, ThrowOnError>) => (options.client ?? client).get<GetAssessmentResponses, GetAssessmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/assessments/{courseId}/{chapterId}',
    ...options
});

/**
 * Start an attempt, or return the open one
 *
 * An open attempt counts as used. The server's clock decides on the end.
 *
 * **Body:** up to 512 kB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const startAttempt = <ThrowOnError extends boolean = false>(options: Options<StartAttemptData, ThrowOnError>) => (options.client ?? client).post<StartAttemptResponses, StartAttemptErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/assessments/{courseId}/{chapterId}/attempts',
    ...options
});

/**
 * Save answers of an open attempt
 *
 * Answers to other questions stay. Answers are accepted until 30 seconds after the end of the attempt. An answer of a wrong type earns no points.
 *
 * **Body:** up to 512 kB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const saveAnswers = <ThrowOnError extends boolean = false>(options: Options<SaveAnswersData, ThrowOnError>) => (options.client ?? client).put<SaveAnswersResponses, SaveAnswersErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/attempts/{attemptId}/answers',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Submit an attempt for grading
 *
 * A repeated call has the same result. After the end, only saved answers count. `review` follows the present `showAnswers` of the assessment.
 *
 * **Body:** up to 512 kB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const submitAttempt = <ThrowOnError extends boolean = false>(options: Options<SubmitAttemptData, ThrowOnError>) => (options.client ?? client).post<SubmitAttemptResponses, SubmitAttemptErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/attempts/{attemptId}/submit',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * One of the caller's attempts, with its result once it is graded
 */
export const getAttempt = <ThrowOnError extends boolean = false>(options: Options<GetAttemptData, ThrowOnError>) => (options.client ?? client).get<GetAttemptResponses, GetAttemptErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/attempts/{attemptId}',
    ...options
});

/**
 * Generate a new quiz for a chapter
 *
 * Replaces the current quiz. Learners who were shown an earlier version are graded on that version.
 *
 * **Limit:** 10 requests in 1 h for one caller.
 */
export const generateQuiz = <ThrowOnError extends boolean = false>(options: Options<GenerateQuizData, ThrowOnError>) => (options.client ?? client).post<GenerateQuizResponses, GenerateQuizErrors, ThrowOnError>({
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
export const submitQuiz = <ThrowOnError extends boolean = false>(options: Options<SubmitQuizData, ThrowOnError>) => (options.client ?? client).post<SubmitQuizResponses, SubmitQuizErrors, ThrowOnError>({
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
export const listQuizResults = <ThrowOnError extends boolean = false>(options?: Options<ListQuizResultsData, ThrowOnError>) => (options?.client ?? client).get<ListQuizResultsResponses, ListQuizResultsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/my-results',
    ...options
});

/**
 * Results of the quizzes in the educator's courses
 *
 * One entry per chapter with attempts, by attempts descending.
 */
export const getQuizInsights = <ThrowOnError extends boolean = false>(options?: Options<GetQuizInsightsData, ThrowOnError>) => (options?.client ?? client).get<GetQuizInsightsResponses, GetQuizInsightsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/educator-insights',
    ...options
});

/**
 * The caller's attempts in one course, newest first
 */
export const listCourseQuizResults = <ThrowOnError extends boolean = false>(options: Options<ListCourseQuizResultsData, ThrowOnError>) => (options.client ?? client).get<ListCourseQuizResultsResponses, ListCourseQuizResultsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/course-results/{courseId}',
    ...options
});

/**
 * The caller's attempts at one chapter's quiz, newest first
 */
export const listChapterQuizResults = <ThrowOnError extends boolean = false>(options: Options<ListChapterQuizResultsData, ThrowOnError>) => (options.client ?? client).get<ListChapterQuizResultsResponses, ListChapterQuizResultsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/results/{courseId}/{chapterId}',
    ...options
});

/**
 * A chapter's quiz, without its answers
 *
 * For the course's learners, once the chapter is open for them, and its educator. The first request generates the quiz and takes one unit of the AI generation limit (429 when none is left). A stored quiz takes no unit.
 */
export const getQuiz = <ThrowOnError extends boolean = false>(options: Options<GetQuizData, ThrowOnError>) => (options.client ?? client).get<GetQuizResponses, GetQuizErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/quiz/{courseId}/{chapterId}',
    ...options
});

/**
 * The educator's bank of questions, newest first
 */
export const listQuestions = <ThrowOnError extends boolean = false>(options?: Options<ListQuestionsData, ThrowOnError>) => (options?.client ?? client).get<ListQuestionsResponses, ListQuestionsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/questions',
    ...options
});

/**
 * Add a question to the educator's bank
 *
 * **Body:** up to 512 kB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const createQuestion = <ThrowOnError extends boolean = false>(options: Options<CreateQuestionData, ThrowOnError>) => (options.client ?? client).post<CreateQuestionResponses, CreateQuestionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/questions',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Add the questions of a GIFT file to the educator's bank
 *
 * Blank lines separate the questions. A question that is broken, or that no kind holds, is skipped with a reason.
 *
 * **Body:** up to 8192 kB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const importQuestions = <ThrowOnError extends boolean = false>(options: Options<ImportQuestionsData, ThrowOnError>) => (options.client ?? client).post<ImportQuestionsResponses, ImportQuestionsErrors, ThrowOnError>({
    bodySerializer: null,
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/questions/import',
    ...options,
    headers: {
        'Content-Type': 'text/plain',
        ...options.headers
    }
});

/**
 * The educator's bank of questions as a GIFT file
 *
 * An import of the file gives the same questions. A comment names each question that GIFT cannot hold.
 */
export const exportQuestions = <ThrowOnError extends boolean = false>(options?: Options<ExportQuestionsData, ThrowOnError>) => (options?.client ?? client).get<ExportQuestionsResponses, ExportQuestionsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/questions/export.gift',
    ...options
});

/**
 * Take a question out of the bank
 *
 * Running and past attempts keep it.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteQuestion = <ThrowOnError extends boolean = false>(options: Options<DeleteQuestionData, ThrowOnError>) => (options.client ?? client).delete<DeleteQuestionResponses, DeleteQuestionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/questions/{id}',
    ...options
});

/**
 * One question of the educator's bank
 */
export const getQuestion = <ThrowOnError extends boolean = false>(options: Options<GetQuestionData, ThrowOnError>) => (options.client ?? client).get<GetQuestionResponses, GetQuestionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/questions/{id}',
    ...options
});

/**
 * Change a question
 *
 * Makes a new version. Attempts that have begun keep the version that they were given.
 *
 * **Body:** up to 512 kB.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const updateQuestion = <ThrowOnError extends boolean = false>(options: Options<UpdateQuestionData, ThrowOnError>) => (options.client ?? client).patch<UpdateQuestionResponses, UpdateQuestionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/questions/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove any post with its replies
 *
 * Audited. Resolves the open reports of the post.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const removePost = <ThrowOnError extends boolean = false>(options: Options<RemovePostData, ThrowOnError>) => (options.client ?? client).delete<RemovePostResponses, RemovePostErrors, ThrowOnError>({
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
export const removeReply = <ThrowOnError extends boolean = false>(options: Options<RemoveReplyData, ThrowOnError>) => (options.client ?? client).delete<RemoveReplyResponses, RemoveReplyErrors, ThrowOnError>({
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
export const removeGroup = <ThrowOnError extends boolean = false>(options: Options<RemoveGroupData, ThrowOnError>) => (options.client ?? client).delete<RemoveGroupResponses, RemoveGroupErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/groups/{id}',
    ...options
});

/**
 * Reports of posts, replies and reviews, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listReports = <ThrowOnError extends boolean = false>(options?: Options<ListReportsData, ThrowOnError>) => (options?.client ?? client).get<ListReportsResponses, ListReportsErrors, ThrowOnError>({
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
export const resolveReport = <ThrowOnError extends boolean = false>(options: Options<ResolveReportData, ThrowOnError>) => (options.client ?? client).post<ResolveReportResponses, ResolveReportErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/community/reports/{id}/resolve',
    ...options
});

/**
 * Every coupon, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listAdminCoupons = <ThrowOnError extends boolean = false>(options?: Options<ListAdminCouponsData, ThrowOnError>) => (options?.client ?? client).get<ListAdminCouponsResponses, ListAdminCouponsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/coupons',
    ...options
});

/**
 * Create a coupon for some courses and paths, or for everything
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const createAdminCoupon = <ThrowOnError extends boolean = false>(options: Options<CreateAdminCouponData, ThrowOnError>) => (options.client ?? client).post<CreateAdminCouponResponses, CreateAdminCouponErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const updateAdminCoupon = <ThrowOnError extends boolean = false>(options: Options<UpdateAdminCouponData, ThrowOnError>) => (options.client ?? client).patch<UpdateAdminCouponResponses, UpdateAdminCouponErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const listCoupons = <ThrowOnError extends boolean = false>(options?: Options<ListCouponsData, ThrowOnError>) => (options?.client ?? client).get<ListCouponsResponses, ListCouponsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/coupons',
    ...options
});

/**
 * Create a coupon for the educator's own courses and paths
 *
 * After ten conflicts within an hour, further creations are refused until the hour is over.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const createCoupon = <ThrowOnError extends boolean = false>(options: Options<CreateCouponData, ThrowOnError>) => (options.client ?? client).post<CreateCouponResponses, CreateCouponErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const updateCoupon = <ThrowOnError extends boolean = false>(options: Options<UpdateCouponData, ThrowOnError>) => (options.client ?? client).patch<UpdateCouponResponses, UpdateCouponErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const checkCoupon = <ThrowOnError extends boolean = false>(options: Options<CheckCouponData, ThrowOnError>) => (options.client ?? client).post<CheckCouponResponses, CheckCouponErrors, ThrowOnError>({
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
export const listOrders = <ThrowOnError extends boolean = false>(options?: Options<ListOrdersData, ThrowOnError>) => (options?.client ?? client).get<ListOrdersResponses, ListOrdersErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/purchases',
    ...options
});

/**
 * The invoice of one of the caller's purchases
 *
 * A PDF. `document=credit-note` gives the newest credit note. Each refund has a credit note with its own number.
 */
export const getInvoice = <ThrowOnError extends boolean = false>(options: Options<GetInvoiceData, ThrowOnError>) => (options.client ?? client).get<GetInvoiceResponses, GetInvoiceErrors, ThrowOnError>({
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
export const getAdminInvoice = <ThrowOnError extends boolean = false>(options: Options<GetAdminInvoiceData, ThrowOnError>) => (options.client ?? client).get<GetAdminInvoiceResponses, GetAdminInvoiceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/purchases/{id}/invoice',
    ...options
});

/**
 * Active enrollments and waiting grants, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listAdminEnrollments = <ThrowOnError extends boolean = false>(options?: Options<ListAdminEnrollmentsData, ThrowOnError>) => (options?.client ?? client).get<ListAdminEnrollmentsResponses, ListAdminEnrollmentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const createAdminEnrollment = <ThrowOnError extends boolean = false>(options: Options<CreateAdminEnrollmentData, ThrowOnError>) => (options.client ?? client).post<CreateAdminEnrollmentResponses, CreateAdminEnrollmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const endAdminEnrollment = <ThrowOnError extends boolean = false>(options: Options<EndAdminEnrollmentData, ThrowOnError>) => (options.client ?? client).delete<EndAdminEnrollmentResponses, EndAdminEnrollmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/enrollments/{id}',
    ...options
});

/**
 * Active enrollments and waiting grants of one of the educator's own courses, newest first
 */
export const listEnrollments = <ThrowOnError extends boolean = false>(options: Options<ListEnrollmentsData, ThrowOnError>) => (options.client ?? client).get<ListEnrollmentsResponses, ListEnrollmentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const createEnrollment = <ThrowOnError extends boolean = false>(options: Options<CreateEnrollmentData, ThrowOnError>) => (options.client ?? client).post<CreateEnrollmentResponses, CreateEnrollmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const endEnrollment = <ThrowOnError extends boolean = false>(options: Options<EndEnrollmentData, ThrowOnError>) => (options.client ?? client).delete<EndEnrollmentResponses, EndEnrollmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments/{id}',
    ...options
});

/**
 * Active enrollments and waiting grants of any path, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listAdminPathEnrollments = <ThrowOnError extends boolean = false>(options: Options<ListAdminPathEnrollmentsData, ThrowOnError>) => (options.client ?? client).get<ListAdminPathEnrollmentsResponses, ListAdminPathEnrollmentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/enrollments',
    ...options
});

/**
 * Enroll a learner in any path without a purchase
 *
 * The learner is enrolled at once in the courses that the path has now. A grant to an e-mail address that no user has waits until a user has verified the address as the primary one.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const createAdminPathEnrollment = <ThrowOnError extends boolean = false>(options: Options<CreateAdminPathEnrollmentData, ThrowOnError>) => (options.client ?? client).post<CreateAdminPathEnrollmentResponses, CreateAdminPathEnrollmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/enrollments',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a granted enrollment in any path
 *
 * The learner keeps the courses to which a purchase or another grant gives access.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const endAdminPathEnrollment = <ThrowOnError extends boolean = false>(options: Options<EndAdminPathEnrollmentData, ThrowOnError>) => (options.client ?? client).delete<EndAdminPathEnrollmentResponses, EndAdminPathEnrollmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/paths/{pathId}/enrollments/{enrollmentId}',
    ...options
});

/**
 * Active enrollments and waiting grants of one of the educator's own paths, newest first
 */
export const listPathEnrollments = <ThrowOnError extends boolean = false>(options: Options<ListPathEnrollmentsData, ThrowOnError>) => (options.client ?? client).get<ListPathEnrollmentsResponses, ListPathEnrollmentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/enrollments',
    ...options
});

/**
 * Enroll a learner in one of the educator's own paths without a purchase
 *
 * The learner is enrolled at once in the courses that the path has now. A grant to an e-mail address that no user has waits until a user has verified the address as the primary one.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const createPathEnrollment = <ThrowOnError extends boolean = false>(options: Options<CreatePathEnrollmentData, ThrowOnError>) => (options.client ?? client).post<CreatePathEnrollmentResponses, CreatePathEnrollmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/enrollments',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a granted enrollment in one of the educator's own paths
 *
 * The learner keeps the courses to which a purchase or another grant gives access.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const endPathEnrollment = <ThrowOnError extends boolean = false>(options: Options<EndPathEnrollmentData, ThrowOnError>) => (options.client ?? client).delete<EndPathEnrollmentResponses, EndPathEnrollmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/paths/{pathId}/enrollments/{enrollmentId}',
    ...options
});

/**
 * Enroll many learners in any courses
 *
 * A CSV table with the header `email,courseId,expiresAt`, separated by commas or semicolons. An empty `expiresAt` gives access for good; a date without time means the end of that day in UTC. The rows are processed in the background, and a bad row does not stop good ones. A refused file is answered with `errors: [{row, message}]` and has no effect.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const startAdminImport = <ThrowOnError extends boolean = false>(options: Options<StartAdminImportData, ThrowOnError>) => (options.client ?? client).post<StartAdminImportResponses, StartAdminImportErrors, ThrowOnError>({
    ...formDataBodySerializer,
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const getAdminImport = <ThrowOnError extends boolean = false>(options: Options<GetAdminImportData, ThrowOnError>) => (options.client ?? client).get<GetAdminImportResponses, GetAdminImportErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const getAdminImportResult = <ThrowOnError extends boolean = false>(options: Options<GetAdminImportResultData, ThrowOnError>) => (options.client ?? client).get<GetAdminImportResultResponses, GetAdminImportResultErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/enrollments/imports/{importId}/result.csv',
    ...options
});

/**
 * Enroll many learners in one of the educator's own courses
 *
 * A CSV table with the header `email,expiresAt`, separated by commas or semicolons. An empty `expiresAt` gives access for good; a date without time means the end of that day in UTC. The rows are processed in the background, and a bad row does not stop good ones. A refused file is answered with `errors: [{row, message}]` and has no effect.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const startImport = <ThrowOnError extends boolean = false>(options: Options<StartImportData, ThrowOnError>) => (options.client ?? client).post<StartImportResponses, StartImportErrors, ThrowOnError>({
    ...formDataBodySerializer,
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
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
export const getImport = <ThrowOnError extends boolean = false>(options: Options<GetImportData, ThrowOnError>) => (options.client ?? client).get<GetImportResponses, GetImportErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments/imports/{importId}',
    ...options
});

/**
 * The result of each row of an import into one of the educator's own courses
 *
 * Every row as it was sent, with its outcome and the reason. Streamed. The outcome is empty until it is known.
 */
export const getImportResult = <ThrowOnError extends boolean = false>(options: Options<GetImportResultData, ThrowOnError>) => (options.client ?? client).get<GetImportResultResponses, GetImportResultErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{courseId}/enrollments/imports/{importId}/result.csv',
    ...options
});

/**
 * The learners of a course and their progress
 *
 * Learners with an active enrollment, newest first by default.
 */
export const listLearners = <ThrowOnError extends boolean = false>(options: Options<ListLearnersData, ThrowOnError>) => (options.client ?? client).get<ListLearnersResponses, ListLearnersErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/learners',
    ...options
});

/**
 * One learner of a course: completed lectures, quizzes and learning time
 */
export const getLearner = <ThrowOnError extends boolean = false>(options: Options<GetLearnerData, ThrowOnError>) => (options.client ?? client).get<GetLearnerResponses, GetLearnerErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/learners/{userId}',
    ...options
});

/**
 * Take a learner's progress in a course back to nothing
 *
 * Certificates, quiz attempts and ratings stay. The reset and its reason are in the audit trail.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const resetLearner = <ThrowOnError extends boolean = false>(options: Options<ResetLearnerData, ThrowOnError>) => (options.client ?? client).post<ResetLearnerResponses, ResetLearnerErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/learners/{userId}/reset',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * How many learners of a course have completed each lecture
 */
export const getFunnel = <ThrowOnError extends boolean = false>(options: Options<GetFunnelData, ThrowOnError>) => (options.client ?? client).get<GetFunnelResponses, GetFunnelErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/funnel',
    ...options
});

/**
 * All learners of a course with their best result in each chapter's quiz, as CSV
 *
 * Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`. A cell without an attempt is empty.
 */
export const exportGradebook = <ThrowOnError extends boolean = false>(options: Options<ExportGradebookData, ThrowOnError>) => (options.client ?? client).get<ExportGradebookResponses, ExportGradebookErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/gradebook.csv',
    ...options
});

/**
 * The learners of a course and their progress
 *
 * Learners with an active enrollment, newest first by default.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listLearnersAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ListLearnersAsAdminData, ThrowOnError>) => (options.client ?? client).get<ListLearnersAsAdminResponses, ListLearnersAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/learners',
    ...options
});

/**
 * One learner of a course: completed lectures, quizzes and learning time
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getLearnerAsAdmin = <ThrowOnError extends boolean = false>(options: Options<GetLearnerAsAdminData, ThrowOnError>) => (options.client ?? client).get<GetLearnerAsAdminResponses, GetLearnerAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/learners/{userId}',
    ...options
});

/**
 * Take a learner's progress in a course back to nothing
 *
 * Certificates, quiz attempts and ratings stay. The reset and its reason are in the audit trail.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const resetLearnerAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ResetLearnerAsAdminData, ThrowOnError>) => (options.client ?? client).post<ResetLearnerAsAdminResponses, ResetLearnerAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/learners/{userId}/reset',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * How many learners of a course have completed each lecture
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const getFunnelAsAdmin = <ThrowOnError extends boolean = false>(options: Options<GetFunnelAsAdminData, ThrowOnError>) => (options.client ?? client).get<GetFunnelAsAdminResponses, GetFunnelAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/funnel',
    ...options
});

/**
 * All learners of a course with their best result in each chapter's quiz, as CSV
 *
 * Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`. A cell without an attempt is empty.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const exportGradebookAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ExportGradebookAsAdminData, ThrowOnError>) => (options.client ?? client).get<ExportGradebookAsAdminResponses, ExportGradebookAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/courses/{id}/gradebook.csv',
    ...options
});

/**
 * The events of the educator's own courses and paths, oldest first
 *
 * Keep `nextCursor` and send it as `after` later: a reader that does so gets every event once. An event is listed as soon as its fact is stored.
 */
export const listEvents = <ThrowOnError extends boolean = false>(options?: Options<ListEventsData, ThrowOnError>) => (options?.client ?? client).get<ListEventsResponses, ListEventsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/events',
    ...options
});

/**
 * The types of the events of the educator's own courses and paths
 */
export const listEventTypes = <ThrowOnError extends boolean = false>(options?: Options<ListEventTypesData, ThrowOnError>) => (options?.client ?? client).get<ListEventTypesResponses, ListEventTypesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks/event-types',
    ...options
});

/**
 * The events of the platform, oldest first
 *
 * Keep `nextCursor` and send it as `after` later: a reader that does so gets every event once. An event is listed as soon as its fact is stored.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listEventsAsAdmin = <ThrowOnError extends boolean = false>(options?: Options<ListEventsAsAdminData, ThrowOnError>) => (options?.client ?? client).get<ListEventsAsAdminResponses, ListEventsAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/events',
    ...options
});

/**
 * The types of the events of the platform
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listEventTypesAsAdmin = <ThrowOnError extends boolean = false>(options?: Options<ListEventTypesAsAdminData, ThrowOnError>) => (options?.client ?? client).get<ListEventTypesAsAdminResponses, ListEventTypesAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks/event-types',
    ...options
});

/**
 * Every webhook, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listWebhooksAsAdmin = <ThrowOnError extends boolean = false>(options?: Options<ListWebhooksAsAdminData, ThrowOnError>) => (options?.client ?? client).get<ListWebhooksAsAdminResponses, ListWebhooksAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks',
    ...options
});

/**
 * Send the platform's events to an address
 *
 * Messages are signed by Standard Webhooks 1.0 with the secret, which is shown this once.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const createWebhookAsAdmin = <ThrowOnError extends boolean = false>(options: Options<CreateWebhookAsAdminData, ThrowOnError>) => (options.client ?? client).post<CreateWebhookAsAdminResponses, CreateWebhookAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a webhook; its pending deliveries end
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const deleteWebhookAsAdmin = <ThrowOnError extends boolean = false>(options: Options<DeleteWebhookAsAdminData, ThrowOnError>) => (options.client ?? client).delete<DeleteWebhookAsAdminResponses, DeleteWebhookAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks/{id}',
    ...options
});

/**
 * Change a webhook, or switch it on or off
 *
 * A webhook that is not active receives nothing, and its due deliveries fail.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const updateWebhookAsAdmin = <ThrowOnError extends boolean = false>(options: Options<UpdateWebhookAsAdminData, ThrowOnError>) => (options.client ?? client).patch<UpdateWebhookAsAdminResponses, UpdateWebhookAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Replace the secret of a webhook
 *
 * For 24 hours messages have two signatures, by the new and by the old secret.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const rotateSecretAsAdmin = <ThrowOnError extends boolean = false>(options: Options<RotateSecretAsAdminData, ThrowOnError>) => (options.client ?? client).post<RotateSecretAsAdminResponses, RotateSecretAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks/{id}/rotate-secret',
    ...options
});

/**
 * Send a message of the type `ping` to a webhook
 *
 * The reply follows the attempt, which takes up to 10 seconds. While the webhook has five attempts under way, the ping waits up to 10 seconds first, and is answered as `pending` after that. A ping is never repeated.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const pingWebhookAsAdmin = <ThrowOnError extends boolean = false>(options: Options<PingWebhookAsAdminData, ThrowOnError>) => (options.client ?? client).post<PingWebhookAsAdminResponses, PingWebhookAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks/{id}/ping',
    ...options
});

/**
 * The deliveries of a webhook, newest first
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listDeliveriesAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ListDeliveriesAsAdminData, ThrowOnError>) => (options.client ?? client).get<ListDeliveriesAsAdminResponses, ListDeliveriesAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks/{id}/deliveries',
    ...options
});

/**
 * Send a delivery again
 *
 * Its messages keep their `webhook-id`.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const resendDeliveryAsAdmin = <ThrowOnError extends boolean = false>(options: Options<ResendDeliveryAsAdminData, ThrowOnError>) => (options.client ?? client).post<ResendDeliveryAsAdminResponses, ResendDeliveryAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/admin/webhooks/{id}/deliveries/{deliveryId}/resend',
    ...options
});

/**
 * The educator's own webhooks, newest first
 */
export const listWebhooks = <ThrowOnError extends boolean = false>(options?: Options<ListWebhooksData, ThrowOnError>) => (options?.client ?? client).get<ListWebhooksResponses, ListWebhooksErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks',
    ...options
});

/**
 * Send events of own courses to an address
 *
 * Messages are signed by Standard Webhooks 1.0 with the secret, which is shown this once.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const createWebhook = <ThrowOnError extends boolean = false>(options: Options<CreateWebhookData, ThrowOnError>) => (options.client ?? client).post<CreateWebhookResponses, CreateWebhookErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a webhook; its pending deliveries end
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const deleteWebhook = <ThrowOnError extends boolean = false>(options: Options<DeleteWebhookData, ThrowOnError>) => (options.client ?? client).delete<DeleteWebhookResponses, DeleteWebhookErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks/{id}',
    ...options
});

/**
 * Change a webhook, or switch it on or off
 *
 * A webhook that is not active receives nothing, and its due deliveries fail.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const updateWebhook = <ThrowOnError extends boolean = false>(options: Options<UpdateWebhookData, ThrowOnError>) => (options.client ?? client).patch<UpdateWebhookResponses, UpdateWebhookErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Replace the secret of a webhook
 *
 * For 24 hours messages have two signatures, by the new and by the old secret.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const rotateSecret = <ThrowOnError extends boolean = false>(options: Options<RotateSecretData, ThrowOnError>) => (options.client ?? client).post<RotateSecretResponses, RotateSecretErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks/{id}/rotate-secret',
    ...options
});

/**
 * Send a message of the type `ping` to a webhook
 *
 * The reply follows the attempt, which takes up to 10 seconds. While the webhook has five attempts under way, the ping waits up to 10 seconds first, and is answered as `pending` after that. A ping is never repeated.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const pingWebhook = <ThrowOnError extends boolean = false>(options: Options<PingWebhookData, ThrowOnError>) => (options.client ?? client).post<PingWebhookResponses, PingWebhookErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks/{id}/ping',
    ...options
});

/**
 * The deliveries of a webhook, newest first
 */
export const listDeliveries = <ThrowOnError extends boolean = false>(options: Options<ListDeliveriesData, ThrowOnError>) => (options.client ?? client).get<ListDeliveriesResponses, ListDeliveriesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks/{id}/deliveries',
    ...options
});

/**
 * Send a delivery again
 *
 * Its messages keep their `webhook-id`.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const resendDelivery = <ThrowOnError extends boolean = false>(options: Options<ResendDeliveryData, ThrowOnError>) => (options.client ?? client).post<ResendDeliveryResponses, ResendDeliveryErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, { scheme: 'bearer', type: 'http' }],
    url: '/api/educator/webhooks/{id}/deliveries/{deliveryId}/resend',
    ...options
});

/**
 * The key with which the request is sent
 */
export const getApiKey = <ThrowOnError extends boolean = false>(options?: Options<GetApiKeyData, ThrowOnError>) => (options?.client ?? client).get<GetApiKeyResponses, GetApiKeyErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/key',
    ...options
});

/**
 * The keys, the educator's own, newest first
 *
 * Revoked and expired keys too.
 */
export const listApiKeys = <ThrowOnError extends boolean = false>(options?: Options<ListApiKeysData, ThrowOnError>) => (options?.client ?? client).get<ListApiKeysResponses, ListApiKeysErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/api-keys',
    ...options
});

/**
 * Create a key for a program
 *
 * The reply shows the secret this once. The key speaks for its owner while the owner has the role. An owner has at most 50 keys that are neither revoked nor expired.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const createApiKey = <ThrowOnError extends boolean = false>(options: Options<CreateApiKeyData, ThrowOnError>) => (options.client ?? client).post<CreateApiKeyResponses, CreateApiKeyErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/api-keys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a key for good
 *
 * The next request with the key is refused. A repetition has no effect.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const revokeApiKey = <ThrowOnError extends boolean = false>(options: Options<RevokeApiKeyData, ThrowOnError>) => (options.client ?? client).delete<RevokeApiKeyResponses, RevokeApiKeyErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/api-keys/{id}',
    ...options
});

/**
 * Change one of the caller's own keys
 *
 * A revoked key is not found.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const updateApiKey = <ThrowOnError extends boolean = false>(options: Options<UpdateApiKeyData, ThrowOnError>) => (options.client ?? client).patch<UpdateApiKeyResponses, UpdateApiKeyErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/api-keys/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Give a key another secret
 *
 * The prefix stays. The present secret works for `overlapHours` more. A revoked key is not found.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const rotateApiKey = <ThrowOnError extends boolean = false>(options: Options<RotateApiKeyData, ThrowOnError>) => (options.client ?? client).post<RotateApiKeyResponses, RotateApiKeyErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/api-keys/{id}/rotate',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The keys, every user's, newest first
 *
 * Revoked and expired keys too.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const listApiKeysAsAdmin = <ThrowOnError extends boolean = false>(options?: Options<ListApiKeysAsAdminData, ThrowOnError>) => (options?.client ?? client).get<ListApiKeysAsAdminResponses, ListApiKeysAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/api-keys',
    ...options
});

/**
 * Create a key for a program
 *
 * The reply shows the secret this once. The key speaks for its owner while the owner has the role. An owner has at most 50 keys that are neither revoked nor expired.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const createApiKeyAsAdmin = <ThrowOnError extends boolean = false>(options: Options<CreateApiKeyAsAdminData, ThrowOnError>) => (options.client ?? client).post<CreateApiKeyAsAdminResponses, CreateApiKeyAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/api-keys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a key for good
 *
 * The next request with the key is refused. A repetition has no effect.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const revokeApiKeyAsAdmin = <ThrowOnError extends boolean = false>(options: Options<RevokeApiKeyAsAdminData, ThrowOnError>) => (options.client ?? client).delete<RevokeApiKeyAsAdminResponses, RevokeApiKeyAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/api-keys/{id}',
    ...options
});

/**
 * Change one of the caller's own keys
 *
 * A revoked key is not found.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const updateApiKeyAsAdmin = <ThrowOnError extends boolean = false>(options: Options<UpdateApiKeyAsAdminData, ThrowOnError>) => (options.client ?? client).patch<UpdateApiKeyAsAdminResponses, UpdateApiKeyAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/api-keys/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Give a key another secret
 *
 * The prefix stays. The present secret works for `overlapHours` more. A revoked key is not found.
 *
 * **Limit:** 100 requests in 15 min for one caller.
 */
export const rotateApiKeyAsAdmin = <ThrowOnError extends boolean = false>(options: Options<RotateApiKeyAsAdminData, ThrowOnError>) => (options.client ?? client).post<RotateApiKeyAsAdminResponses, RotateApiKeyAsAdminErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/admin/api-keys/{id}/rotate',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The files of one of the educator's courses
 */
export const listResources = <ThrowOnError extends boolean = false>(options: Options<ListResourcesData, ThrowOnError>) => (options.client ?? client).get<ListResourcesResponses, ListResourcesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/resources',
    ...options
});

/**
 * Add a file to one of the educator's courses
 *
 * The content of the file decides its type. Among text files the name decides; they may have any usual encoding. HTML and SVG are refused whatever their name. A course may have 200 files.
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const addResource = <ThrowOnError extends boolean = false>(options: Options<AddResourceData, ThrowOnError>) => (options.client ?? client).post<AddResourceResponses, AddResourceErrors, ThrowOnError>({
    ...formDataBodySerializer,
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/resources',
    ...options,
    headers: {
        'Content-Type': null,
        ...options.headers
    }
});

/**
 * Remove a file from one of the educator's courses
 *
 * **Limit:** 600 requests in 10 min for one caller.
 */
export const removeResource = <ThrowOnError extends boolean = false>(options: Options<RemoveResourceData, ThrowOnError>) => (options.client ?? client).delete<RemoveResourceResponses, RemoveResourceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/educator/courses/{id}/resources/{resourceId}',
    ...options
});

/**
 * Download a file of a course
 *
 * For learners of the course, if one of its lectures names the file, and for its educator. The response has the file's own name and type. A `Range` of bytes is answered 206.
 */
export const downloadResource = <ThrowOnError extends boolean = false>(options: Options<DownloadResourceData, ThrowOnError>) => (options.client ?? client).get<DownloadResourceResponses, DownloadResourceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/resources/{courseId}/{resourceId}',
    ...options
});

/**
 * One lecture of one of the caller's courses, with its files
 */
export const getLecture = <ThrowOnError extends boolean = false>(options: Options<GetLectureData, ThrowOnError>) => (options.client ?? client).get<GetLectureResponses, GetLectureErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/enrolled-courses/{courseId}/lectures/{lectureId}',
    ...options
});

/**
 * The paths that the caller holds, oldest first, with the progress in each
 */
export const listOwnPaths = <ThrowOnError extends boolean = false>(options?: Options<ListOwnPathsData, ThrowOnError>) => (options?.client ?? client).get<ListOwnPathsResponses, ListOwnPathsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/api/user/paths',
    ...options
});
