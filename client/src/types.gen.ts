// Generated from openapi.json by `npm run client`.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type Webhooks = UserCreatedEventWebhookRequest | UserUpdatedEventWebhookRequest | UserDeletedEventWebhookRequest | PaymentCapturedEventWebhookRequest | PaymentFailedEventWebhookRequest | OrderPaidEventWebhookRequest | RefundProcessedEventWebhookRequest | RefundFailedEventWebhookRequest | PaymentDisputeCreatedEventWebhookRequest | PaymentDisputeUnderReviewEventWebhookRequest | PaymentDisputeWonEventWebhookRequest | PaymentDisputeClosedEventWebhookRequest | PaymentDisputeLostEventWebhookRequest;

export type IdentityUser = {
    id: string;
    first_name?: string | null;
    last_name?: string | null;
    image_url?: string | null;
    email_addresses?: Array<{
        id?: string | null;
        email_address: string;
        verification?: {
            status: string;
            [key: string]: unknown;
        } | null;
        [key: string]: unknown;
    }> | null;
    primary_email_address_id?: string | null;
    public_metadata?: {
        role?: string | null;
        [key: string]: unknown;
    } | null;
    /**
     * milliseconds; orders the events of one user
     */
    updated_at?: number | null;
    [key: string]: unknown;
};

export type ProviderPayment = {
    id: string;
    order_id?: string | null;
    /**
     * minor units
     */
    amount: number;
    currency: string;
    status: string;
    notes?: {
        purchaseId: string;
        [key: string]: unknown;
    } | Array<unknown> | null;
    [key: string]: unknown;
};

export type ProviderOrder = {
    id: string;
    /**
     * minor units
     */
    amount: number;
    currency: string;
    status: string;
    notes?: {
        purchaseId: string;
        [key: string]: unknown;
    } | Array<unknown> | null;
    [key: string]: unknown;
};

export type ProviderRefund = {
    id: string;
    payment_id: string;
    /**
     * minor units
     */
    amount: number;
    status: string;
    [key: string]: unknown;
};

export type ProviderDispute = {
    id: string;
    payment_id: string;
    /**
     * minor units
     */
    amount: number;
    status: string;
    [key: string]: unknown;
};

export type CourseSummary = {
    _id: string;
    courseTitle: string;
    /**
     * Markdown
     */
    courseDescription: string;
    courseThumbnail: string;
    /**
     * major unit of the platform's currency
     */
    coursePrice: number;
    isPublished: boolean;
    /**
     * percent, 0 to 100
     */
    discount: number;
    averageRating: number;
    totalRatings: number;
    totalLectures: number;
    totalDurationMinutes: number;
    educatorId: UserSummary;
    /**
     * number of active enrollments
     */
    totalEnrolledStudents: number;
    createdAt: string;
    updatedAt: string;
};

/**
 * `Deleted user` with an empty image when the account no longer exists. `educatorId` of a course holds this object, not an id
 */
export type UserSummary = {
    _id: string;
    name: string;
    imageUrl: string;
};

export type Error = {
    success: false;
    message: string;
};

export type CourseDetail = {
    _id: string;
    courseTitle: string;
    /**
     * Markdown
     */
    courseDescription: string;
    courseThumbnail: string;
    /**
     * major unit of the platform's currency
     */
    coursePrice: number;
    isPublished: boolean;
    /**
     * percent, 0 to 100
     */
    discount: number;
    averageRating: number;
    totalRatings: number;
    totalLectures: number;
    totalDurationMinutes: number;
    educatorId: UserSummary;
    /**
     * number of active enrollments
     */
    totalEnrolledStudents: number;
    createdAt: string;
    updatedAt: string;
    courseContent: Array<Chapter>;
    /**
     * days of access after a purchase; absent: for good
     */
    accessDays?: number;
};

export type Chapter = {
    chapterId: string;
    chapterOrder: number;
    chapterTitle: string;
    chapterContent: Array<Lecture>;
};

export type Lecture = {
    lectureId: string;
    lectureTitle: string;
    /**
     * minutes
     */
    lectureDuration: number;
    /**
     * empty in the public view of a lecture that is not a free preview
     */
    lectureUrl: string;
    isPreviewFree: boolean;
    lectureOrder: number;
};

export type AdminPurchase = {
    _id: string;
    userId: string;
    courseId: {
        _id: string;
        courseTitle: string;
    } | null;
    /**
     * major unit of `currency`
     */
    amount: number;
    currency: string;
    status: 'created' | 'pending' | 'completed' | 'failed' | 'refunded';
    /**
     * newest open reason for a review
     */
    reviewReason: string | null;
    createdAt: string;
};

export type PaymentEvent = {
    _id: string;
    /**
     * the provider's name; empty when the body could not be read
     */
    event: string;
    state: string;
    outcome: string;
    reviewReason: string | null;
    paymentId: string | null;
    orderId: string | null;
    purchaseId: string | null;
    refundId: string | null;
    /**
     * minor units of the payment or refund
     */
    amountMinor: number | null;
    /**
     * number of failed attempts
     */
    attempts: number;
    createdAt: string;
    updatedAt: string;
};

export type User = {
    _id: string;
    name: string;
    email: string;
    imageUrl: string;
    /**
     * course ids, oldest enrollment first
     */
    enrolledCourses: Array<string>;
};

export type EnrolledCourse = {
    _id: string;
    title: string;
    thumbnail: string;
    price: number;
    educator: UserSummary;
    totalLectures: number;
    totalDurationMinutes: number;
    /**
     * the caller's rating, 1 to 5; null when unrated
     */
    userRating: number | null;
    /**
     * when access ends; absent: never
     */
    expiresAt?: string;
};

export type PlayerCourse = {
    _id: string;
    courseTitle: string;
    /**
     * Markdown
     */
    courseDescription: string;
    courseThumbnail: string;
    /**
     * major unit of the platform's currency
     */
    coursePrice: number;
    isPublished: boolean;
    /**
     * percent, 0 to 100
     */
    discount: number;
    averageRating: number;
    totalRatings: number;
    totalLectures: number;
    totalDurationMinutes: number;
    educatorId: UserSummary;
    /**
     * number of active enrollments
     */
    totalEnrolledStudents: number;
    createdAt: string;
    updatedAt: string;
    courseContent: Array<Chapter>;
    /**
     * days of access after a purchase; absent: for good
     */
    accessDays?: number;
    /**
     * the caller's rating, 1 to 5; null when unrated
     */
    userRating: number | null;
    /**
     * when access ends; absent: never
     */
    expiresAt?: string;
};

export type CourseToContinue = {
    courseId: string;
    courseTitle: string;
    courseThumbnail: string;
    lastLectureId: string;
    /**
     * seconds into the last lecture
     */
    positionSeconds: number;
    /**
     * percentage of the course's current lectures that are completed
     */
    percent: number;
    lastActivityAt: string;
};

export type UserData = {
    exportedAt: string;
    userId: string;
    profile: Array<{
        _id: string;
        name?: string;
        email?: string;
        verifiedEmail?: string | null;
        imageUrl?: string;
        createdAt?: string;
        updatedAt?: string;
    }>;
    roles: Array<{
        role: string;
        writtenAt: string;
    }>;
    educatorApplications: Array<{
        professionalTitle: string;
        bio: string;
        expertise?: Array<string>;
        linkedinUrl?: string;
        status: string;
        rejectionReason?: string;
        createdAt?: string;
        updatedAt?: string;
    }>;
    coursesTaught: Array<{
        _id: string;
        courseTitle: string;
        courseDescription: string;
        courseThumbnail?: string;
        coursePrice: number;
        discount?: number;
        /**
         * null: for good
         */
        accessDays?: number | null;
        isPublished?: boolean;
        courseContent?: Array<{
            chapterId: string;
            chapterOrder: number;
            chapterTitle: string;
            chapterContent: Array<{
                lectureId: string;
                lectureTitle: string;
                lectureDuration: number;
                lectureUrl?: string;
                isPreviewFree?: boolean;
                lectureOrder: number;
            }>;
        }>;
        createdAt?: string;
        updatedAt?: string;
    }>;
    purchases: Array<{
        _id: string;
        courseId: string;
        amount: number;
        currency: string;
        status: string;
        providerOrderId?: string;
        providerPaymentId?: string;
        completedAt?: string | null;
        refundedAt?: string | null;
        terms?: {
            courseTitle?: string;
            coursePrice?: number;
            discount?: number;
            /**
             * null: for good
             */
            accessDays?: number | null;
        };
        buyer?: {
            name?: string;
            email?: string;
        };
        coupon?: {
            code: string;
            kind: string;
            value: number;
        };
        invoiceNumber?: string;
        creditNoteNumber?: string;
        /**
         * in the smallest unit of the currency
         */
        refundedMinor?: number;
        createdAt?: string;
        updatedAt?: string;
    }>;
    invoices: Array<{
        kind: 'invoice' | 'credit-note';
        number: string;
        purchaseId: string;
        issuedAt: string;
        /**
         * amounts are in the smallest unit of the currency
         */
        facts: {
            seller: {
                name: string;
                address: string;
                taxId: string;
            };
            buyer: {
                name: string;
                email: string;
            };
            courseTitle: string;
            currency: string;
            priceMinor: number;
            discountMinor: number;
            couponMinor: number;
            couponCode: string | null;
            totalMinor: number;
            tax: {
                name: string;
                percent: number;
                amountMinor: number;
            } | null;
            paymentId: string;
            /**
             * of the invoice that a credit note is about
             */
            invoiceNumber: string | null;
        };
    }>;
    enrollments: Array<{
        courseId: string;
        active: boolean;
        enrolledAt: string;
        expiresAt?: string | null;
        revokedAt?: string | null;
        createdAt?: string;
        updatedAt?: string;
    }>;
    grants: Array<{
        courseId: string;
        state: string;
        email?: string | null;
        reason: string;
        expiresAt?: string | null;
        createdAt?: string;
        updatedAt?: string;
    }>;
    progress: Array<{
        courseId: string;
        lectureCompleted?: Array<string>;
        completed?: boolean;
        completedAt?: string | null;
        lastLectureId?: string | null;
        positionSeconds?: number;
        createdAt?: string;
        updatedAt?: string;
    }>;
    certificates: Array<{
        certificateId: string;
        courseId: string;
        studentName?: string | null;
        courseTitle: string;
        completionDate: string;
        status: string;
        issuedAt?: string | null;
        pdfUrl?: string | null;
    }>;
    ratings: Array<{
        courseId: string;
        rating: number;
        createdAt?: string;
        updatedAt?: string;
    }>;
    quizzesSeen: Array<{
        courseId: string;
        chapterId: string;
        version: number;
        createdAt?: string;
        updatedAt?: string;
    }>;
    quizResults: Array<{
        courseId: string;
        chapterId: string;
        score: number;
        total: number;
        percentage: number;
        group: string;
        recommendations?: string;
        answers: Array<number>;
        createdAt?: string;
        updatedAt?: string;
    }>;
    chats: Array<{
        sessionId: string;
        messages: Array<{
            role: string;
            content: string;
            createdAt: string;
        }>;
        createdAt?: string;
        updatedAt?: string;
    }>;
    groupsCreated: Array<{
        _id: string;
        name: string;
        slug: string;
        description?: string;
        icon?: string;
        createdAt?: string;
        updatedAt?: string;
    }>;
    groupCreations: Array<{
        total: number;
        day: string;
        onDay: number;
    }>;
    memberships: Array<{
        groupId: string;
        createdAt: string;
    }>;
    posts: Array<{
        _id: string;
        groupId?: string | null;
        title: string;
        content: string;
        tags?: Array<string>;
        authorName?: string;
        authorImage?: string;
        isResolved?: boolean;
        upvoteCount?: number;
        replyCount?: number;
        editedAt?: string | null;
        createdAt?: string;
        updatedAt?: string;
    }>;
    replies: Array<{
        _id: string;
        postId: string;
        content: string;
        authorName?: string;
        authorImage?: string;
        upvoteCount?: number;
        editedAt?: string | null;
        createdAt?: string;
        updatedAt?: string;
    }>;
    votes: Array<{
        targetId: string;
        postId: string;
        createdAt: string;
    }>;
    reports: Array<{
        targetKind: string;
        targetId: string;
        postId: string;
        reason: string;
        state?: string;
        createdAt?: string;
        updatedAt?: string;
    }>;
    timeByPage: Array<{
        page: string;
        duration: number;
        visits: number;
        newest: {
            at: string;
            path: string;
        };
    }>;
    timeByDay: Array<{
        day: string;
        duration: number;
    }>;
    timeByCourse: Array<{
        courseId: string;
        duration: number;
        sessions: number;
    }>;
    timeByChapter: Array<{
        courseId: string;
        chapterId: string;
        duration: number;
        sessions: number;
    }>;
    timeLabels: Array<{
        pages?: number;
        courses?: number;
        chapters?: number;
    }>;
    timeSessions: Array<{
        page: string;
        path: string;
        duration: number;
        at: string;
    }>;
    erasures: Array<{
        keepCertificates: boolean;
        requestedAt: string;
    }>;
    auditEntries: Array<{
        action: string;
        createdAt: string;
    }>;
};

export type CourseProgress = {
    _id: string;
    userId: string;
    courseId: string;
    lectureCompleted: Array<string>;
    completed: boolean;
    createdAt: string;
    updatedAt: string;
};

export type Analytics = {
    /**
     * seconds
     */
    totalDuration: number;
    totalSessions: number;
    pageStats: Array<{
        page: string;
        path: string;
        /**
         * seconds
         */
        totalDuration: number;
        visits: number;
    }>;
    dailyStats: Array<{
        date: string;
        /**
         * seconds
         */
        duration: number;
    }>;
    courseBreakdown: Array<{
        courseId: string;
        courseTitle: string;
        courseThumbnail: string | null;
        /**
         * seconds
         */
        learningDuration: number;
        learningSessions: number;
        /**
         * seconds
         */
        totalQuizDuration: number;
        chapters: Array<{
            chapterId: string;
            chapterTitle: string;
            /**
             * seconds
             */
            quizDuration: number;
            quizSessions: number;
        }>;
    }>;
};

export type VerifiedCertificate = {
    certificateId: string;
    studentName: string;
    courseTitle: string;
    completionDate: string;
    issuedAt: string;
};

export type CommunityGroup = {
    _id: string;
    name: string;
    slug: string;
    description: string;
    icon: string;
    memberCount: number;
    postCount: number;
    isOfficial: boolean;
    /**
     * false for anonymous callers
     */
    isMember: boolean;
    createdAt: string;
    updatedAt: string;
};

export type CommunityPost = {
    _id: string;
    /**
     * name and image are those of the time of writing
     */
    authorName: string;
    authorImage: string;
    title: string;
    content: string;
    tags: Array<string>;
    replyCount: number;
    isResolved: boolean;
    /**
     * whether the caller wrote it
     */
    isAuthor: boolean;
    group: {
        _id: string;
        name: string;
        slug: string;
        icon: string;
    } | null;
    upvoteCount: number;
    /**
     * whether the caller has upvoted it
     */
    isUpvoted: boolean;
    createdAt: string;
    updatedAt: string;
    /**
     * when the author last edited the text; absent if never
     */
    editedAt?: string;
};

export type CommunityPostDetail = {
    _id: string;
    /**
     * name and image are those of the time of writing
     */
    authorName: string;
    authorImage: string;
    title: string;
    content: string;
    tags: Array<string>;
    replyCount: number;
    isResolved: boolean;
    /**
     * whether the caller wrote it
     */
    isAuthor: boolean;
    group: {
        _id: string;
        name: string;
        slug: string;
        icon: string;
    } | null;
    upvoteCount: number;
    /**
     * whether the caller has upvoted it
     */
    isUpvoted: boolean;
    createdAt: string;
    updatedAt: string;
    /**
     * when the author last edited the text; absent if never
     */
    editedAt?: string;
    /**
     * the accepted reply first, then oldest first
     */
    replies: Array<CommunityReply>;
};

export type CommunityReply = {
    _id: string;
    postId: string;
    content: string;
    authorName: string;
    authorImage: string;
    isAuthor: boolean;
    upvoteCount: number;
    isUpvoted: boolean;
    isAcceptedAnswer: boolean;
    createdAt: string;
    /**
     * when the author last edited the text; absent if never
     */
    editedAt?: string;
};

export type OwnApplication = {
    _id: string;
    status: 'pending' | 'approved' | 'rejected';
    rejectionReason: string;
    professionalTitle: string;
    bio: string;
    expertise: Array<string>;
    linkedinUrl: string;
};

export type OwnCourse = {
    _id: string;
    courseTitle: string;
    courseThumbnail: string;
    coursePrice: number;
    discount: number;
    isPublished: boolean;
    createdAt: string;
    /**
     * number of active enrollments
     */
    enrolledStudentsCount: number;
    version: number;
};

/**
 * with every lecture's address
 */
export type OwnCourseDetail = {
    _id: string;
    courseTitle: string;
    /**
     * Markdown
     */
    courseDescription: string;
    courseThumbnail: string;
    /**
     * major unit of the platform's currency
     */
    coursePrice: number;
    isPublished: boolean;
    /**
     * percent, 0 to 100
     */
    discount: number;
    averageRating: number;
    totalRatings: number;
    totalLectures: number;
    totalDurationMinutes: number;
    educatorId: UserSummary;
    /**
     * number of active enrollments
     */
    totalEnrolledStudents: number;
    createdAt: string;
    updatedAt: string;
    courseContent: Array<Chapter>;
    /**
     * days of access after a purchase; absent: for good
     */
    accessDays?: number;
    version: number;
};

export type EducatorDashboard = {
    /**
     * major unit; completed purchases of the educator's courses
     */
    totalEarnings: number;
    /**
     * drafts included
     */
    totalCourses: number;
    enrolledStudentsData: Array<{
        courseTitle: string;
        student: UserSummary;
    }>;
    /**
     * `after` of the next page; null at the end, absent with the whole list
     */
    nextCursor?: string | null;
};

export type PlatformStats = {
    /**
     * user records
     */
    totalStudents: number;
    totalCourses: number;
    /**
     * users with the educator role
     */
    totalEducators: number;
    pendingApplications: number;
    /**
     * major unit; completed purchases
     */
    totalRevenue: number;
    /**
     * active enrollments
     */
    totalEnrollments: number;
};

export type AdminCourse = {
    _id: string;
    courseTitle: string;
    educatorId: {
        _id: string;
        name: string;
        email: string;
    };
    educator: {
        _id: string;
        name: string;
        email: string;
    };
    enrolledCount: number;
    isPublished: boolean;
    coursePrice: number;
    discount: number;
    createdAt: string;
    /**
     * major unit; completed purchases
     */
    revenue: number;
    /**
     * number of completed purchases
     */
    purchases: number;
};

export type AdminUser = {
    _id: string;
    name: string;
    email: string;
    imageUrl: string;
    enrolledCount: number;
    coursesCreated: number;
    isEducator: boolean;
    createdAt: string;
};

export type AuditEntry = {
    _id: string;
    /**
     * id of the user who acted, or `system`
     */
    actorId: string;
    action: string;
    targetKind: string;
    targetId: string;
    before: unknown;
    after: unknown;
    requestId: string | null;
    createdAt: string;
};

export type Application = {
    _id: string;
    userId: string;
    professionalTitle: string;
    bio: string;
    expertise: Array<string>;
    linkedinUrl: string;
    status: 'pending' | 'approved' | 'rejected';
    rejectionReason: string;
    createdAt: string;
    updatedAt: string;
};

export type ChatMessage = {
    _id: string;
    role: 'user' | 'assistant';
    /**
     * Markdown in answers
     */
    content: string;
    createdAt: string;
    updatedAt: string;
};

export type Roadmap = {
    title: string;
    summary: string;
    stages: Array<{
        id: string;
        label: string;
        status: 'completed' | 'current' | 'upcoming' | 'future';
        icon?: string;
        description?: string;
        timeEstimate?: string;
        skills?: Array<string>;
        highlights?: Array<string>;
        projects?: Array<string>;
        resources?: Array<string>;
        certifications?: Array<string>;
        courses?: Array<{
            title: string;
            completion: number;
        }>;
        recommendations?: Array<{
            title: string;
            priority: 'high' | 'medium';
            reason?: string;
        }>;
        paths?: Array<{
            title: string;
            readiness: number;
            gap: Array<string>;
        }>;
    }>;
};

export type HardQuestion = {
    question: string;
    attempts: number;
    wrongPct: number;
    /**
     * null when no wrong option was chosen
     */
    mostChosenWrongOption: string | null;
    mostChosenWrongCount: number;
};

export type CommunityReport = {
    _id: string;
    targetKind: 'post' | 'reply';
    targetId: string;
    /**
     * the post itself, or the reply's post
     */
    postId: string;
    reason: string;
    state: 'open' | 'resolved';
    reporter: {
        _id: string;
        name: string;
        imageUrl: string;
    };
    /**
     * the reported post or reply as it is now; null when it was removed. Replies have no title
     */
    target: {
        authorId: string;
        authorName: string;
        title: string | null;
        content: string;
    } | null;
    resolvedBy: string | null;
    resolvedAt: string | null;
    createdAt: string;
};

export type Coupon = {
    _id: string;
    code: string;
    kind: 'percent' | 'amount';
    value: number;
    /**
     * null: every course
     */
    courseIds: Array<string> | null;
    startsAt: string | null;
    expiresAt: string | null;
    maxRedemptions: number | null;
    maxPerUser: number;
    active: boolean;
    /**
     * unfinished purchases that use it
     */
    reserved: number;
    /**
     * completed purchases that used it, including refunded ones
     */
    redeemed: number;
    createdAt: string;
};

export type Order = {
    _id: string;
    courseId: string;
    /**
     * as it was when the purchase was opened
     */
    courseTitle: string;
    courseThumbnail: string;
    /**
     * major unit of `currency`
     */
    amount: number;
    /**
     * ISO 4217
     */
    currency: string;
    status: 'created' | 'pending' | 'completed' | 'failed' | 'refunded';
    couponCode: string | null;
    /**
     * major unit
     */
    refundedAmount: number;
    createdAt: string;
    completedAt: string | null;
    refundedAt: string | null;
    /**
     * null until it is assigned, soon after completion
     */
    invoiceNumber: string | null;
    /**
     * of the newest refund
     */
    creditNoteNumber: string | null;
};

export type Enrollment = {
    _id: string;
    kind: 'purchase' | 'free' | 'grant';
    state: 'active' | 'waiting';
    userId: string | null;
    email: string | null;
    courseId: string;
    /**
     * empty unless the enrollment was granted
     */
    reason: string;
    expiresAt: string | null;
    createdAt: string;
};

export type EnrollmentImport = {
    state: 'running' | 'done';
    /**
     * rows of the file
     */
    total: number;
    granted: number;
    waiting: number;
    /**
     * already enrolled, or repeated from an earlier row
     */
    skipped: number;
    failed: number;
    startedAt: string;
    finishedAt: string | null;
};

export type RootData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/';
};

export type RootResponses = {
    /**
     * Success
     */
    200: string;
};

export type RootResponse = RootResponses[keyof RootResponses];

export type HealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/healthz';
};

export type HealthResponses = {
    /**
     * Success
     */
    200: {
        status: 'ok';
    };
};

export type HealthResponse = HealthResponses[keyof HealthResponses];

export type ReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/readyz';
};

export type ReadinessErrors = {
    /**
     * The database does not answer
     */
    503: {
        status: 'unavailable';
    };
};

export type ReadinessError = ReadinessErrors[keyof ReadinessErrors];

export type ReadinessResponses = {
    /**
     * The database answers
     */
    200: {
        status: 'ready';
    };
};

export type ReadinessResponse = ReadinessResponses[keyof ReadinessResponses];

export type MetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type MetricsErrors = {
    /**
     * Unauthorized Access
     */
    401: {
        success: false;
        message: 'Unauthorized Access';
    };
    /**
     * Route not found
     */
    404: {
        success: false;
        message: 'Route not found';
    };
};

export type MetricsError = MetricsErrors[keyof MetricsErrors];

export type MetricsResponses = {
    /**
     * Success
     */
    200: string;
};

export type MetricsResponse = MetricsResponses[keyof MetricsResponses];

export type ReferenceData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/docs';
};

export type ReferenceResponses = {
    /**
     * Success
     */
    200: string;
};

export type ReferenceResponse = ReferenceResponses[keyof ReferenceResponses];

export type OpenapiData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/openapi.json';
};

export type OpenapiResponses = {
    /**
     * Success
     */
    200: {
        [key: string]: unknown;
    };
};

export type OpenapiResponse = OpenapiResponses[keyof OpenapiResponses];

export type ClerkWebhookData = {
    body: {
        [key: string]: unknown;
    };
    headers: {
        'svix-id': string;
        'svix-timestamp': string;
        'svix-signature': string;
    };
    path?: never;
    query?: never;
    url: '/clerk';
};

export type ClerkWebhookErrors = {
    /**
     * An unexpected error occurred
     */
    500: {
        success: false;
        message: 'An unexpected error occurred';
    };
};

export type ClerkWebhookError = ClerkWebhookErrors[keyof ClerkWebhookErrors];

export type ClerkWebhookResponses = {
    /**
     * The event took effect, or has no effect
     */
    200: {
        [key: string]: never;
    };
};

export type ClerkWebhookResponse = ClerkWebhookResponses[keyof ClerkWebhookResponses];

export type RazorpayWebhookData = {
    body: {
        [key: string]: unknown;
    };
    headers: {
        'x-razorpay-signature': string;
    };
    path?: never;
    query?: never;
    url: '/razorpay';
};

export type RazorpayWebhookErrors = {
    /**
     * The signature is wrong
     */
    400: {
        error: 'Invalid Razorpay webhook signature';
    };
    /**
     * An unexpected error occurred
     */
    500: {
        success: false;
        message: 'An unexpected error occurred';
    };
};

export type RazorpayWebhookError = RazorpayWebhookErrors[keyof RazorpayWebhookErrors];

export type RazorpayWebhookResponses = {
    /**
     * The event is stored
     */
    200: {
        received: true;
    };
};

export type RazorpayWebhookResponse = RazorpayWebhookResponses[keyof RazorpayWebhookResponses];

export type GetCourseAllData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * literal, case-insensitive match in title or description
         */
        q?: string;
        sort?: 'newest' | 'price-asc' | 'price-desc' | 'rating' | 'popular';
    };
    url: '/api/course/all';
};

export type GetCourseAllErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetCourseAllError = GetCourseAllErrors[keyof GetCourseAllErrors];

export type GetCourseAllResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courses: Array<CourseSummary>;
    };
};

export type GetCourseAllResponse = GetCourseAllResponses[keyof GetCourseAllResponses];

export type GetCourseIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/course/{id}';
};

export type GetCourseIdErrors = {
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetCourseIdError = GetCourseIdErrors[keyof GetCourseIdErrors];

export type GetCourseIdResponses = {
    /**
     * Success, or `success: false` with: Course not found
     */
    200: {
        success: true;
        courseData: CourseDetail;
    } | Error;
};

export type GetCourseIdResponse = GetCourseIdResponses[keyof GetCourseIdResponses];

export type PostUserPurchaseData = {
    body: {
        courseId: string;
        /**
         * coupon code; case and surrounding spaces are ignored
         */
        coupon?: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/purchase';
};

export type PostUserPurchaseErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * User not found · Course not found · Coupon not valid
     */
    404: Error;
    /**
     * Course already purchased · Idempotency-Key was used with another request
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many payment attempts. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
};

export type PostUserPurchaseError = PostUserPurchaseErrors[keyof PostUserPurchaseErrors];

export type PostUserPurchaseResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        purchaseId: string;
        /**
         * the provider's order for the checkout; null when free
         */
        orderId: string | null;
        /**
         * public key for the checkout; null when free
         */
        keyId: string | null;
        /**
         * true when the course was free and the caller is enrolled
         */
        enrolled: boolean;
        /**
         * major unit of `currency`; absent when free
         */
        amount?: number;
        /**
         * ISO 4217; absent when free
         */
        currency?: string;
        /**
         * only with a coupon
         */
        couponCode?: string;
        /**
         * major unit; discount of the coupon
         */
        discountAmount?: number;
    };
};

export type PostUserPurchaseResponse = PostUserPurchaseResponses[keyof PostUserPurchaseResponses];

export type PostUserVerifyRazorpayData = {
    body: {
        razorpay_order_id: string;
        razorpay_payment_id: string;
        /**
         * lowercase hex HMAC-SHA256 of `<order id>|<payment id>` with the key secret
         */
        razorpay_signature: string;
        purchaseId: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/verify-razorpay';
};

export type PostUserVerifyRazorpayErrors = {
    /**
     * Invalid payment signature · Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Purchase verification failed
     */
    403: Error;
    /**
     * Purchase already completed
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many payment attempts. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
};

export type PostUserVerifyRazorpayError = PostUserVerifyRazorpayErrors[keyof PostUserVerifyRazorpayErrors];

export type PostUserVerifyRazorpayResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type PostUserVerifyRazorpayResponse = PostUserVerifyRazorpayResponses[keyof PostUserVerifyRazorpayResponses];

export type PostAdminPurchasesIdRefundData = {
    body: {
        reason: string;
        /**
         * a payment of the purchase; absent: the payment that completed it
         */
        paymentId?: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/purchases/{id}/refund';
};

export type PostAdminPurchasesIdRefundErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Purchase not found
     */
    404: Error;
    /**
     * Only a completed, paid purchase can be refunded · The payment provider refused the refund
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
};

export type PostAdminPurchasesIdRefundError = PostAdminPurchasesIdRefundErrors[keyof PostAdminPurchasesIdRefundErrors];

export type PostAdminPurchasesIdRefundResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        purchaseId: string;
        /**
         * `refunded` once the provider has processed the refund
         */
        status: string;
        /**
         * the provider's id of the refund
         */
        refundId: string | null;
    };
};

export type PostAdminPurchasesIdRefundResponse = PostAdminPurchasesIdRefundResponses[keyof PostAdminPurchasesIdRefundResponses];

export type PostAdminPurchasesIdReviewData = {
    body: {
        reason: 'amount_mismatch' | 'currency_mismatch' | 'order_mismatch' | 'duplicate_charge' | 'unknown_purchase' | 'partial_refund' | 'refund_failed' | 'disputed' | 'not_captured' | 'late_payment';
        note: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/purchases/{id}/review';
};

export type PostAdminPurchasesIdReviewErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Purchase not found
     */
    404: Error;
    /**
     * Nothing to review
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
};

export type PostAdminPurchasesIdReviewError = PostAdminPurchasesIdReviewErrors[keyof PostAdminPurchasesIdReviewErrors];

export type PostAdminPurchasesIdReviewResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        purchase: AdminPurchase;
    };
};

export type PostAdminPurchasesIdReviewResponse = PostAdminPurchasesIdReviewResponses[keyof PostAdminPurchasesIdReviewResponses];

export type GetAdminPaymentEventsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * `pending`, `processed`, `review`; absent or `all`: every event
         */
        state?: string;
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `_id` of the last row of the previous page
         */
        before?: string;
    };
    url: '/api/admin/payment-events';
};

export type GetAdminPaymentEventsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminPaymentEventsError = GetAdminPaymentEventsErrors[keyof GetAdminPaymentEventsErrors];

export type GetAdminPaymentEventsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        events: Array<PaymentEvent>;
        hasMore: boolean;
    };
};

export type GetAdminPaymentEventsResponse = GetAdminPaymentEventsResponses[keyof GetAdminPaymentEventsResponses];

export type PostAdminPaymentEventsIdReplayData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/payment-events/{id}/replay';
};

export type PostAdminPaymentEventsIdReplayErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Payment event not found
     */
    404: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
};

export type PostAdminPaymentEventsIdReplayError = PostAdminPaymentEventsIdReplayErrors[keyof PostAdminPaymentEventsIdReplayErrors];

export type PostAdminPaymentEventsIdReplayResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        event: PaymentEvent;
    };
};

export type PostAdminPaymentEventsIdReplayResponse = PostAdminPaymentEventsIdReplayResponses[keyof PostAdminPaymentEventsIdReplayResponses];

export type PostAdminPaymentEventsIdReviewData = {
    body: {
        note: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/payment-events/{id}/review';
};

export type PostAdminPaymentEventsIdReviewErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Payment event not found
     */
    404: Error;
    /**
     * Nothing to review
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
};

export type PostAdminPaymentEventsIdReviewError = PostAdminPaymentEventsIdReviewErrors[keyof PostAdminPaymentEventsIdReviewErrors];

export type PostAdminPaymentEventsIdReviewResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        event: PaymentEvent;
    };
};

export type PostAdminPaymentEventsIdReviewResponse = PostAdminPaymentEventsIdReviewResponses[keyof PostAdminPaymentEventsIdReviewResponses];

export type DeleteUserDataData = {
    body: {
        /**
         * the caller's user id; any other value is refused
         */
        confirm: string;
        /**
         * true: issued certificates keep the name and can still be verified
         */
        keepCertificates?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/user/data';
};

export type DeleteUserDataErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteUserDataError = DeleteUserDataErrors[keyof DeleteUserDataErrors];

export type DeleteUserDataResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * true: the data is erased; data that concurrent requests wrote is erased within minutes. false: the erasure continues in the background
         */
        erased: boolean;
    };
};

export type DeleteUserDataResponse = DeleteUserDataResponses[keyof DeleteUserDataResponses];

export type GetUserDataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/data';
};

export type GetUserDataErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserDataError = GetUserDataErrors[keyof GetUserDataErrors];

export type GetUserDataResponses = {
    /**
     * Success, or `success: false` with: User Not Found
     */
    200: {
        success: true;
        user: User;
    } | Error;
};

export type GetUserDataResponse = GetUserDataResponses[keyof GetUserDataResponses];

export type GetUserEnrolledCoursesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/enrolled-courses';
};

export type GetUserEnrolledCoursesErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * User not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserEnrolledCoursesError = GetUserEnrolledCoursesErrors[keyof GetUserEnrolledCoursesErrors];

export type GetUserEnrolledCoursesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrolledCourses: Array<EnrolledCourse>;
    };
};

export type GetUserEnrolledCoursesResponse = GetUserEnrolledCoursesResponses[keyof GetUserEnrolledCoursesResponses];

export type GetUserEnrolledCoursesCourseIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
    };
    query?: never;
    url: '/api/user/enrolled-courses/{courseId}';
};

export type GetUserEnrolledCoursesCourseIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Access denied or course not found
     */
    403: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserEnrolledCoursesCourseIdError = GetUserEnrolledCoursesCourseIdErrors[keyof GetUserEnrolledCoursesCourseIdErrors];

export type GetUserEnrolledCoursesCourseIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courseData: PlayerCourse;
        /**
         * the caller's rating, 1 to 5; null when unrated
         */
        userRating: number | null;
    };
};

export type GetUserEnrolledCoursesCourseIdResponse = GetUserEnrolledCoursesCourseIdResponses[keyof GetUserEnrolledCoursesCourseIdResponses];

export type GetUserContinueData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/continue';
};

export type GetUserContinueErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserContinueError = GetUserContinueErrors[keyof GetUserContinueErrors];

export type GetUserContinueResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courses: Array<CourseToContinue>;
    };
};

export type GetUserContinueResponse = GetUserContinueResponses[keyof GetUserContinueResponses];

export type GetUserExportData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/export';
};

export type GetUserExportErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserExportError = GetUserExportErrors[keyof GetUserExportErrors];

export type GetUserExportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        export: UserData;
    };
};

export type GetUserExportResponse = GetUserExportResponses[keyof GetUserExportResponses];

export type PostUserUpdateCourseProgressData = {
    body: {
        courseId: string;
        lectureId: string;
        /**
         * seconds into the lecture, fractions allowed; absent: the learner continues at the start
         */
        positionSeconds?: number;
    };
    path?: never;
    query?: never;
    url: '/api/user/update-course-progress';
};

export type PostUserUpdateCourseProgressErrors = {
    /**
     * Invalid lecture for this course · Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Course not purchased
     */
    403: Error;
    /**
     * Course not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserUpdateCourseProgressError = PostUserUpdateCourseProgressErrors[keyof PostUserUpdateCourseProgressErrors];

export type PostUserUpdateCourseProgressResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Progress Updated';
        isCourseCompleted: boolean;
        /**
         * false while the PDF is still being produced
         */
        certificateAvailable: boolean;
    };
};

export type PostUserUpdateCourseProgressResponse = PostUserUpdateCourseProgressResponses[keyof PostUserUpdateCourseProgressResponses];

export type PostUserGetCourseProgressData = {
    body: {
        courseId: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/get-course-progress';
};

export type PostUserGetCourseProgressErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserGetCourseProgressError = PostUserGetCourseProgressErrors[keyof PostUserGetCourseProgressErrors];

export type PostUserGetCourseProgressResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        progressData: CourseProgress | null;
    };
};

export type PostUserGetCourseProgressResponse = PostUserGetCourseProgressResponses[keyof PostUserGetCourseProgressResponses];

export type GetUserCertificateCheckCourseIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
    };
    query?: never;
    url: '/api/user/certificate/check/{courseId}';
};

export type GetUserCertificateCheckCourseIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Course not purchased
     */
    403: Error;
    /**
     * Course not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserCertificateCheckCourseIdError = GetUserCertificateCheckCourseIdErrors[keyof GetUserCertificateCheckCourseIdErrors];

export type GetUserCertificateCheckCourseIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * whether the course is completed
         */
        eligible: boolean;
        /**
         * whether the PDF exists
         */
        certificateExists: boolean;
    };
};

export type GetUserCertificateCheckCourseIdResponse = GetUserCertificateCheckCourseIdResponses[keyof GetUserCertificateCheckCourseIdResponses];

export type PostUserCertificateGenerateCourseIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
    };
    query?: never;
    url: '/api/user/certificate/generate/{courseId}';
};

export type PostUserCertificateGenerateCourseIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Course not purchased
     */
    403: Error;
    /**
     * Course not found · Certificate not available yet · User not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserCertificateGenerateCourseIdError = PostUserCertificateGenerateCourseIdErrors[keyof PostUserCertificateGenerateCourseIdErrors];

export type PostUserCertificateGenerateCourseIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * whether this call produced the PDF
         */
        created: boolean;
        message: 'Certificate generated successfully' | 'Certificate already exists';
        /**
         * public address of the PDF
         */
        pdfUrl: string;
    };
};

export type PostUserCertificateGenerateCourseIdResponse = PostUserCertificateGenerateCourseIdResponses[keyof PostUserCertificateGenerateCourseIdResponses];

export type GetUserCertificateCourseIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
    };
    query?: never;
    url: '/api/user/certificate/{courseId}';
};

export type GetUserCertificateCourseIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Course not purchased
     */
    403: Error;
    /**
     * Course not found · Certificate not generated yet. Click Get Certificate to generate it.
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserCertificateCourseIdError = GetUserCertificateCourseIdErrors[keyof GetUserCertificateCourseIdErrors];

export type GetUserCertificateCourseIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Certificate fetched successfully';
        /**
         * public address of the PDF
         */
        pdfUrl: string;
    };
};

export type GetUserCertificateCourseIdResponse = GetUserCertificateCourseIdResponses[keyof GetUserCertificateCourseIdResponses];

export type PostUserAddRatingData = {
    body: {
        courseId: string;
        rating: number;
    };
    path?: never;
    query?: never;
    url: '/api/user/add-rating';
};

export type PostUserAddRatingErrors = {
    /**
     * Invalid Details
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Course not purchased.
     */
    403: Error;
    /**
     * Course not found.
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserAddRatingError = PostUserAddRatingErrors[keyof PostUserAddRatingErrors];

export type PostUserAddRatingResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Rating Added';
    };
};

export type PostUserAddRatingResponse = PostUserAddRatingResponses[keyof PostUserAddRatingResponses];

export type PostUserTrackTimeData = {
    body: {
        /**
         * the client's label of the page
         */
        page: string;
        path: string;
        /**
         * seconds
         */
        duration: number;
    };
    path?: never;
    query?: never;
    url: '/api/user/track-time';
};

export type PostUserTrackTimeErrors = {
    /**
     * Invalid tracking data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserTrackTimeError = PostUserTrackTimeErrors[keyof PostUserTrackTimeErrors];

export type PostUserTrackTimeResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type PostUserTrackTimeResponse = PostUserTrackTimeResponses[keyof PostUserTrackTimeResponses];

export type GetUserAnalyticsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/analytics';
};

export type GetUserAnalyticsErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserAnalyticsError = GetUserAnalyticsErrors[keyof GetUserAnalyticsErrors];

export type GetUserAnalyticsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        analytics: Analytics;
    };
};

export type GetUserAnalyticsResponse = GetUserAnalyticsResponses[keyof GetUserAnalyticsResponses];

export type GetCertificateVerifyCertificateIdData = {
    body?: never;
    path: {
        certificateId: string;
    };
    query?: never;
    url: '/api/certificate/verify/{certificateId}';
};

export type GetCertificateVerifyCertificateIdErrors = {
    /**
     * Certificate not found
     */
    404: {
        success: false;
        valid: false;
        message: string;
    };
    /**
     * An unexpected error occurred
     */
    500: {
        success: false;
        valid: false;
        message: string;
    };
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetCertificateVerifyCertificateIdError = GetCertificateVerifyCertificateIdErrors[keyof GetCertificateVerifyCertificateIdErrors];

export type GetCertificateVerifyCertificateIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        valid: true;
        certificate: VerifiedCertificate;
    };
};

export type GetCertificateVerifyCertificateIdResponse = GetCertificateVerifyCertificateIdResponses[keyof GetCertificateVerifyCertificateIdResponses];

export type GetCommunityGroupsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/community/groups';
};

export type GetCommunityGroupsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetCommunityGroupsError = GetCommunityGroupsErrors[keyof GetCommunityGroupsErrors];

export type GetCommunityGroupsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        groups: Array<CommunityGroup>;
        /**
         * `after` of the next page; null at the end, absent with the whole list
         */
        nextCursor?: string | null;
    };
};

export type GetCommunityGroupsResponse = GetCommunityGroupsResponses[keyof GetCommunityGroupsResponses];

export type PostCommunityGroupsData = {
    body: {
        name: string;
        description?: string;
        icon?: string;
    };
    path?: never;
    query?: never;
    url: '/api/community/groups';
};

export type PostCommunityGroupsErrors = {
    /**
     * Group name is required · Invalid request data
     */
    400: Error;
    /**
     * Authentication required
     */
    401: Error;
    /**
     * A group with this name already exists
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many groups · Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostCommunityGroupsError = PostCommunityGroupsErrors[keyof PostCommunityGroupsErrors];

export type PostCommunityGroupsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        group: CommunityGroup;
    };
};

export type PostCommunityGroupsResponse = PostCommunityGroupsResponses[keyof PostCommunityGroupsResponses];

export type PostCommunityGroupsGroupIdMembershipData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        groupId: string;
    };
    query?: never;
    url: '/api/community/groups/{groupId}/membership';
};

export type PostCommunityGroupsGroupIdMembershipErrors = {
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Group not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostCommunityGroupsGroupIdMembershipError = PostCommunityGroupsGroupIdMembershipErrors[keyof PostCommunityGroupsGroupIdMembershipErrors];

export type PostCommunityGroupsGroupIdMembershipResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        isMember: boolean;
    };
};

export type PostCommunityGroupsGroupIdMembershipResponse = PostCommunityGroupsGroupIdMembershipResponses[keyof PostCommunityGroupsGroupIdMembershipResponses];

export type GetCommunityPostsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * `myGroups` is `all` for anonymous callers; `trending` sorts by upvotes
         */
        tab?: 'all' | 'myGroups' | 'trending';
        /**
         * only posts of this group, also under `myGroups`; an unknown id matches nothing
         */
        groupId?: string;
        /**
         * literal, case-insensitive match in title or content
         */
        q?: string;
        /**
         * overrides the order of the tab
         */
        sort?: 'newest' | 'oldest' | 'upvotes';
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * 1 by default; ignored without `limit`
         */
        page?: number;
    };
    url: '/api/community/posts';
};

export type GetCommunityPostsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetCommunityPostsError = GetCommunityPostsErrors[keyof GetCommunityPostsErrors];

export type GetCommunityPostsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        posts: Array<CommunityPost>;
        /**
         * always false without `limit`
         */
        hasMore: boolean;
        /**
         * number of matching posts on all pages
         */
        total: number;
    };
};

export type GetCommunityPostsResponse = GetCommunityPostsResponses[keyof GetCommunityPostsResponses];

export type PostCommunityPostsData = {
    body: {
        title: string;
        content: string;
        /**
         * absent, null or empty: no group
         */
        groupId?: string | null;
        tags?: string | Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/community/posts';
};

export type PostCommunityPostsErrors = {
    /**
     * Title and content are required · Invalid request data
     */
    400: Error;
    /**
     * Authentication required
     */
    401: Error;
    /**
     * User not found · Group not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many community actions. Please slow down.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostCommunityPostsError = PostCommunityPostsErrors[keyof PostCommunityPostsErrors];

export type PostCommunityPostsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        post: CommunityPost;
    };
};

export type PostCommunityPostsResponse = PostCommunityPostsResponses[keyof PostCommunityPostsResponses];

export type DeleteCommunityPostsPostIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}';
};

export type DeleteCommunityPostsPostIdErrors = {
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Not authorized
     */
    403: Error;
    /**
     * Post not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteCommunityPostsPostIdError = DeleteCommunityPostsPostIdErrors[keyof DeleteCommunityPostsPostIdErrors];

export type DeleteCommunityPostsPostIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteCommunityPostsPostIdResponse = DeleteCommunityPostsPostIdResponses[keyof DeleteCommunityPostsPostIdResponses];

export type GetCommunityPostsPostIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}';
};

export type GetCommunityPostsPostIdErrors = {
    /**
     * Post not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetCommunityPostsPostIdError = GetCommunityPostsPostIdErrors[keyof GetCommunityPostsPostIdErrors];

export type GetCommunityPostsPostIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        post: CommunityPostDetail;
    };
};

export type GetCommunityPostsPostIdResponse = GetCommunityPostsPostIdResponses[keyof GetCommunityPostsPostIdResponses];

export type PatchCommunityPostsPostIdData = {
    body: {
        title?: string;
        content?: string;
        tags?: string | Array<string>;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}';
};

export type PatchCommunityPostsPostIdErrors = {
    /**
     * Title and content are required · Invalid request data
     */
    400: Error;
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Not authorized
     */
    403: Error;
    /**
     * Post not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchCommunityPostsPostIdError = PatchCommunityPostsPostIdErrors[keyof PatchCommunityPostsPostIdErrors];

export type PatchCommunityPostsPostIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        post: CommunityPost;
    };
};

export type PatchCommunityPostsPostIdResponse = PatchCommunityPostsPostIdResponses[keyof PatchCommunityPostsPostIdResponses];

export type PostCommunityPostsPostIdUpvoteData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/upvote';
};

export type PostCommunityPostsPostIdUpvoteErrors = {
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Post not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostCommunityPostsPostIdUpvoteError = PostCommunityPostsPostIdUpvoteErrors[keyof PostCommunityPostsPostIdUpvoteErrors];

export type PostCommunityPostsPostIdUpvoteResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        upvoteCount: number;
        isUpvoted: boolean;
    };
};

export type PostCommunityPostsPostIdUpvoteResponse = PostCommunityPostsPostIdUpvoteResponses[keyof PostCommunityPostsPostIdUpvoteResponses];

export type PatchCommunityPostsPostIdResolveData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/resolve';
};

export type PatchCommunityPostsPostIdResolveErrors = {
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Not authorized
     */
    403: Error;
    /**
     * Post not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchCommunityPostsPostIdResolveError = PatchCommunityPostsPostIdResolveErrors[keyof PatchCommunityPostsPostIdResolveErrors];

export type PatchCommunityPostsPostIdResolveResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        isResolved: boolean;
    };
};

export type PatchCommunityPostsPostIdResolveResponse = PatchCommunityPostsPostIdResolveResponses[keyof PatchCommunityPostsPostIdResolveResponses];

export type PostCommunityPostsPostIdReportData = {
    body: {
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/report';
};

export type PostCommunityPostsPostIdReportErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Post not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostCommunityPostsPostIdReportError = PostCommunityPostsPostIdReportErrors[keyof PostCommunityPostsPostIdReportErrors];

export type PostCommunityPostsPostIdReportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type PostCommunityPostsPostIdReportResponse = PostCommunityPostsPostIdReportResponses[keyof PostCommunityPostsPostIdReportResponses];

export type PostCommunityPostsPostIdRepliesData = {
    body: {
        content: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/replies';
};

export type PostCommunityPostsPostIdRepliesErrors = {
    /**
     * Reply content is required · Invalid request data
     */
    400: Error;
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Post not found · User not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many community actions. Please slow down.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostCommunityPostsPostIdRepliesError = PostCommunityPostsPostIdRepliesErrors[keyof PostCommunityPostsPostIdRepliesErrors];

export type PostCommunityPostsPostIdRepliesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        reply: CommunityReply;
    };
};

export type PostCommunityPostsPostIdRepliesResponse = PostCommunityPostsPostIdRepliesResponses[keyof PostCommunityPostsPostIdRepliesResponses];

export type DeleteCommunityPostsPostIdRepliesReplyIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
        /**
         * object id, 24 hex digits
         */
        replyId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/replies/{replyId}';
};

export type DeleteCommunityPostsPostIdRepliesReplyIdErrors = {
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Not authorized
     */
    403: Error;
    /**
     * Post not found · Reply not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteCommunityPostsPostIdRepliesReplyIdError = DeleteCommunityPostsPostIdRepliesReplyIdErrors[keyof DeleteCommunityPostsPostIdRepliesReplyIdErrors];

export type DeleteCommunityPostsPostIdRepliesReplyIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteCommunityPostsPostIdRepliesReplyIdResponse = DeleteCommunityPostsPostIdRepliesReplyIdResponses[keyof DeleteCommunityPostsPostIdRepliesReplyIdResponses];

export type PatchCommunityPostsPostIdRepliesReplyIdData = {
    body: {
        content: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
        /**
         * object id, 24 hex digits
         */
        replyId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/replies/{replyId}';
};

export type PatchCommunityPostsPostIdRepliesReplyIdErrors = {
    /**
     * Reply content is required · Invalid request data
     */
    400: Error;
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Not authorized
     */
    403: Error;
    /**
     * Post not found · Reply not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchCommunityPostsPostIdRepliesReplyIdError = PatchCommunityPostsPostIdRepliesReplyIdErrors[keyof PatchCommunityPostsPostIdRepliesReplyIdErrors];

export type PatchCommunityPostsPostIdRepliesReplyIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        reply: CommunityReply;
    };
};

export type PatchCommunityPostsPostIdRepliesReplyIdResponse = PatchCommunityPostsPostIdRepliesReplyIdResponses[keyof PatchCommunityPostsPostIdRepliesReplyIdResponses];

export type PostCommunityPostsPostIdRepliesReplyIdUpvoteData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
        /**
         * object id, 24 hex digits
         */
        replyId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/replies/{replyId}/upvote';
};

export type PostCommunityPostsPostIdRepliesReplyIdUpvoteErrors = {
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Reply not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostCommunityPostsPostIdRepliesReplyIdUpvoteError = PostCommunityPostsPostIdRepliesReplyIdUpvoteErrors[keyof PostCommunityPostsPostIdRepliesReplyIdUpvoteErrors];

export type PostCommunityPostsPostIdRepliesReplyIdUpvoteResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        upvoteCount: number;
        isUpvoted: boolean;
    };
};

export type PostCommunityPostsPostIdRepliesReplyIdUpvoteResponse = PostCommunityPostsPostIdRepliesReplyIdUpvoteResponses[keyof PostCommunityPostsPostIdRepliesReplyIdUpvoteResponses];

export type PatchCommunityPostsPostIdRepliesReplyIdAcceptData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
        /**
         * object id, 24 hex digits
         */
        replyId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/replies/{replyId}/accept';
};

export type PatchCommunityPostsPostIdRepliesReplyIdAcceptErrors = {
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Only the post author can accept an answer
     */
    403: Error;
    /**
     * Post not found · Reply not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchCommunityPostsPostIdRepliesReplyIdAcceptError = PatchCommunityPostsPostIdRepliesReplyIdAcceptErrors[keyof PatchCommunityPostsPostIdRepliesReplyIdAcceptErrors];

export type PatchCommunityPostsPostIdRepliesReplyIdAcceptResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        isAcceptedAnswer: boolean;
        postResolved: boolean;
    };
};

export type PatchCommunityPostsPostIdRepliesReplyIdAcceptResponse = PatchCommunityPostsPostIdRepliesReplyIdAcceptResponses[keyof PatchCommunityPostsPostIdRepliesReplyIdAcceptResponses];

export type PostCommunityPostsPostIdRepliesReplyIdReportData = {
    body: {
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
        /**
         * object id, 24 hex digits
         */
        replyId: string;
    };
    query?: never;
    url: '/api/community/posts/{postId}/replies/{replyId}/report';
};

export type PostCommunityPostsPostIdRepliesReplyIdReportErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Authentication required
     */
    401: Error;
    /**
     * Post not found · Reply not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostCommunityPostsPostIdRepliesReplyIdReportError = PostCommunityPostsPostIdRepliesReplyIdReportErrors[keyof PostCommunityPostsPostIdRepliesReplyIdReportErrors];

export type PostCommunityPostsPostIdRepliesReplyIdReportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type PostCommunityPostsPostIdRepliesReplyIdReportResponse = PostCommunityPostsPostIdRepliesReplyIdReportResponses[keyof PostCommunityPostsPostIdRepliesReplyIdReportResponses];

export type PostEducatorApplyData = {
    body: {
        professionalTitle: string;
        bio: string;
        expertise: Array<string>;
        /**
         * empty, or an http(s) URL without user information
         */
        linkedinUrl?: string;
    };
    path?: never;
    query?: never;
    url: '/api/educator/apply';
};

export type PostEducatorApplyErrors = {
    /**
     * Please fill in all required fields. · Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * You already have a pending application. · Your application has already been approved.
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostEducatorApplyError = PostEducatorApplyErrors[keyof PostEducatorApplyErrors];

export type PostEducatorApplyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: string;
    };
};

export type PostEducatorApplyResponse = PostEducatorApplyResponses[keyof PostEducatorApplyResponses];

export type GetEducatorApplicationStatusData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/educator/application-status';
};

export type GetEducatorApplicationStatusErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorApplicationStatusError = GetEducatorApplicationStatusErrors[keyof GetEducatorApplicationStatusErrors];

export type GetEducatorApplicationStatusResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        application: OwnApplication | null;
    };
};

export type GetEducatorApplicationStatusResponse = GetEducatorApplicationStatusResponses[keyof GetEducatorApplicationStatusResponses];

export type PostEducatorAddCourseData = {
    body: {
        /**
         * JSON text of the course, up to 1 MiB
         */
        courseData: string;
        /**
         * required: JPEG, PNG or WebP, up to 5 MiB
         */
        image?: Blob | File;
    };
    path?: never;
    query?: never;
    url: '/api/educator/add-course';
};

export type PostEducatorAddCourseErrors = {
    /**
     * Thumbnail Not Attached · Thumbnail must be a JPEG, PNG or WebP image · Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostEducatorAddCourseError = PostEducatorAddCourseErrors[keyof PostEducatorAddCourseErrors];

export type PostEducatorAddCourseResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Course Added Succesfully';
        courseId: string;
    };
};

export type PostEducatorAddCourseResponse = PostEducatorAddCourseResponses[keyof PostEducatorAddCourseResponses];

export type GetEducatorCoursesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/educator/courses';
};

export type GetEducatorCoursesErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorCoursesError = GetEducatorCoursesErrors[keyof GetEducatorCoursesErrors];

export type GetEducatorCoursesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courses: Array<OwnCourse>;
        /**
         * `after` of the next page; null at the end, absent with the whole list
         */
        nextCursor?: string | null;
    };
};

export type GetEducatorCoursesResponse = GetEducatorCoursesResponses[keyof GetEducatorCoursesResponses];

export type GetEducatorCoursesIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}';
};

export type GetEducatorCoursesIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorCoursesIdError = GetEducatorCoursesIdErrors[keyof GetEducatorCoursesIdErrors];

export type GetEducatorCoursesIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        course: OwnCourseDetail;
    };
};

export type GetEducatorCoursesIdResponse = GetEducatorCoursesIdResponses[keyof GetEducatorCoursesIdResponses];

export type PatchEducatorCoursesIdData = {
    body: {
        courseTitle?: string;
        /**
         * Markdown
         */
        courseDescription?: string;
        /**
         * major unit; rounded if the currency has two decimals, otherwise refused with too many decimals
         */
        coursePrice?: number;
        /**
         * percent
         */
        discount?: number;
        /**
         * days of access after a purchase; null: for good
         */
        accessDays?: number | null;
        /**
         * chapter ids, and lecture ids over the whole course, are unique; order numbers may have gaps
         */
        courseContent?: Array<{
            chapterId: string;
            chapterTitle: string;
            chapterOrder: number;
            chapterContent: Array<{
                lectureId: string;
                lectureTitle: string;
                /**
                 * minutes
                 */
                lectureDuration: number;
                /**
                 * http or https, without user information; absent or empty in an edit: the existing lecture keeps its address
                 */
                lectureUrl?: string;
                isPreviewFree: boolean;
                lectureOrder: number;
            }>;
        }>;
        isPublished?: boolean;
        version: number;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}';
};

export type PatchEducatorCoursesIdErrors = {
    /**
     * Thumbnail must be a JPEG, PNG or WebP image · Add at least one lecture before publishing · Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found
     */
    404: Error;
    /**
     * Course was changed by someone else
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchEducatorCoursesIdError = PatchEducatorCoursesIdErrors[keyof PatchEducatorCoursesIdErrors];

export type PatchEducatorCoursesIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        course: OwnCourseDetail;
    };
};

export type PatchEducatorCoursesIdResponse = PatchEducatorCoursesIdResponses[keyof PatchEducatorCoursesIdResponses];

export type PatchEducatorCoursesIdPublishData = {
    body: {
        isPublished: boolean;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/publish';
};

export type PatchEducatorCoursesIdPublishErrors = {
    /**
     * Add at least one lecture before publishing · Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchEducatorCoursesIdPublishError = PatchEducatorCoursesIdPublishErrors[keyof PatchEducatorCoursesIdPublishErrors];

export type PatchEducatorCoursesIdPublishResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        isPublished: boolean;
        version: number;
    };
};

export type PatchEducatorCoursesIdPublishResponse = PatchEducatorCoursesIdPublishResponses[keyof PatchEducatorCoursesIdPublishResponses];

export type GetEducatorDashboardData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/educator/dashboard';
};

export type GetEducatorDashboardErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorDashboardError = GetEducatorDashboardErrors[keyof GetEducatorDashboardErrors];

export type GetEducatorDashboardResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        dashboardData: EducatorDashboard;
    };
};

export type GetEducatorDashboardResponse = GetEducatorDashboardResponses[keyof GetEducatorDashboardResponses];

export type GetEducatorEnrolledStudentsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/educator/enrolled-students';
};

export type GetEducatorEnrolledStudentsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorEnrolledStudentsError = GetEducatorEnrolledStudentsErrors[keyof GetEducatorEnrolledStudentsErrors];

export type GetEducatorEnrolledStudentsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrolledStudents: Array<{
            student: UserSummary;
            courseTitle: string;
            purchaseDate: string;
        }>;
        /**
         * `after` of the next page; null at the end, absent with the whole list
         */
        nextCursor?: string | null;
    };
};

export type GetEducatorEnrolledStudentsResponse = GetEducatorEnrolledStudentsResponses[keyof GetEducatorEnrolledStudentsResponses];

export type GetEducatorEnrolledStudentsCsvData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/educator/enrolled-students.csv';
};

export type GetEducatorEnrolledStudentsCsvErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorEnrolledStudentsCsvError = GetEducatorEnrolledStudentsCsvErrors[keyof GetEducatorEnrolledStudentsCsvErrors];

export type GetEducatorEnrolledStudentsCsvResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type GetEducatorEnrolledStudentsCsvResponse = GetEducatorEnrolledStudentsCsvResponses[keyof GetEducatorEnrolledStudentsCsvResponses];

export type GetAdminStatsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/admin/stats';
};

export type GetAdminStatsErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminStatsError = GetAdminStatsErrors[keyof GetAdminStatsErrors];

export type GetAdminStatsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        stats: PlatformStats;
    };
};

export type GetAdminStatsResponse = GetAdminStatsResponses[keyof GetAdminStatsResponses];

export type GetAdminChartDataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/admin/chart-data';
};

export type GetAdminChartDataErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminChartDataError = GetAdminChartDataErrors[keyof GetAdminChartDataErrors];

export type GetAdminChartDataResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * at most six, by active enrollments
         */
        topCourseData: Array<{
            name: string;
            enrollments: number;
        }>;
        /**
         * seven UTC days by completion time, today last
         */
        weeklyRevenue: Array<{
            date: string;
            revenue: number;
        }>;
    };
};

export type GetAdminChartDataResponse = GetAdminChartDataResponses[keyof GetAdminChartDataResponses];

export type GetAdminCoursesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/admin/courses';
};

export type GetAdminCoursesErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminCoursesError = GetAdminCoursesErrors[keyof GetAdminCoursesErrors];

export type GetAdminCoursesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courses: Array<AdminCourse>;
        /**
         * `after` of the next page; null at the end, absent with the whole list
         */
        nextCursor?: string | null;
    };
};

export type GetAdminCoursesResponse = GetAdminCoursesResponses[keyof GetAdminCoursesResponses];

export type GetAdminPurchasesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * all, created, pending, completed, failed, refunded; any other matches nothing
         */
        status?: string;
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/admin/purchases';
};

export type GetAdminPurchasesErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminPurchasesError = GetAdminPurchasesErrors[keyof GetAdminPurchasesErrors];

export type GetAdminPurchasesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        purchases: Array<AdminPurchase>;
        /**
         * `after` of the next page; null at the end, absent with the whole list
         */
        nextCursor?: string | null;
    };
};

export type GetAdminPurchasesResponse = GetAdminPurchasesResponses[keyof GetAdminPurchasesResponses];

export type GetAdminUsersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/admin/users';
};

export type GetAdminUsersErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminUsersError = GetAdminUsersErrors[keyof GetAdminUsersErrors];

export type GetAdminUsersResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        users: Array<AdminUser>;
        /**
         * `after` of the next page; null at the end, absent with the whole list
         */
        nextCursor?: string | null;
    };
};

export type GetAdminUsersResponse = GetAdminUsersResponses[keyof GetAdminUsersResponses];

export type GetAdminAuditData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `_id` of the last row of the previous page
         */
        before?: string;
    };
    url: '/api/admin/audit';
};

export type GetAdminAuditErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminAuditError = GetAdminAuditErrors[keyof GetAdminAuditErrors];

export type GetAdminAuditResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        entries: Array<AuditEntry>;
        /**
         * `before` of the next page; null at the end
         */
        nextBefore: string | null;
    };
};

export type GetAdminAuditResponse = GetAdminAuditResponses[keyof GetAdminAuditResponses];

export type GetAdminPurchasesCsvData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * all, created, pending, completed, failed, refunded; any other matches nothing
         */
        status?: string;
    };
    url: '/api/admin/purchases.csv';
};

export type GetAdminPurchasesCsvErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminPurchasesCsvError = GetAdminPurchasesCsvErrors[keyof GetAdminPurchasesCsvErrors];

export type GetAdminPurchasesCsvResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type GetAdminPurchasesCsvResponse = GetAdminPurchasesCsvResponses[keyof GetAdminPurchasesCsvResponses];

export type GetAdminEducatorApplicationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * all, pending, approved, rejected; any other matches nothing
         */
        status?: string;
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/admin/educator-applications';
};

export type GetAdminEducatorApplicationsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminEducatorApplicationsError = GetAdminEducatorApplicationsErrors[keyof GetAdminEducatorApplicationsErrors];

export type GetAdminEducatorApplicationsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        applications: Array<Application>;
        /**
         * `after` of the next page; null at the end, absent with the whole list
         */
        nextCursor?: string | null;
    };
};

export type GetAdminEducatorApplicationsResponse = GetAdminEducatorApplicationsResponses[keyof GetAdminEducatorApplicationsResponses];

export type PatchAdminEducatorApplicationsIdApproveData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/educator-applications/{id}/approve';
};

export type PatchAdminEducatorApplicationsIdApproveErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Application not found.
     */
    404: Error;
    /**
     * Application has already been reviewed. · Applicant is an administrator.
     */
    409: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchAdminEducatorApplicationsIdApproveError = PatchAdminEducatorApplicationsIdApproveErrors[keyof PatchAdminEducatorApplicationsIdApproveErrors];

export type PatchAdminEducatorApplicationsIdApproveResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Application approved. Educator role granted.';
    };
};

export type PatchAdminEducatorApplicationsIdApproveResponse = PatchAdminEducatorApplicationsIdApproveResponses[keyof PatchAdminEducatorApplicationsIdApproveResponses];

export type PatchAdminEducatorApplicationsIdRejectData = {
    body: {
        reason?: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/educator-applications/{id}/reject';
};

export type PatchAdminEducatorApplicationsIdRejectErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Application not found.
     */
    404: Error;
    /**
     * Application has already been reviewed.
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchAdminEducatorApplicationsIdRejectError = PatchAdminEducatorApplicationsIdRejectErrors[keyof PatchAdminEducatorApplicationsIdRejectErrors];

export type PatchAdminEducatorApplicationsIdRejectResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Application rejected.';
    };
};

export type PatchAdminEducatorApplicationsIdRejectResponse = PatchAdminEducatorApplicationsIdRejectResponses[keyof PatchAdminEducatorApplicationsIdRejectResponses];

export type PostUserAiChatData = {
    body: {
        content: string;
        /**
         * the chat to continue; absent, empty or not the caller's: a new chat
         */
        sessionId?: string | null;
    };
    path?: never;
    query?: never;
    url: '/api/user/ai-chat';
};

export type PostUserAiChatErrors = {
    /**
     * Missing message · Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please wait a moment before sending another message.
     */
    429: Error;
    /**
     * Failed to generate AI response.
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserAiChatError = PostUserAiChatErrors[keyof PostUserAiChatErrors];

export type PostUserAiChatResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        activeSessionId: string;
        /**
         * Markdown
         */
        response: string;
        /**
         * the whole chat, in order
         */
        conversationHistory: Array<ChatMessage>;
        /**
         * lectures of the learner's courses that match the question, best first; absent if none match
         */
        sources?: Array<{
            courseId: string;
            lectureId: string;
            title: string;
        }>;
    };
};

export type PostUserAiChatResponse = PostUserAiChatResponses[keyof PostUserAiChatResponses];

export type PostUserPreviousChatsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/previous-chats';
};

export type PostUserPreviousChatsErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * Error while fetching conversations
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserPreviousChatsError = PostUserPreviousChatsErrors[keyof PostUserPreviousChatsErrors];

export type PostUserPreviousChatsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        chats: Array<{
            _id: string;
            sessionId: string;
            /**
             * text of the first message
             */
            messages: string;
            updatedAt: string;
        }>;
    };
};

export type PostUserPreviousChatsResponse = PostUserPreviousChatsResponses[keyof PostUserPreviousChatsResponses];

export type DeleteUserChatSessionIdData = {
    body?: never;
    path: {
        sessionId: string;
    };
    query?: never;
    url: '/api/user/chat/{sessionId}';
};

export type DeleteUserChatSessionIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Chat not found
     */
    404: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * Error while deleting conversation
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteUserChatSessionIdError = DeleteUserChatSessionIdErrors[keyof DeleteUserChatSessionIdErrors];

export type DeleteUserChatSessionIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Chat deleted successfully';
    };
};

export type DeleteUserChatSessionIdResponse = DeleteUserChatSessionIdResponses[keyof DeleteUserChatSessionIdResponses];

export type GetUserChatSessionIdData = {
    body?: never;
    path: {
        sessionId: string;
    };
    query?: never;
    url: '/api/user/chat/{sessionId}';
};

export type GetUserChatSessionIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Chat session not found
     */
    404: Error;
    /**
     * Error while fetching conversation
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserChatSessionIdError = GetUserChatSessionIdErrors[keyof GetUserChatSessionIdErrors];

export type GetUserChatSessionIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        _id: string;
        messages: Array<ChatMessage>;
    };
};

export type GetUserChatSessionIdResponse = GetUserChatSessionIdResponses[keyof GetUserChatSessionIdResponses];

export type PostUserGeneratePersonalRoadmapData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/generate-personal-roadmap';
};

export type PostUserGeneratePersonalRoadmapErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * User not found · No enrolled courses found. Enroll in some courses first.
     */
    404: Error;
    /**
     * Too many generation requests. Please try again later.
     */
    429: Error;
    /**
     * Failed to parse AI response. Please try again. · An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserGeneratePersonalRoadmapError = PostUserGeneratePersonalRoadmapErrors[keyof PostUserGeneratePersonalRoadmapErrors];

export type PostUserGeneratePersonalRoadmapResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        roadmap: Roadmap;
        courseStats: Array<{
            title: string;
            /**
             * plain text, at most 250 characters
             */
            description: string;
            completionPercent: number;
            totalLectures: number;
            doneLectures: number;
        }>;
    };
};

export type PostUserGeneratePersonalRoadmapResponse = PostUserGeneratePersonalRoadmapResponses[keyof PostUserGeneratePersonalRoadmapResponses];

export type PostUserGenerateCustomRoadmapData = {
    body: {
        topic: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/generate-custom-roadmap';
};

export type PostUserGenerateCustomRoadmapErrors = {
    /**
     * Please provide a valid topic (at least 2 characters).
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many generation requests. Please try again later.
     */
    429: Error;
    /**
     * Failed to parse AI response. Please try again. · An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostUserGenerateCustomRoadmapError = PostUserGenerateCustomRoadmapErrors[keyof PostUserGenerateCustomRoadmapErrors];

export type PostUserGenerateCustomRoadmapResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        roadmap: Roadmap;
    };
};

export type PostUserGenerateCustomRoadmapResponse = PostUserGenerateCustomRoadmapResponses[keyof PostUserGenerateCustomRoadmapResponses];

export type PostQuizGenerateData = {
    body: {
        courseId: string;
        chapterId: string;
    };
    path?: never;
    query?: never;
    url: '/api/quiz/generate';
};

export type PostQuizGenerateErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found · Chapter not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many generation requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostQuizGenerateError = PostQuizGenerateErrors[keyof PostQuizGenerateErrors];

export type PostQuizGenerateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        quiz: {
            _id: string;
            courseId: string;
            chapterId: string;
            chapterTitle: string;
            courseTitle: string;
            createdAt: string;
            updatedAt: string;
            questions: Array<{
                question: string;
                options: Array<string>;
                correctIndex: number;
                explanation: string;
            }>;
        };
    };
};

export type PostQuizGenerateResponse = PostQuizGenerateResponses[keyof PostQuizGenerateResponses];

export type PostQuizSubmitData = {
    body: {
        courseId: string;
        chapterId: string;
        /**
         * chosen option of each question, in order
         */
        answers: Array<number>;
    };
    path?: never;
    query?: never;
    url: '/api/quiz/submit';
};

export type PostQuizSubmitErrors = {
    /**
     * Answer count does not match question count · Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Course not purchased
     */
    403: Error;
    /**
     * Course not found · Quiz not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many quiz submissions. Please wait before trying again.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostQuizSubmitError = PostQuizSubmitErrors[keyof PostQuizSubmitErrors];

export type PostQuizSubmitResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        result: {
            score: number;
            total: number;
            percentage: number;
            /**
             * up to 40 % needs_review, up to 75 % on_track, else mastered
             */
            group: 'needs_review' | 'on_track' | 'mastered';
            /**
             * 4 to 5 lines, each starting with •
             */
            recommendations: string;
            review: Array<{
                question: string;
                options: Array<string>;
                chosenIndex: number;
                correctIndex: number;
                explanation: string;
            }>;
        };
    };
};

export type PostQuizSubmitResponse = PostQuizSubmitResponses[keyof PostQuizSubmitResponses];

export type GetQuizMyResultsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/quiz/my-results';
};

export type GetQuizMyResultsErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetQuizMyResultsError = GetQuizMyResultsErrors[keyof GetQuizMyResultsErrors];

export type GetQuizMyResultsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        results: Array<{
            _id: string;
            chapterTitle: string;
            courseTitle: string;
            percentage: number;
            /**
             * up to 40 % needs_review, up to 75 % on_track, else mastered
             */
            group: 'needs_review' | 'on_track' | 'mastered';
            createdAt: string;
        }>;
    };
};

export type GetQuizMyResultsResponse = GetQuizMyResultsResponses[keyof GetQuizMyResultsResponses];

export type GetQuizEducatorInsightsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/quiz/educator-insights';
};

export type GetQuizEducatorInsightsErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetQuizEducatorInsightsError = GetQuizEducatorInsightsErrors[keyof GetQuizEducatorInsightsErrors];

export type GetQuizEducatorInsightsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        insights: Array<{
            courseId: string;
            chapterId: string;
            courseTitle: string;
            chapterTitle: string;
            attempts: number;
            /**
             * sum of the attempts' percentages
             */
            totalPct: number;
            avgPct: number;
            needs_review: number;
            on_track: number;
            mastered: number;
            /**
             * up to 3 of the newest version attempted, most often missed first
             */
            hardestQuestions: Array<HardQuestion>;
        }>;
    };
};

export type GetQuizEducatorInsightsResponse = GetQuizEducatorInsightsResponses[keyof GetQuizEducatorInsightsResponses];

export type GetQuizCourseResultsCourseIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
    };
    query?: never;
    url: '/api/quiz/course-results/{courseId}';
};

export type GetQuizCourseResultsCourseIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetQuizCourseResultsCourseIdError = GetQuizCourseResultsCourseIdErrors[keyof GetQuizCourseResultsCourseIdErrors];

export type GetQuizCourseResultsCourseIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        results: Array<{
            chapterId: string;
            chapterTitle: string;
            percentage: number;
            /**
             * up to 40 % needs_review, up to 75 % on_track, else mastered
             */
            group: 'needs_review' | 'on_track' | 'mastered';
        }>;
    };
};

export type GetQuizCourseResultsCourseIdResponse = GetQuizCourseResultsCourseIdResponses[keyof GetQuizCourseResultsCourseIdResponses];

export type GetQuizResultsCourseIdChapterIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        chapterId: string;
    };
    query?: never;
    url: '/api/quiz/results/{courseId}/{chapterId}';
};

export type GetQuizResultsCourseIdChapterIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetQuizResultsCourseIdChapterIdError = GetQuizResultsCourseIdChapterIdErrors[keyof GetQuizResultsCourseIdChapterIdErrors];

export type GetQuizResultsCourseIdChapterIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        results: Array<{
            _id: string;
            userId: string;
            courseId: string;
            chapterId: string;
            score: number;
            total: number;
            percentage: number;
            /**
             * up to 40 % needs_review, up to 75 % on_track, else mastered
             */
            group: 'needs_review' | 'on_track' | 'mastered';
            /**
             * 4 to 5 lines, each starting with •
             */
            recommendations: string;
            answers: Array<number>;
            createdAt: string;
            updatedAt: string;
        }>;
    };
};

export type GetQuizResultsCourseIdChapterIdResponse = GetQuizResultsCourseIdChapterIdResponses[keyof GetQuizResultsCourseIdChapterIdResponses];

export type GetQuizCourseIdChapterIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        chapterId: string;
    };
    query?: never;
    url: '/api/quiz/{courseId}/{chapterId}';
};

export type GetQuizCourseIdChapterIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Course not purchased
     */
    403: Error;
    /**
     * Course not found · Chapter not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetQuizCourseIdChapterIdError = GetQuizCourseIdChapterIdErrors[keyof GetQuizCourseIdChapterIdErrors];

export type GetQuizCourseIdChapterIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        quiz: {
            _id: string;
            courseId: string;
            chapterId: string;
            chapterTitle: string;
            courseTitle: string;
            createdAt: string;
            updatedAt: string;
            questions: Array<{
                question: string;
                options: Array<string>;
            }>;
        };
    };
};

export type GetQuizCourseIdChapterIdResponse = GetQuizCourseIdChapterIdResponses[keyof GetQuizCourseIdChapterIdResponses];

export type DeleteAdminCommunityPostsPostIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        postId: string;
    };
    query?: never;
    url: '/api/admin/community/posts/{postId}';
};

export type DeleteAdminCommunityPostsPostIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Post not found
     */
    404: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteAdminCommunityPostsPostIdError = DeleteAdminCommunityPostsPostIdErrors[keyof DeleteAdminCommunityPostsPostIdErrors];

export type DeleteAdminCommunityPostsPostIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteAdminCommunityPostsPostIdResponse = DeleteAdminCommunityPostsPostIdResponses[keyof DeleteAdminCommunityPostsPostIdResponses];

export type DeleteAdminCommunityRepliesReplyIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        replyId: string;
    };
    query?: never;
    url: '/api/admin/community/replies/{replyId}';
};

export type DeleteAdminCommunityRepliesReplyIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Reply not found
     */
    404: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteAdminCommunityRepliesReplyIdError = DeleteAdminCommunityRepliesReplyIdErrors[keyof DeleteAdminCommunityRepliesReplyIdErrors];

export type DeleteAdminCommunityRepliesReplyIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteAdminCommunityRepliesReplyIdResponse = DeleteAdminCommunityRepliesReplyIdResponses[keyof DeleteAdminCommunityRepliesReplyIdResponses];

export type DeleteAdminGroupsIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/groups/{id}';
};

export type DeleteAdminGroupsIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Group not found
     */
    404: Error;
    /**
     * Default groups stay
     */
    409: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteAdminGroupsIdError = DeleteAdminGroupsIdErrors[keyof DeleteAdminGroupsIdErrors];

export type DeleteAdminGroupsIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteAdminGroupsIdResponse = DeleteAdminGroupsIdResponses[keyof DeleteAdminGroupsIdResponses];

export type GetAdminCommunityReportsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * `open` or `resolved`; absent or `all`: both; anything else matches nothing
         */
        state?: string;
        /**
         * rows of a page; absent: the whole list
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/admin/community/reports';
};

export type GetAdminCommunityReportsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminCommunityReportsError = GetAdminCommunityReportsErrors[keyof GetAdminCommunityReportsErrors];

export type GetAdminCommunityReportsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        reports: Array<CommunityReport>;
        /**
         * `after` of the next page; null at the end, absent with the whole list
         */
        nextCursor?: string | null;
    };
};

export type GetAdminCommunityReportsResponse = GetAdminCommunityReportsResponses[keyof GetAdminCommunityReportsResponses];

export type PostAdminCommunityReportsIdResolveData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/community/reports/{id}/resolve';
};

export type PostAdminCommunityReportsIdResolveErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Report not found
     */
    404: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostAdminCommunityReportsIdResolveError = PostAdminCommunityReportsIdResolveErrors[keyof PostAdminCommunityReportsIdResolveErrors];

export type PostAdminCommunityReportsIdResolveResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type PostAdminCommunityReportsIdResolveResponse = PostAdminCommunityReportsIdResolveResponses[keyof PostAdminCommunityReportsIdResolveResponses];

export type GetAdminCouponsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/admin/coupons';
};

export type GetAdminCouponsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminCouponsError = GetAdminCouponsErrors[keyof GetAdminCouponsErrors];

export type GetAdminCouponsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupons: Array<Coupon>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type GetAdminCouponsResponse = GetAdminCouponsResponses[keyof GetAdminCouponsResponses];

export type PostAdminCouponsData = {
    body: {
        /**
         * 4 to 32 characters of A–Z, 0–9 and `-`; absent: a random code
         */
        code?: string;
        kind: 'percent' | 'amount';
        /**
         * percent (1 to 100), or an amount in major units
         */
        value: number;
        startsAt?: string;
        expiresAt?: string;
        maxRedemptions?: number;
        maxPerUser?: number;
        /**
         * absent: every course
         */
        courseIds?: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/admin/coupons';
};

export type PostAdminCouponsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Course not found
     */
    404: Error;
    /**
     * Coupon code already exists
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostAdminCouponsError = PostAdminCouponsErrors[keyof PostAdminCouponsErrors];

export type PostAdminCouponsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupon: Coupon;
    };
};

export type PostAdminCouponsResponse = PostAdminCouponsResponses[keyof PostAdminCouponsResponses];

export type PatchAdminCouponsIdData = {
    body: {
        active?: boolean;
        expiresAt?: string | null;
        maxRedemptions?: number | null;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/coupons/{id}';
};

export type PatchAdminCouponsIdErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Coupon not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchAdminCouponsIdError = PatchAdminCouponsIdErrors[keyof PatchAdminCouponsIdErrors];

export type PatchAdminCouponsIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupon: Coupon;
    };
};

export type PatchAdminCouponsIdResponse = PatchAdminCouponsIdResponses[keyof PatchAdminCouponsIdResponses];

export type GetEducatorCouponsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/educator/coupons';
};

export type GetEducatorCouponsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorCouponsError = GetEducatorCouponsErrors[keyof GetEducatorCouponsErrors];

export type GetEducatorCouponsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupons: Array<Coupon>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type GetEducatorCouponsResponse = GetEducatorCouponsResponses[keyof GetEducatorCouponsResponses];

export type PostEducatorCouponsData = {
    body: {
        /**
         * 4 to 32 characters of A–Z, 0–9 and `-`; absent: a random code
         */
        code?: string;
        kind: 'percent' | 'amount';
        /**
         * percent (1 to 100), or an amount in major units
         */
        value: number;
        startsAt?: string;
        expiresAt?: string;
        maxRedemptions?: number;
        maxPerUser?: number;
        /**
         * the educator's own courses
         */
        courseIds: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/educator/coupons';
};

export type PostEducatorCouponsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Coupon code already exists
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostEducatorCouponsError = PostEducatorCouponsErrors[keyof PostEducatorCouponsErrors];

export type PostEducatorCouponsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupon: Coupon;
    };
};

export type PostEducatorCouponsResponse = PostEducatorCouponsResponses[keyof PostEducatorCouponsResponses];

export type PatchEducatorCouponsIdData = {
    body: {
        active?: boolean;
        expiresAt?: string | null;
        maxRedemptions?: number | null;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/coupons/{id}';
};

export type PatchEducatorCouponsIdErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Coupon not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PatchEducatorCouponsIdError = PatchEducatorCouponsIdErrors[keyof PatchEducatorCouponsIdErrors];

export type PatchEducatorCouponsIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupon: Coupon;
    };
};

export type PatchEducatorCouponsIdResponse = PatchEducatorCouponsIdResponses[keyof PatchEducatorCouponsIdResponses];

export type PostUserCouponCheckData = {
    body: {
        courseId: string;
        code: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/coupon/check';
};

export type PostUserCouponCheckErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Course not found · Coupon not valid
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many payment attempts. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
};

export type PostUserCouponCheckError = PostUserCouponCheckErrors[keyof PostUserCouponCheckErrors];

export type PostUserCouponCheckResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * major unit; the amount to pay
         */
        amount: number;
        /**
         * major unit; discount of the coupon
         */
        discountAmount: number;
        /**
         * ISO 4217
         */
        currency: string;
    };
};

export type PostUserCouponCheckResponse = PostUserCouponCheckResponses[keyof PostUserCouponCheckResponses];

export type GetUserPurchasesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/user/purchases';
};

export type GetUserPurchasesErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserPurchasesError = GetUserPurchasesErrors[keyof GetUserPurchasesErrors];

export type GetUserPurchasesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        purchases: Array<Order>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type GetUserPurchasesResponse = GetUserPurchasesResponses[keyof GetUserPurchasesResponses];

export type GetUserPurchasesIdInvoiceData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: {
        document?: 'invoice' | 'credit-note';
        /**
         * number of an earlier credit note; absent: the newest
         */
        number?: string;
    };
    url: '/api/user/purchases/{id}/invoice';
};

export type GetUserPurchasesIdInvoiceErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Invoice not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetUserPurchasesIdInvoiceError = GetUserPurchasesIdInvoiceErrors[keyof GetUserPurchasesIdInvoiceErrors];

export type GetUserPurchasesIdInvoiceResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type GetUserPurchasesIdInvoiceResponse = GetUserPurchasesIdInvoiceResponses[keyof GetUserPurchasesIdInvoiceResponses];

export type GetAdminPurchasesIdInvoiceData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: {
        document?: 'invoice' | 'credit-note';
        /**
         * number of an earlier credit note; absent: the newest
         */
        number?: string;
    };
    url: '/api/admin/purchases/{id}/invoice';
};

export type GetAdminPurchasesIdInvoiceErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Invoice not found
     */
    404: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminPurchasesIdInvoiceError = GetAdminPurchasesIdInvoiceErrors[keyof GetAdminPurchasesIdInvoiceErrors];

export type GetAdminPurchasesIdInvoiceResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type GetAdminPurchasesIdInvoiceResponse = GetAdminPurchasesIdInvoiceResponses[keyof GetAdminPurchasesIdInvoiceResponses];

export type GetAdminEnrollmentsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
        userId?: string;
        /**
         * `active` or `waiting`
         */
        state?: string;
        /**
         * `purchase`, `free` or `grant`
         */
        kind?: string;
        courseId?: string;
    };
    url: '/api/admin/enrollments';
};

export type GetAdminEnrollmentsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminEnrollmentsError = GetAdminEnrollmentsErrors[keyof GetAdminEnrollmentsErrors];

export type GetAdminEnrollmentsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollments: Array<Enrollment>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type GetAdminEnrollmentsResponse = GetAdminEnrollmentsResponses[keyof GetAdminEnrollmentsResponses];

export type PostAdminEnrollmentsData = {
    body: {
        userId?: string;
        /**
         * either `userId` or `email`; a grant to an unknown address waits for its user
         */
        email?: string;
        reason: string;
        /**
         * absent: for good
         */
        expiresAt?: string;
        courseId: string;
    };
    path?: never;
    query?: never;
    url: '/api/admin/enrollments';
};

export type PostAdminEnrollmentsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * User not found · Course not found
     */
    404: Error;
    /**
     * Already enrolled
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostAdminEnrollmentsError = PostAdminEnrollmentsErrors[keyof PostAdminEnrollmentsErrors];

export type PostAdminEnrollmentsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollment: Enrollment;
    };
};

export type PostAdminEnrollmentsResponse = PostAdminEnrollmentsResponses[keyof PostAdminEnrollmentsResponses];

export type DeleteAdminEnrollmentsIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/enrollments/{id}';
};

export type DeleteAdminEnrollmentsIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Enrollment not found
     */
    404: Error;
    /**
     * Refund the purchase instead
     */
    409: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteAdminEnrollmentsIdError = DeleteAdminEnrollmentsIdErrors[keyof DeleteAdminEnrollmentsIdErrors];

export type DeleteAdminEnrollmentsIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteAdminEnrollmentsIdResponse = DeleteAdminEnrollmentsIdResponses[keyof DeleteAdminEnrollmentsIdResponses];

export type GetEducatorCoursesCourseIdEnrollmentsData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
    };
    query?: {
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
        userId?: string;
        /**
         * `active` or `waiting`
         */
        state?: string;
        /**
         * `purchase`, `free` or `grant`
         */
        kind?: string;
    };
    url: '/api/educator/courses/{courseId}/enrollments';
};

export type GetEducatorCoursesCourseIdEnrollmentsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorCoursesCourseIdEnrollmentsError = GetEducatorCoursesCourseIdEnrollmentsErrors[keyof GetEducatorCoursesCourseIdEnrollmentsErrors];

export type GetEducatorCoursesCourseIdEnrollmentsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollments: Array<Enrollment>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type GetEducatorCoursesCourseIdEnrollmentsResponse = GetEducatorCoursesCourseIdEnrollmentsResponses[keyof GetEducatorCoursesCourseIdEnrollmentsResponses];

export type PostEducatorCoursesCourseIdEnrollmentsData = {
    body: {
        userId?: string;
        /**
         * either `userId` or `email`; a grant to an unknown address waits for its user
         */
        email?: string;
        reason: string;
        /**
         * absent: for good
         */
        expiresAt?: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
    };
    query?: never;
    url: '/api/educator/courses/{courseId}/enrollments';
};

export type PostEducatorCoursesCourseIdEnrollmentsErrors = {
    /**
     * Invalid request data
     */
    400: Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found · User not found
     */
    404: Error;
    /**
     * Already enrolled
     */
    409: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostEducatorCoursesCourseIdEnrollmentsError = PostEducatorCoursesCourseIdEnrollmentsErrors[keyof PostEducatorCoursesCourseIdEnrollmentsErrors];

export type PostEducatorCoursesCourseIdEnrollmentsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollment: Enrollment;
    };
};

export type PostEducatorCoursesCourseIdEnrollmentsResponse = PostEducatorCoursesCourseIdEnrollmentsResponses[keyof PostEducatorCoursesCourseIdEnrollmentsResponses];

export type DeleteEducatorCoursesCourseIdEnrollmentsIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{courseId}/enrollments/{id}';
};

export type DeleteEducatorCoursesCourseIdEnrollmentsIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found · Enrollment not found
     */
    404: Error;
    /**
     * Refund the purchase instead
     */
    409: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type DeleteEducatorCoursesCourseIdEnrollmentsIdError = DeleteEducatorCoursesCourseIdEnrollmentsIdErrors[keyof DeleteEducatorCoursesCourseIdEnrollmentsIdErrors];

export type DeleteEducatorCoursesCourseIdEnrollmentsIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteEducatorCoursesCourseIdEnrollmentsIdResponse = DeleteEducatorCoursesCourseIdEnrollmentsIdResponses[keyof DeleteEducatorCoursesCourseIdEnrollmentsIdResponses];

export type PostAdminEnrollmentsImportData = {
    body: {
        /**
         * CSV in UTF-8, up to 10 MiB and 20,000 rows
         */
        file?: Blob | File;
    };
    path?: never;
    query?: never;
    url: '/api/admin/enrollments/import';
};

export type PostAdminEnrollmentsImportErrors = {
    /**
     * Invalid file · Invalid request data
     */
    400: {
        success: false;
        errors: Array<{
            [key: string]: unknown;
        }>;
        message: string;
    } | Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostAdminEnrollmentsImportError = PostAdminEnrollmentsImportErrors[keyof PostAdminEnrollmentsImportErrors];

export type PostAdminEnrollmentsImportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        importId: string;
    };
};

export type PostAdminEnrollmentsImportResponse = PostAdminEnrollmentsImportResponses[keyof PostAdminEnrollmentsImportResponses];

export type GetAdminEnrollmentsImportsImportIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        importId: string;
    };
    query?: never;
    url: '/api/admin/enrollments/imports/{importId}';
};

export type GetAdminEnrollmentsImportsImportIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Import not found
     */
    404: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminEnrollmentsImportsImportIdError = GetAdminEnrollmentsImportsImportIdErrors[keyof GetAdminEnrollmentsImportsImportIdErrors];

export type GetAdminEnrollmentsImportsImportIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        import: EnrollmentImport;
    };
};

export type GetAdminEnrollmentsImportsImportIdResponse = GetAdminEnrollmentsImportsImportIdResponses[keyof GetAdminEnrollmentsImportsImportIdResponses];

export type GetAdminEnrollmentsImportsImportIdResultCsvData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        importId: string;
    };
    query?: never;
    url: '/api/admin/enrollments/imports/{importId}/result.csv';
};

export type GetAdminEnrollmentsImportsImportIdResultCsvErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Unauthorized Access
     */
    403: Error;
    /**
     * Import not found
     */
    404: Error;
    /**
     * Too many admin requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetAdminEnrollmentsImportsImportIdResultCsvError = GetAdminEnrollmentsImportsImportIdResultCsvErrors[keyof GetAdminEnrollmentsImportsImportIdResultCsvErrors];

export type GetAdminEnrollmentsImportsImportIdResultCsvResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type GetAdminEnrollmentsImportsImportIdResultCsvResponse = GetAdminEnrollmentsImportsImportIdResultCsvResponses[keyof GetAdminEnrollmentsImportsImportIdResultCsvResponses];

export type PostEducatorCoursesCourseIdEnrollmentsImportData = {
    body: {
        /**
         * CSV in UTF-8, up to 10 MiB and 20,000 rows
         */
        file?: Blob | File;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
    };
    query?: never;
    url: '/api/educator/courses/{courseId}/enrollments/import';
};

export type PostEducatorCoursesCourseIdEnrollmentsImportErrors = {
    /**
     * Invalid file · Invalid request data
     */
    400: {
        success: false;
        errors: Array<{
            [key: string]: unknown;
        }>;
        message: string;
    } | Error;
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found
     */
    404: Error;
    /**
     * Request body too large
     */
    413: Error;
    /**
     * Unsupported content encoding
     */
    415: Error;
    /**
     * Too many requests. Please try again later.
     */
    429: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type PostEducatorCoursesCourseIdEnrollmentsImportError = PostEducatorCoursesCourseIdEnrollmentsImportErrors[keyof PostEducatorCoursesCourseIdEnrollmentsImportErrors];

export type PostEducatorCoursesCourseIdEnrollmentsImportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        importId: string;
    };
};

export type PostEducatorCoursesCourseIdEnrollmentsImportResponse = PostEducatorCoursesCourseIdEnrollmentsImportResponses[keyof PostEducatorCoursesCourseIdEnrollmentsImportResponses];

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        /**
         * object id, 24 hex digits
         */
        importId: string;
    };
    query?: never;
    url: '/api/educator/courses/{courseId}/enrollments/imports/{importId}';
};

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found · Import not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdError = GetEducatorCoursesCourseIdEnrollmentsImportsImportIdErrors[keyof GetEducatorCoursesCourseIdEnrollmentsImportsImportIdErrors];

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        import: EnrollmentImport;
    };
};

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResponse = GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResponses[keyof GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResponses];

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        /**
         * object id, 24 hex digits
         */
        importId: string;
    };
    query?: never;
    url: '/api/educator/courses/{courseId}/enrollments/imports/{importId}/result.csv';
};

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvErrors = {
    /**
     * Unauthorized Access
     */
    401: Error;
    /**
     * Not authorized · Unauthorized Access
     */
    403: Error;
    /**
     * Course not found · Import not found
     */
    404: Error;
    /**
     * An unexpected error occurred
     */
    500: Error;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: Error;
};

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvError = GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvErrors[keyof GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvErrors];

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvResponse = GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvResponses[keyof GetEducatorCoursesCourseIdEnrollmentsImportsImportIdResultCsvResponses];

export type UserCreatedEventWebhookPayload = {
    type: 'user.created';
    data: IdentityUser;
    [key: string]: unknown;
};

export type UserCreatedEventWebhookRequest = {
    body: UserCreatedEventWebhookPayload;
    key: 'user.created';
    path?: never;
    query?: never;
};

export type UserUpdatedEventWebhookPayload = {
    type: 'user.updated';
    data: IdentityUser;
    [key: string]: unknown;
};

export type UserUpdatedEventWebhookRequest = {
    body: UserUpdatedEventWebhookPayload;
    key: 'user.updated';
    path?: never;
    query?: never;
};

export type UserDeletedEventWebhookPayload = {
    type: 'user.deleted';
    data: {
        id: string;
        [key: string]: unknown;
    };
    [key: string]: unknown;
};

export type UserDeletedEventWebhookRequest = {
    body: UserDeletedEventWebhookPayload;
    key: 'user.deleted';
    path?: never;
    query?: never;
};

export type PaymentCapturedEventWebhookPayload = {
    event: 'payment.captured';
    payload: {
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type PaymentCapturedEventWebhookRequest = {
    body: PaymentCapturedEventWebhookPayload;
    key: 'payment.captured';
    path?: never;
    query?: never;
};

export type PaymentFailedEventWebhookPayload = {
    event: 'payment.failed';
    payload: {
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type PaymentFailedEventWebhookRequest = {
    body: PaymentFailedEventWebhookPayload;
    key: 'payment.failed';
    path?: never;
    query?: never;
};

export type OrderPaidEventWebhookPayload = {
    event: 'order.paid';
    payload: {
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        order: {
            entity: ProviderOrder;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type OrderPaidEventWebhookRequest = {
    body: OrderPaidEventWebhookPayload;
    key: 'order.paid';
    path?: never;
    query?: never;
};

export type RefundProcessedEventWebhookPayload = {
    event: 'refund.processed';
    payload: {
        refund: {
            entity: ProviderRefund;
            [key: string]: unknown;
        };
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type RefundProcessedEventWebhookRequest = {
    body: RefundProcessedEventWebhookPayload;
    key: 'refund.processed';
    path?: never;
    query?: never;
};

export type RefundFailedEventWebhookPayload = {
    event: 'refund.failed';
    payload: {
        refund: {
            entity: ProviderRefund;
            [key: string]: unknown;
        };
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type RefundFailedEventWebhookRequest = {
    body: RefundFailedEventWebhookPayload;
    key: 'refund.failed';
    path?: never;
    query?: never;
};

export type PaymentDisputeCreatedEventWebhookPayload = {
    event: 'payment.dispute.created';
    payload: {
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        dispute: {
            entity: ProviderDispute;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type PaymentDisputeCreatedEventWebhookRequest = {
    body: PaymentDisputeCreatedEventWebhookPayload;
    key: 'payment.dispute.created';
    path?: never;
    query?: never;
};

export type PaymentDisputeUnderReviewEventWebhookPayload = {
    event: 'payment.dispute.under_review';
    payload: {
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        dispute: {
            entity: ProviderDispute;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type PaymentDisputeUnderReviewEventWebhookRequest = {
    body: PaymentDisputeUnderReviewEventWebhookPayload;
    key: 'payment.dispute.under_review';
    path?: never;
    query?: never;
};

export type PaymentDisputeWonEventWebhookPayload = {
    event: 'payment.dispute.won';
    payload: {
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        dispute: {
            entity: ProviderDispute;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type PaymentDisputeWonEventWebhookRequest = {
    body: PaymentDisputeWonEventWebhookPayload;
    key: 'payment.dispute.won';
    path?: never;
    query?: never;
};

export type PaymentDisputeClosedEventWebhookPayload = {
    event: 'payment.dispute.closed';
    payload: {
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        dispute: {
            entity: ProviderDispute;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type PaymentDisputeClosedEventWebhookRequest = {
    body: PaymentDisputeClosedEventWebhookPayload;
    key: 'payment.dispute.closed';
    path?: never;
    query?: never;
};

export type PaymentDisputeLostEventWebhookPayload = {
    event: 'payment.dispute.lost';
    payload: {
        payment: {
            entity: ProviderPayment;
            [key: string]: unknown;
        };
        dispute: {
            entity: ProviderDispute;
            [key: string]: unknown;
        };
        [key: string]: unknown;
    };
    /**
     * seconds
     */
    created_at: number;
    [key: string]: unknown;
};

export type PaymentDisputeLostEventWebhookRequest = {
    body: PaymentDisputeLostEventWebhookPayload;
    key: 'payment.dispute.lost';
    path?: never;
    query?: never;
};
