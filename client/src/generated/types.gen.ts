// Generated from openapi.json by `npm run client`.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type ErrorCode = 'admin_limit_exceeded' | 'ai_chat_limit_exceeded' | 'ai_generation_limit_exceeded' | 'already_enrolled' | 'answer_count_differs' | 'api_key_limit_exceeded' | 'api_key_not_found' | 'applicant_is_admin' | 'application_already_approved' | 'application_already_pending' | 'application_already_reviewed' | 'application_fields_missing' | 'application_not_found' | 'assessment_not_found' | 'attempt_not_found' | 'attempt_over' | 'attempt_too_soon' | 'body_too_large' | 'certificate_no_longer_valid' | 'certificate_not_expiring' | 'certificate_not_found' | 'certificate_not_generated' | 'certificate_revoked' | 'chapter_has_assessment' | 'chapter_not_found' | 'chat_delete_failed' | 'chat_failed' | 'chat_list_failed' | 'chat_not_found' | 'chat_read_failed' | 'community_writes_limit_exceeded' | 'coupon_code_taken' | 'coupon_conflicts_limit_exceeded' | 'coupon_not_found' | 'coupon_not_valid' | 'course_already_purchased' | 'course_changed' | 'course_locked' | 'course_not_accessible' | 'course_not_completed' | 'course_not_found' | 'course_not_purchased' | 'credentials_not_set_up' | 'default_groups_stay' | 'delivery_not_found' | 'end_path_grant_instead' | 'enrollment_not_found' | 'file_type_not_allowed' | 'group_name_required' | 'group_name_taken' | 'group_not_found' | 'import_not_found' | 'internal_error' | 'invalid_file' | 'invalid_lecture' | 'invalid_payment_signature' | 'invalid_rating' | 'invalid_request' | 'invalid_topic' | 'invalid_tracking' | 'invoice_not_found' | 'key_used_otherwise' | 'learner_not_found' | 'lecture_not_found' | 'lecture_not_open' | 'missing_message' | 'name_missing' | 'no_attempts_left' | 'no_lecture' | 'no_questions' | 'not_authorized' | 'nothing_enrolled' | 'nothing_to_change' | 'nothing_to_review' | 'only_author_accepts' | 'other_writes_limit_exceeded' | 'overloaded' | 'own_course' | 'own_review' | 'path_already_purchased' | 'path_changed' | 'path_has_learners' | 'path_not_for_sale' | 'path_not_found' | 'payment_disputed' | 'payment_event_not_found' | 'payments_limit_exceeded' | 'post_fields_required' | 'post_not_found' | 'purchase_already_completed' | 'purchase_not_found' | 'purchase_not_refundable' | 'question_not_found' | 'quiz_not_found' | 'quiz_submission_limit_exceeded' | 'range_not_satisfiable' | 'refund_instead' | 'refund_refused' | 'reissued_too_often' | 'reply_content_required' | 'reply_not_found' | 'report_not_found' | 'resource_in_use' | 'resource_not_found' | 'review_not_found' | 'route_not_found' | 'scope_missing' | 'search_busy' | 'slug_taken' | 'status_list_not_found' | 'thumbnail_not_an_image' | 'thumbnail_not_attached' | 'too_many_announcements' | 'too_many_api_keys' | 'too_many_groups' | 'too_many_paths' | 'too_many_questions' | 'too_many_resources' | 'too_many_streams' | 'too_many_webhooks' | 'unauthenticated' | 'unexpected' | 'unpublished_courses' | 'unreadable_roadmap' | 'unsubscribe_address_unknown' | 'unsupported_encoding' | 'user_not_found' | 'verification_failed' | 'webhook_not_found' | 'webhook_url_not_allowed' | 'wrong_keys_limit_exceeded' | 'wrong_role';

export type OwnPathCourse = {
    courseId: string;
    courseTitle: string;
    courseThumbnail: string;
    lecturesDone: number;
    lecturesTotal: number;
    completedAt: string | null;
    /**
     * false once the access to this course has ended
     */
    isEnrolled: boolean;
    /**
     * whether an earlier course is to be completed first
     */
    isLocked: boolean;
};

export type OwnPath = {
    _id: string;
    slug: string;
    title: string;
    inOrder: boolean;
    /**
     * those that the caller got with the path, in order
     */
    courses: Array<OwnPathCourse>;
    coursesDone: number;
    coursesTotal: number;
    percent: number;
    enrolledAt: string;
    /**
     * the latest end of its courses; null: never
     */
    expiresAt: string | null;
    completedAt: string | null;
    certificateId: string | null;
};

export type LectureResource = {
    resourceId: string;
    name: string;
    /**
     * bytes
     */
    size: number;
    contentType: string;
    /**
     * path of the route that sends the file
     */
    url: string;
};

export type EnrolledLecture = {
    lectureId: string;
    lectureTitle: string;
    /**
     * minutes
     */
    lectureDuration: number;
    /**
     * empty without a video, and until the lecture opens
     */
    lectureUrl: string;
    isPreviewFree: boolean;
    lectureOrder: number;
    chapterId: string;
    /**
     * empty without any, and until the lecture opens
     */
    blocks: Array<LectureBlock>;
    /**
     * the files that blocks name
     */
    resources: Array<LectureResource>;
    isCompleted: boolean;
    /**
     * when the lecture opens; null: it is open
     */
    opensAt: string | null;
};

export type LectureBlock = {
    kind: 'text';
    /**
     * Markdown
     */
    text: string;
    /**
     * the text rendered and sanitised
     */
    html: string;
} | {
    kind: 'video';
    url: string;
    captions?: Array<{
        language: string;
        url: string;
    }>;
} | {
    kind: 'file';
    resourceId: string;
} | {
    kind: 'embed';
    url: string;
} | {
    kind: 'quiz';
    chapterId: string;
};

export type CourseResource = {
    resourceId: string;
    name: string;
    /**
     * bytes
     */
    size: number;
    contentType: string;
    createdAt: string;
};

export type ApiKey = {
    _id: string;
    name: string;
    /**
     * the public part of the secret
     */
    prefix: string;
    scopes: Array<'courses:read' | 'learners:read' | 'learners:write' | 'certificates:read' | 'certificates:write' | 'enrollments:read' | 'enrollments:write' | 'purchases:read' | 'coupons:read' | 'coupons:write' | 'events:read' | 'webhooks:write'>;
    courseIds: Array<string> | null;
    createdBy: string;
    createdAt: string;
    expiresAt: string | null;
    /**
     * exact to a minute
     */
    lastUsedAt: string | null;
    revokedAt: string | null;
};

export type WebhookDelivery = {
    /**
     * `webhook-id` of its messages
     */
    _id: string;
    /**
     * null: a ping
     */
    eventId: string | null;
    type: string;
    state: 'pending' | 'delivered' | 'failed';
    attempts: number;
    /**
     * null: no attempt is planned, or one is under way
     */
    nextAttemptAt: string | null;
    lastStatus: number | null;
    lastError: string | null;
    createdAt: string;
    deliveredAt: string | null;
};

export type Webhook = {
    _id: string;
    url: string;
    /**
     * types of events; `*`: every type
     */
    types: Array<string>;
    description: string;
    active: boolean;
    /**
     * `gone`: the endpoint answered 410. `failing`: it has taken no delivery for five days
     */
    disabledReason: 'gone' | 'failing' | null;
    /**
     * the user or the API key; revoking that key switches the webhook off
     */
    createdBy: {
        kind: 'user' | 'key';
        id: string;
    };
    createdAt: string;
};

export type LearnerDetail = {
    userId: string;
    name: string;
    imageUrl: string;
    enrolledAt: string;
    expiresAt: string | null;
    /**
     * completed lectures that the course has now
     */
    lecturesDone: number;
    lecturesTotal: number;
    percent: number;
    /**
     * the newest completed lecture or quiz attempt
     */
    lastActiveAt: string | null;
    completedAt: string | null;
    certificateId: string | null;
    bestQuizPercent: number | null;
    /**
     * `stalled`: begun, and nothing for 14 days
     */
    state: 'not_started' | 'active' | 'stalled' | 'completed';
    lectures: Array<{
        lectureId: string;
        lectureTitle: string;
        chapterTitle: string;
        completedAt: string | null;
    }>;
    quizzes: Array<{
        chapterId: string;
        chapterTitle: string;
        attempts: number;
        best: number;
        last: number;
        lastAt: string;
    }>;
    /**
     * time in the player of the course
     */
    learningSeconds: number;
};

export type Learner = {
    userId: string;
    name: string;
    imageUrl: string;
    enrolledAt: string;
    expiresAt: string | null;
    /**
     * completed lectures that the course has now
     */
    lecturesDone: number;
    lecturesTotal: number;
    percent: number;
    /**
     * the newest completed lecture or quiz attempt
     */
    lastActiveAt: string | null;
    completedAt: string | null;
    certificateId: string | null;
    bestQuizPercent: number | null;
    /**
     * `stalled`: begun, and nothing for 14 days
     */
    state: 'not_started' | 'active' | 'stalled' | 'completed';
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

export type PathEnrollment = {
    _id: string;
    kind: 'purchase' | 'free' | 'grant';
    state: 'active' | 'waiting';
    userId: string | null;
    email: string | null;
    /**
     * empty unless the enrollment was granted
     */
    reason: string;
    expiresAt: string | null;
    createdAt: string;
    courseId: null;
    pathId: string;
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

export type Order = {
    _id: string;
    /**
     * null: a path was bought
     */
    courseId: string | null;
    pathId: string | null;
    /**
     * of the course or path, as it was when the purchase was opened
     */
    courseTitle: string;
    /**
     * of a path: that of its first course
     */
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

export type Coupon = {
    _id: string;
    code: string;
    kind: 'percent' | 'amount';
    value: number;
    /**
     * null: none is named; without `pathIds` too it is for everything
     */
    courseIds: Array<string> | null;
    /**
     * null: none is named
     */
    pathIds: Array<string> | null;
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

export type CommunityReport = {
    _id: string;
    targetKind: 'post' | 'reply' | 'review';
    targetId: string;
    /**
     * the post itself, or the reply's post; absent for a review
     */
    postId?: string;
    /**
     * the course of a review
     */
    courseId?: string;
    reason: string;
    state: 'open' | 'resolved';
    reporter: {
        _id: string;
        name: string;
        imageUrl: string;
    };
    /**
     * what was reported, as it is now; null when it was removed. Only posts have a title
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

/**
 * An answer is right when it has the ids in the same order.
 */
export type OrderQuestion = {
    _id: string;
    kind: 'order';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    tags: Array<string>;
    /**
     * in the right order
     */
    items: Array<{
        id: string;
        text: string;
    }>;
};

/**
 * An answer is right when it is one of `accepted`, after trimming and collapsing spaces; invisible characters, and the form of quotes, apostrophes and hyphens, do not count.
 */
export type TextQuestion = {
    _id: string;
    kind: 'text';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    tags: Array<string>;
    accepted: Array<string>;
    caseSensitive: boolean;
};

/**
 * An answer is right when it differs by no more than `tolerance`.
 */
export type NumberQuestion = {
    _id: string;
    kind: 'number';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    tags: Array<string>;
    correct: number;
    tolerance: number;
};

/**
 * An answer is right when it is equal.
 */
export type BooleanQuestion = {
    _id: string;
    kind: 'boolean';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    tags: Array<string>;
    correct: boolean;
};

/**
 * An answer is right when it has the ids of all right options and of no other; `partial` gives part of the points.
 */
export type MultipleQuestion = {
    _id: string;
    kind: 'multiple';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    tags: Array<string>;
    options: Array<{
        id: string;
        text: string;
    }>;
    /**
     * ids of the right options
     */
    correct: Array<string>;
    /**
     * points for a part: (right − wrong) / all right ones
     */
    partial: boolean;
};

/**
 * An answer is right when it is the id of the right option.
 */
export type SingleQuestion = {
    _id: string;
    kind: 'single';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    tags: Array<string>;
    options: Array<{
        id: string;
        text: string;
    }>;
    /**
     * id of the right option
     */
    correct: string;
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

export type ReviewedOrderQuestion = {
    _id: string;
    kind: 'order';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    /**
     * in the right order
     */
    items: Array<{
        id: string;
        text: string;
    }>;
};

export type ReviewedTextQuestion = {
    _id: string;
    kind: 'text';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    accepted: Array<string>;
    caseSensitive: boolean;
};

export type ReviewedNumberQuestion = {
    _id: string;
    kind: 'number';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    correct: number;
    tolerance: number;
};

export type ReviewedBooleanQuestion = {
    _id: string;
    kind: 'boolean';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    correct: boolean;
};

export type ReviewedMultipleQuestion = {
    _id: string;
    kind: 'multiple';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    options: Array<{
        id: string;
        text: string;
    }>;
    /**
     * ids of the right options
     */
    correct: Array<string>;
    /**
     * points for a part: (right − wrong) / all right ones
     */
    partial: boolean;
};

export type ReviewedSingleQuestion = {
    _id: string;
    kind: 'single';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    explanation?: string;
    options: Array<{
        id: string;
        text: string;
    }>;
    /**
     * id of the right option
     */
    correct: string;
};

export type AttemptResult = {
    percent: number;
    points: number;
    totalPoints: number;
    passed: boolean;
    /**
     * up to 40 % needs_review, up to 75 % on_track, else mastered
     */
    group: 'needs_review' | 'on_track' | 'mastered';
    /**
     * when `showAnswers` allows it, in the order shown
     */
    review?: Array<{
        question: ({
            kind: 'single';
        } & ReviewedSingleQuestion) | ({
            kind: 'multiple';
        } & ReviewedMultipleQuestion) | ({
            kind: 'boolean';
        } & ReviewedBooleanQuestion) | ({
            kind: 'number';
        } & ReviewedNumberQuestion) | ({
            kind: 'text';
        } & ReviewedTextQuestion) | ({
            kind: 'order';
        } & ReviewedOrderQuestion);
        answer: unknown;
        points: number;
        pointsPossible: number;
    }>;
};

export type OpenOrderQuestion = {
    _id: string;
    kind: 'order';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    /**
     * in random order
     */
    items: Array<{
        id: string;
        text: string;
    }>;
};

export type OpenTextQuestion = {
    _id: string;
    kind: 'text';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
};

export type OpenNumberQuestion = {
    _id: string;
    kind: 'number';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
};

export type OpenBooleanQuestion = {
    _id: string;
    kind: 'boolean';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
};

export type OpenMultipleQuestion = {
    _id: string;
    kind: 'multiple';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    options: Array<{
        id: string;
        text: string;
    }>;
    /**
     * points for a part: (right − wrong) / all right ones
     */
    partial: boolean;
};

export type OpenSingleQuestion = {
    _id: string;
    kind: 'single';
    /**
     * Markdown
     */
    prompt: string;
    points: number;
    options: Array<{
        id: string;
        text: string;
    }>;
};

export type Attempt = {
    _id: string;
    startedAt: string;
    /**
     * null without a time limit
     */
    endsAt: string | null;
    /**
     * in the order to show, without the right answers
     */
    questions: Array<({
        kind: 'single';
    } & OpenSingleQuestion) | ({
        kind: 'multiple';
    } & OpenMultipleQuestion) | ({
        kind: 'boolean';
    } & OpenBooleanQuestion) | ({
        kind: 'number';
    } & OpenNumberQuestion) | ({
        kind: 'text';
    } & OpenTextQuestion) | ({
        kind: 'order';
    } & OpenOrderQuestion)>;
    /**
     * saved answers by question id; null: of a wrong type
     */
    answers: {
        [key: string]: unknown;
    };
};

export type AssessmentView = {
    title: string;
    questionCount: number;
    /**
     * of drawn questions: by the mean of their tags
     */
    totalPoints: number;
    passPercent: number;
    /**
     * null: any number
     */
    maxAttempts: number | null;
    /**
     * pause after an attempt
     */
    cooldownMinutes: number;
    /**
     * null: none
     */
    timeLimitMinutes: number | null;
    /**
     * with the open one
     */
    attemptsUsed: number;
    /**
     * null before the first graded attempt
     */
    bestPercent: number | null;
    passed: boolean;
    /**
     * end of the pause; null without a pause
     */
    nextAttemptAt: string | null;
    openAttemptId: string | null;
};

export type Assessment = {
    _id: string;
    courseId: string;
    chapterId: string;
    title: string;
    questionIds?: Array<string>;
    draw?: Array<{
        tag: string;
        count: number;
    }>;
    passPercent: number;
    /**
     * null: any number
     */
    maxAttempts: number | null;
    /**
     * pause after an attempt
     */
    cooldownMinutes: number;
    /**
     * null: none
     */
    timeLimitMinutes: number | null;
    /**
     * shows questions and options in another order to each attempt
     */
    shuffle: boolean;
    showAnswers: 'never' | 'after_attempt' | 'after_pass';
    /**
     * whether the course completes only when it is passed
     */
    requiredForCompletion: boolean;
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
    /**
     * the API key with which the actor acted
     */
    by?: {
        kind: 'key';
        id: string;
    };
    createdAt: string;
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

export type EducatorDashboard = {
    /**
     * major unit; completed purchases of the educator's courses and paths
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

/**
 * `Deleted user` with an empty image when the account no longer exists. `educatorId` of a course holds this object, not an id
 */
export type UserSummary = {
    _id: string;
    name: string;
    imageUrl: string;
};

export type Announcement = {
    _id: string;
    /**
     * number of learners with access
     */
    recipients: number;
};

export type ManagedPath = {
    _id: string;
    slug: string;
    title: string;
    subtitle: string | null;
    /**
     * Markdown
     */
    description: string;
    educatorId: UserSummary;
    /**
     * in order
     */
    courses: Array<CourseOfPath>;
    /**
     * whether the courses open one after another
     */
    inOrder: boolean;
    /**
     * major unit; null: not for sale
     */
    price: number | null;
    /**
     * what its courses cost alone now, after their discounts
     */
    listPrice: number;
    /**
     * number of people who hold it now
     */
    learners: number;
    isPublished: boolean;
    version: number;
    createdAt: string;
    updatedAt: string;
    /**
     * major unit; completed purchases
     */
    revenue: number;
    /**
     * number of completed purchases
     */
    purchases: number;
};

export type CourseOfPath = {
    _id: string;
    courseTitle: string;
    courseThumbnail: string;
    /**
     * major unit of the platform's currency
     */
    coursePrice: number;
    /**
     * percent, 0 to 100
     */
    discount: number;
    averageRating: number;
    totalLectures: number;
    totalDurationMinutes: number;
};

export type Path = {
    _id: string;
    slug: string;
    title: string;
    subtitle: string | null;
    /**
     * Markdown
     */
    description: string;
    educatorId: UserSummary;
    /**
     * in order
     */
    courses: Array<CourseOfPath>;
    /**
     * whether the courses open one after another
     */
    inOrder: boolean;
    /**
     * major unit; null: not for sale
     */
    price: number | null;
    /**
     * what its courses cost alone now, after their discounts
     */
    listPrice: number;
    /**
     * number of people who hold it now
     */
    learners: number;
    isPublished: boolean;
    version: number;
    createdAt: string;
    updatedAt: string;
};

export type OwnChapter = {
    chapterId: string;
    chapterOrder: number;
    chapterTitle: string;
    chapterContent: Array<Lecture>;
    /**
     * days after the enrollment until the lectures open; absent: at once
     */
    releaseAfterDays?: number;
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
    /**
     * absent where there are none, and where `lectureUrl` may not be seen
     */
    blocks?: Array<LectureBlock>;
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
    subtitle?: string | null;
    category?: string | null;
    tags?: Array<string> | null;
    level?: 'beginner' | 'intermediate' | 'advanced' | 'all' | null;
    language?: string | null;
    outcomes?: Array<string> | null;
    requirements?: Array<string> | null;
    courseContent: Array<OwnChapter>;
    /**
     * days of access after a purchase; absent: for good
     */
    accessDays?: number;
    slug: string;
    version: number;
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

export type OwnApplication = {
    _id: string;
    status: 'pending' | 'approved' | 'rejected';
    rejectionReason: string;
    professionalTitle: string;
    bio: string;
    expertise: Array<string>;
    linkedinUrl: string;
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

export type RevokedCertificate = {
    certificateId: string;
    courseTitle: string;
    issuedAt: string;
    state: 'revoked';
    revokedAt: string;
};

export type VerifiedCertificate = {
    certificateId: string;
    courseTitle: string;
    issuedAt: string;
    state: 'valid' | 'expired';
    studentName: string;
    completionDate: string;
    expiresAt: string | null;
    reissuedAt: string | null;
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

export type ReviewResponse = {
    content: string;
    createdAt: string;
};

export type Review = {
    _id: string;
    rating: number;
    review: string;
    authorName: string;
    authorImage: string;
    isAuthor: boolean;
    /**
     * number of users who find the review helpful
     */
    helpfulCount: number;
    /**
     * whether the caller finds the review helpful
     */
    isHelpful: boolean;
    /**
     * the answer of the course's educator
     */
    response: ReviewResponse | null;
    /**
     * when the author first rated the course
     */
    createdAt: string;
    updatedAt: string;
};

export type CertificateTemplate = {
    heading: string | null;
    statement: string | null;
    recognition: string | null;
    color: string | null;
    logo: string | null;
    signatories: Array<{
        name: string;
        title: string | null;
        signature: string | null;
    }>;
    validMonths: number | null;
};

export type ManagedCertificate = {
    certificateId: string;
    kind: 'course' | 'path';
    /**
     * null in the certificate of a path
     */
    courseId: string | null;
    /**
     * null in the certificate of a course
     */
    pathId: string | null;
    userId: string;
    /**
     * null while it is pending
     */
    studentName: string | null;
    state: 'pending' | 'valid' | 'expired' | 'revoked';
    edition: number;
    completionDate: string;
    issuedAt: string | null;
    expiresAt: string | null;
    revokedAt: string | null;
    /**
     * why it is revoked
     */
    reason: string | null;
};

export type OwnCertificate = {
    certificateId: string;
    /**
     * null while it is pending
     */
    studentName: string | null;
    state: 'pending' | 'valid' | 'expired' | 'revoked';
    edition: number;
    completionDate: string;
    issuedAt: string | null;
    expiresAt: string | null;
    revokedAt: string | null;
    kind: 'course' | 'path';
    /**
     * null in the certificate of a path
     */
    courseId: string | null;
    /**
     * null in the certificate of a course
     */
    pathId: string | null;
    /**
     * title of the course or path
     */
    courseTitle: string;
    reissuedAt: string | null;
    /**
     * null while it is pending, and once it is revoked
     */
    pdfUrl: string | null;
    verifyUrl: string;
    /**
     * adds a valid certificate to a profile on LinkedIn
     */
    linkedinUrl: string | null;
    /**
     * whether a reissue would succeed now
     */
    canReissue: boolean;
    /**
     * whether a renewal would begin the course again now
     */
    canRenew: boolean;
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
        subtitle?: string | null;
        category?: string | null;
        tags?: Array<string> | null;
        level?: string | null;
        language?: string | null;
        outcomes?: Array<string> | null;
        requirements?: Array<string> | null;
        slugs?: Array<string>;
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
                blocks?: Array<{
                    [key: string]: unknown;
                }>;
            }>;
            releaseAfterDays?: number;
        }>;
        createdAt?: string;
        updatedAt?: string;
    }>;
    courseResources: Array<{
        _id: string;
        courseId: string;
        name: string;
        size: number;
        contentType: string;
        createdAt?: string;
    }>;
    certificateTemplates: Array<{
        _id: string;
        heading?: string | null;
        statement?: string | null;
        recognition?: string | null;
        color?: string | null;
        logo?: string | null;
        signatories: Array<{
            name: string;
            title: string | null;
            signature: string | null;
        }>;
        validMonths?: number | null;
        createdAt?: string;
        updatedAt?: string;
    }>;
    pathsTaught: Array<{
        _id: string;
        title: string;
        subtitle?: string | null;
        description?: string;
        courseIds: Array<string>;
        inOrder: boolean;
        price?: number | null;
        isPublished: boolean;
        slugs: Array<string>;
        createdAt?: string;
        updatedAt?: string;
    }>;
    purchases: Array<{
        _id: string;
        courseId?: string | null;
        pathId?: string;
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
            courses?: Array<{
                courseId: string;
                accessDays: number | null;
            }>;
            inOrder?: boolean;
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
        courseId?: string | null;
        pathId?: string;
        state: string;
        email?: string | null;
        reason: string;
        expiresAt?: string | null;
        createdAt?: string;
        updatedAt?: string;
    }>;
    paths: Array<{
        pathId: string;
        active: boolean;
        enrolledAt: string;
        expiresAt?: string | null;
        revokedAt?: string | null;
        completedAt?: string | null;
        createdAt?: string;
        updatedAt?: string;
    }>;
    progress: Array<{
        courseId: string;
        lectureCompleted?: Array<string>;
        lectureTimes?: Array<{
            lectureId: string;
            at: string;
        }>;
        completed?: boolean;
        completedAt?: string | null;
        lastLectureId?: string | null;
        positionSeconds?: number;
        createdAt?: string;
        updatedAt?: string;
    }>;
    certificates: Array<{
        certificateId: string;
        courseId?: string | null;
        pathId?: string;
        studentName?: string | null;
        courseTitle: string;
        completionDate: string;
        status: string;
        issuedAt?: string | null;
        pdfUrl?: string | null;
        edition?: number;
        reissuedAt?: string;
        expiresAt?: string;
        renewedAt?: string;
        revokedAt?: string;
        formerEditions?: Array<{
            edition: number;
            studentName: string;
            issuedAt: string;
            replacedAt: string;
        }>;
        credential?: {
            id: string;
            list: number;
            index: number;
            text?: string;
        };
    }>;
    ratings: Array<{
        courseId: string;
        rating: number;
        review?: string;
        helpfulCount?: number;
        hiddenAt?: string | null;
        createdAt?: string;
        updatedAt?: string;
    }>;
    helpfulVotes: Array<{
        reviewId: string;
        createdAt: string;
    }>;
    reviewResponses: Array<{
        _id: string;
        courseId: string;
        content: string;
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
    assessmentAttempts: Array<{
        courseId: string;
        chapterId: string;
        number: number;
        state: string;
        startedAt: string;
        endsAt?: string | null;
        answers: {
            [key: string]: unknown;
        };
        endedAt?: string | null;
        points?: Array<number>;
        totalPoints?: number;
        percent?: number;
        passed?: boolean;
        group?: string;
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
        postId?: string;
        courseId?: string;
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
    announcements: Array<{
        courseId: string;
        title: string;
        body: string;
        recipients: number;
        createdAt: string;
    }>;
    notifications: Array<{
        type: string;
        title: string;
        body?: string;
        link?: string | null;
        count?: number;
        createdAt: string;
        readAt: string | null;
        seq: number;
    }>;
    notificationPreferences: Array<{
        preferences?: {
            [key: string]: {
                app?: boolean;
                mail?: boolean;
            };
        };
        unread?: number;
        readMarks?: Array<{
            upTo: number;
            at: string;
        }>;
    }>;
    mails: Array<{
        type: string;
        title: string;
        body?: string;
        link?: string | null;
        state?: string;
        createdAt?: string;
    }>;
    unsubscribeTokens: Array<{
        type: string;
        email: string;
        createdAt?: string;
    }>;
    apiKeys: Array<{
        name: string;
        prefix: string;
        role: string;
        scopes: Array<string>;
        createdAt: string;
        expiresAt?: string | null;
        lastUsedAt?: string | null;
        revokedAt?: string | null;
    }>;
    erasures: Array<{
        keepCertificates: boolean;
        requestedAt: string;
    }>;
    auditEntries: Array<{
        action: string;
        createdAt: string;
    }>;
    events: Array<{
        type: string;
        at: string;
        data: {
            [key: string]: unknown;
        };
    }>;
    webhooks: Array<{
        url: string;
        types: Array<string>;
        description: string;
        active: boolean;
        disabledReason: string | null;
        createdAt: string;
    }>;
    webhookDeliveries: Array<{
        type: string;
        state: string;
        createdAt: string;
        deliveredAt: string | null;
    }>;
    suppressedAddresses: Array<{
        _id: string;
        reason: string;
        createdAt?: string;
    }>;
    questions: Array<{
        questionId: string;
        version: number;
        isCurrent: boolean;
        kind: string;
        prompt: string;
        points: number;
        explanation?: string;
        tags: Array<string>;
        fields: {
            [key: string]: unknown;
        };
        createdAt: string;
        changedAt: string;
    }>;
};

export type Notification = {
    _id: string;
    type: 'reply_to_post' | 'reply_accepted' | 'post_upvoted' | 'announcement' | 'certificate_issued' | 'certificate_reissued' | 'certificate_revoked' | 'certificate_expires_soon' | 'access_ends_soon' | 'application_decided' | 'purchase_receipt' | 'purchase_refunded' | 'new_student' | 'review_written' | 'webhook_disabled';
    title: string;
    /**
     * plain text; Markdown of an announcement
     */
    body: string;
    /**
     * an address of the frontend
     */
    link: string | null;
    createdAt: string;
    readAt: string | null;
    /**
     * number of events that the notification stands for
     */
    count: number;
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

export type PlayerChapter = {
    chapterId: string;
    chapterOrder: number;
    chapterTitle: string;
    chapterContent: Array<Lecture>;
    hasAssessment: boolean;
    /**
     * null: the chapter is open; absent where no chapter of the course opens later
     */
    opensAt?: string | null;
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
    subtitle?: string | null;
    category?: string | null;
    tags?: Array<string> | null;
    level?: 'beginner' | 'intermediate' | 'advanced' | 'all' | null;
    language?: string | null;
    outcomes?: Array<string> | null;
    requirements?: Array<string> | null;
    courseContent: Array<PlayerChapter>;
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
    /**
     * the course of a path to complete first, while the course is locked; absent: it is open
     */
    lockedBy?: {
        pathId: string;
        courseId: string;
        courseTitle: string;
    };
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

export type AdminPurchase = {
    _id: string;
    userId: string;
    courseId: {
        _id: string;
        courseTitle: string;
    } | null;
    /**
     * null: a course was bought
     */
    pathId: string | null;
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
    subtitle?: string | null;
    category?: string | null;
    tags?: Array<string> | null;
    level?: 'beginner' | 'intermediate' | 'advanced' | 'all' | null;
    language?: string | null;
    outcomes?: Array<string> | null;
    requirements?: Array<string> | null;
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

export type CourseBySlug = {
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
    subtitle?: string | null;
    category?: string | null;
    tags?: Array<string> | null;
    level?: 'beginner' | 'intermediate' | 'advanced' | 'all' | null;
    language?: string | null;
    outcomes?: Array<string> | null;
    requirements?: Array<string> | null;
    courseContent: Array<Chapter>;
    /**
     * days of access after a purchase; absent: for good
     */
    accessDays?: number;
    /**
     * JSON-LD of schema.org; in a page, write `<` as `<`
     */
    structuredData: {
        [key: string]: unknown;
    };
};

/**
 * the most frequent values; the filter by this field is ignored
 */
export type FacetValues = Array<{
    value: string;
    count: number;
}>;

export type BrowsedCourse = {
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
    slug: string;
    subtitle?: string | null;
    category?: string | null;
    tags?: Array<string> | null;
    level?: 'beginner' | 'intermediate' | 'advanced' | 'all' | null;
    language?: string | null;
};

export type ErrorReply = {
    success: false;
    message: string;
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

export type ListCoursesData = {
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

export type ListCoursesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListCoursesError = ListCoursesErrors[keyof ListCoursesErrors];

export type ListCoursesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courses: Array<CourseSummary>;
    };
};

export type ListCoursesResponse = ListCoursesResponses[keyof ListCoursesResponses];

export type BrowseCoursesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * words in any order, whole or begun; one typo is forgiven in words of five letters and more
         */
        q?: string;
        category?: string;
        tag?: string;
        level?: 'beginner' | 'intermediate' | 'advanced' | 'all';
        /**
         * BCP 47
         */
        language?: string;
        /**
         * whether nothing is to pay after the discount
         */
        free?: 'true' | 'false';
        minRating?: number;
        educatorId?: string;
        /**
         * `relevance` without words in `q` is `newest`
         */
        sort?: 'relevance' | 'newest' | 'popular' | 'rating' | 'price-asc' | 'price-desc';
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/course/browse';
};

export type BrowseCoursesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type BrowseCoursesError = BrowseCoursesErrors[keyof BrowseCoursesErrors];

export type BrowseCoursesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courses: Array<BrowsedCourse>;
        /**
         * courses on all pages
         */
        total: number;
        facets: {
            category: FacetValues;
            tag: FacetValues;
            level: FacetValues;
            language: FacetValues;
        };
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type BrowseCoursesResponse = BrowseCoursesResponses[keyof BrowseCoursesResponses];

export type GetCourseBySlugData = {
    body?: never;
    path: {
        slug: string;
    };
    query?: never;
    url: '/api/course/slug/{slug}';
};

export type GetCourseBySlugErrors = {
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetCourseBySlugError = GetCourseBySlugErrors[keyof GetCourseBySlugErrors];

export type GetCourseBySlugResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courseData: CourseBySlug;
    };
};

export type GetCourseBySlugResponse = GetCourseBySlugResponses[keyof GetCourseBySlugResponses];

export type GetCourseData = {
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

export type GetCourseErrors = {
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetCourseError = GetCourseErrors[keyof GetCourseErrors];

export type GetCourseResponses = {
    /**
     * Success, or `success: false` with: Course not found
     */
    200: {
        success: true;
        courseData: CourseDetail;
    } | ErrorReply;
};

export type GetCourseResponse = GetCourseResponses[keyof GetCourseResponses];

export type CreatePurchaseData = {
    body: {
        courseId?: string;
        /**
         * instead of `courseId`
         */
        pathId?: string;
        /**
         * coupon code; case, spaces and invisible characters are ignored
         */
        coupon?: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/purchase';
};

export type CreatePurchaseErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * User not found · Course not found · Path not found · Coupon not valid
     */
    404: ErrorReply;
    /**
     * Path is not for sale · Course already purchased · Path already purchased · Idempotency-Key was used with another request
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many payment attempts. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
};

export type CreatePurchaseError = CreatePurchaseErrors[keyof CreatePurchaseErrors];

export type CreatePurchaseResponses = {
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
         * true when nothing was to be paid and the caller is enrolled
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

export type CreatePurchaseResponse = CreatePurchaseResponses[keyof CreatePurchaseResponses];

export type VerifyPaymentData = {
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

export type VerifyPaymentErrors = {
    /**
     * Invalid payment signature · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Purchase verification failed
     */
    403: ErrorReply;
    /**
     * Purchase already completed
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many payment attempts. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
};

export type VerifyPaymentError = VerifyPaymentErrors[keyof VerifyPaymentErrors];

export type VerifyPaymentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type VerifyPaymentResponse = VerifyPaymentResponses[keyof VerifyPaymentResponses];

export type RefundPurchaseData = {
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

export type RefundPurchaseErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Purchase not found
     */
    404: ErrorReply;
    /**
     * Only a completed, paid purchase can be refunded · Payment is disputed · The payment provider refused the refund
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
};

export type RefundPurchaseError = RefundPurchaseErrors[keyof RefundPurchaseErrors];

export type RefundPurchaseResponses = {
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

export type RefundPurchaseResponse = RefundPurchaseResponses[keyof RefundPurchaseResponses];

export type SettlePurchaseReviewData = {
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

export type SettlePurchaseReviewErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Purchase not found
     */
    404: ErrorReply;
    /**
     * Nothing to review
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
};

export type SettlePurchaseReviewError = SettlePurchaseReviewErrors[keyof SettlePurchaseReviewErrors];

export type SettlePurchaseReviewResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        purchase: AdminPurchase;
    };
};

export type SettlePurchaseReviewResponse = SettlePurchaseReviewResponses[keyof SettlePurchaseReviewResponses];

export type ListPaymentEventsData = {
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

export type ListPaymentEventsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListPaymentEventsError = ListPaymentEventsErrors[keyof ListPaymentEventsErrors];

export type ListPaymentEventsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        events: Array<PaymentEvent>;
        hasMore: boolean;
        /**
         * `before` of the next page; null at the end
         */
        nextBefore: string | null;
    };
};

export type ListPaymentEventsResponse = ListPaymentEventsResponses[keyof ListPaymentEventsResponses];

export type ReplayPaymentEventData = {
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

export type ReplayPaymentEventErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Payment event not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
};

export type ReplayPaymentEventError = ReplayPaymentEventErrors[keyof ReplayPaymentEventErrors];

export type ReplayPaymentEventResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        event: PaymentEvent;
    };
};

export type ReplayPaymentEventResponse = ReplayPaymentEventResponses[keyof ReplayPaymentEventResponses];

export type SettlePaymentEventReviewData = {
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

export type SettlePaymentEventReviewErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Payment event not found
     */
    404: ErrorReply;
    /**
     * Nothing to review
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
};

export type SettlePaymentEventReviewError = SettlePaymentEventReviewErrors[keyof SettlePaymentEventReviewErrors];

export type SettlePaymentEventReviewResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        event: PaymentEvent;
    };
};

export type SettlePaymentEventReviewResponse = SettlePaymentEventReviewResponses[keyof SettlePaymentEventReviewResponses];

export type EraseUserDataData = {
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

export type EraseUserDataErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type EraseUserDataError = EraseUserDataErrors[keyof EraseUserDataErrors];

export type EraseUserDataResponses = {
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

export type EraseUserDataResponse = EraseUserDataResponses[keyof EraseUserDataResponses];

export type GetProfileData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/data';
};

export type GetProfileErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetProfileError = GetProfileErrors[keyof GetProfileErrors];

export type GetProfileResponses = {
    /**
     * Success, or `success: false` with: User Not Found
     */
    200: {
        success: true;
        user: User;
    } | ErrorReply;
};

export type GetProfileResponse = GetProfileResponses[keyof GetProfileResponses];

export type ListEnrolledCoursesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/enrolled-courses';
};

export type ListEnrolledCoursesErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * User not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEnrolledCoursesError = ListEnrolledCoursesErrors[keyof ListEnrolledCoursesErrors];

export type ListEnrolledCoursesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrolledCourses: Array<EnrolledCourse>;
    };
};

export type ListEnrolledCoursesResponse = ListEnrolledCoursesResponses[keyof ListEnrolledCoursesResponses];

export type GetEnrolledCourseData = {
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

export type GetEnrolledCourseErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Access denied or course not found
     */
    403: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetEnrolledCourseError = GetEnrolledCourseErrors[keyof GetEnrolledCourseErrors];

export type GetEnrolledCourseResponses = {
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

export type GetEnrolledCourseResponse = GetEnrolledCourseResponses[keyof GetEnrolledCourseResponses];

export type ListCoursesToContinueData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/continue';
};

export type ListCoursesToContinueErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListCoursesToContinueError = ListCoursesToContinueErrors[keyof ListCoursesToContinueErrors];

export type ListCoursesToContinueResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        courses: Array<CourseToContinue>;
    };
};

export type ListCoursesToContinueResponse = ListCoursesToContinueResponses[keyof ListCoursesToContinueResponses];

export type ListNotificationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * `true`: only unread ones
         */
        unread?: 'true' | 'false';
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/user/notifications';
};

export type ListNotificationsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListNotificationsError = ListNotificationsErrors[keyof ListNotificationsErrors];

export type ListNotificationsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        notifications: Array<Notification>;
        /**
         * number of all unread notifications
         */
        unread: number;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListNotificationsResponse = ListNotificationsResponses[keyof ListNotificationsResponses];

export type StreamNotificationsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/notifications/stream';
};

export type StreamNotificationsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * User not found
     */
    404: ErrorReply;
    /**
     * Too many open streams
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type StreamNotificationsError = StreamNotificationsErrors[keyof StreamNotificationsErrors];

export type StreamNotificationsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type StreamNotificationsResponse = StreamNotificationsResponses[keyof StreamNotificationsResponses];

export type ReadNotificationsData = {
    body: {
        /**
         * absent: all
         */
        ids?: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/user/notifications/read';
};

export type ReadNotificationsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReadNotificationsError = ReadNotificationsErrors[keyof ReadNotificationsErrors];

export type ReadNotificationsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * number of all unread notifications
         */
        unread: number;
    };
};

export type ReadNotificationsResponse = ReadNotificationsResponses[keyof ReadNotificationsResponses];

export type GetPreferencesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/notification-preferences';
};

export type GetPreferencesErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetPreferencesError = GetPreferencesErrors[keyof GetPreferencesErrors];

export type GetPreferencesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        preferences: {
            /**
             * Somebody has replied to the user's post.
             */
            reply_to_post: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's reply was accepted as the answer.
             */
            reply_accepted: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's post was upvoted. A post has one notice for each UTC hour, which counts the upvotes.
             */
            post_upvoted: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The educator of a course has written to its learners.
             */
            announcement: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's certificate can be downloaded.
             */
            certificate_issued: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The educator or an administrator has made a further edition of the user's certificate.
             */
            certificate_reissued: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The educator or an administrator has revoked the user's certificate.
             */
            certificate_revoked: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's certificate ends within 30 days, and there is no newer one of the course or path.
             */
            certificate_expires_soon: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's access to a course ends within three days.
             */
            access_ends_soon: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's application to teach was approved or rejected.
             */
            application_decided: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user has paid for a course or a path. It is a mail only, which cannot be switched off.
             */
            purchase_receipt: {
                app: boolean;
                mail: boolean;
            };
            /**
             * A payment of the user was paid back, wholly or in part. It is a mail only, which cannot be switched off.
             */
            purchase_refunded: {
                app: boolean;
                mail: boolean;
            };
            /**
             * A learner has got access to the educator's course. Mail is a daily digest.
             */
            new_student: {
                app: boolean;
                mail: boolean;
            };
            /**
             * A learner has rated the educator's course.
             */
            review_written: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The server has switched off the user's webhook, because its address is gone or fails.
             */
            webhook_disabled: {
                app: boolean;
                mail: boolean;
            };
        };
    };
};

export type GetPreferencesResponse = GetPreferencesResponses[keyof GetPreferencesResponses];

export type SetPreferencesData = {
    body: {
        preferences: {
            /**
             * Somebody has replied to the user's post.
             */
            reply_to_post?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The user's reply was accepted as the answer.
             */
            reply_accepted?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The user's post was upvoted. A post has one notice for each UTC hour, which counts the upvotes.
             */
            post_upvoted?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The educator of a course has written to its learners.
             */
            announcement?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The user's certificate can be downloaded.
             */
            certificate_issued?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The educator or an administrator has made a further edition of the user's certificate.
             */
            certificate_reissued?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The educator or an administrator has revoked the user's certificate.
             */
            certificate_revoked?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The user's certificate ends within 30 days, and there is no newer one of the course or path.
             */
            certificate_expires_soon?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The user's access to a course ends within three days.
             */
            access_ends_soon?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The user's application to teach was approved or rejected.
             */
            application_decided?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The user has paid for a course or a path. It is a mail only, which cannot be switched off.
             */
            purchase_receipt?: {
                app?: false;
                mail?: true;
            };
            /**
             * A payment of the user was paid back, wholly or in part. It is a mail only, which cannot be switched off.
             */
            purchase_refunded?: {
                app?: false;
                mail?: true;
            };
            /**
             * A learner has got access to the educator's course. Mail is a daily digest.
             */
            new_student?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * A learner has rated the educator's course.
             */
            review_written?: {
                app?: boolean;
                mail?: boolean;
            };
            /**
             * The server has switched off the user's webhook, because its address is gone or fails.
             */
            webhook_disabled?: {
                app?: boolean;
                mail?: boolean;
            };
        };
    };
    path?: never;
    query?: never;
    url: '/api/user/notification-preferences';
};

export type SetPreferencesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type SetPreferencesError = SetPreferencesErrors[keyof SetPreferencesErrors];

export type SetPreferencesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        preferences: {
            /**
             * Somebody has replied to the user's post.
             */
            reply_to_post: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's reply was accepted as the answer.
             */
            reply_accepted: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's post was upvoted. A post has one notice for each UTC hour, which counts the upvotes.
             */
            post_upvoted: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The educator of a course has written to its learners.
             */
            announcement: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's certificate can be downloaded.
             */
            certificate_issued: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The educator or an administrator has made a further edition of the user's certificate.
             */
            certificate_reissued: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The educator or an administrator has revoked the user's certificate.
             */
            certificate_revoked: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's certificate ends within 30 days, and there is no newer one of the course or path.
             */
            certificate_expires_soon: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's access to a course ends within three days.
             */
            access_ends_soon: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user's application to teach was approved or rejected.
             */
            application_decided: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The user has paid for a course or a path. It is a mail only, which cannot be switched off.
             */
            purchase_receipt: {
                app: boolean;
                mail: boolean;
            };
            /**
             * A payment of the user was paid back, wholly or in part. It is a mail only, which cannot be switched off.
             */
            purchase_refunded: {
                app: boolean;
                mail: boolean;
            };
            /**
             * A learner has got access to the educator's course. Mail is a daily digest.
             */
            new_student: {
                app: boolean;
                mail: boolean;
            };
            /**
             * A learner has rated the educator's course.
             */
            review_written: {
                app: boolean;
                mail: boolean;
            };
            /**
             * The server has switched off the user's webhook, because its address is gone or fails.
             */
            webhook_disabled: {
                app: boolean;
                mail: boolean;
            };
        };
    };
};

export type SetPreferencesResponse = SetPreferencesResponses[keyof SetPreferencesResponses];

export type ShowUnsubscribeData = {
    body?: never;
    path: {
        token: string;
    };
    query?: never;
    url: '/unsubscribe/{token}';
};

export type ShowUnsubscribeErrors = {
    /**
     * Address not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ShowUnsubscribeError = ShowUnsubscribeErrors[keyof ShowUnsubscribeErrors];

export type ShowUnsubscribeResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type ShowUnsubscribeResponse = ShowUnsubscribeResponses[keyof ShowUnsubscribeResponses];

export type UnsubscribeData = {
    body?: never;
    path: {
        token: string;
    };
    query?: {
        /**
         * `true`: switch the mails on again
         */
        undo?: 'true';
    };
    url: '/unsubscribe/{token}';
};

export type UnsubscribeErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Address not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UnsubscribeError = UnsubscribeErrors[keyof UnsubscribeErrors];

export type UnsubscribeResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type UnsubscribeResponse = UnsubscribeResponses[keyof UnsubscribeResponses];

export type ExportUserDataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/export';
};

export type ExportUserDataErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ExportUserDataError = ExportUserDataErrors[keyof ExportUserDataErrors];

export type ExportUserDataResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        export: UserData;
    };
};

export type ExportUserDataResponse = ExportUserDataResponses[keyof ExportUserDataResponses];

export type CompleteLectureData = {
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

export type CompleteLectureErrors = {
    /**
     * Invalid lecture for this course · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased · Complete the previous course first · Lecture is not open yet
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CompleteLectureError = CompleteLectureErrors[keyof CompleteLectureErrors];

export type CompleteLectureResponses = {
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

export type CompleteLectureResponse = CompleteLectureResponses[keyof CompleteLectureResponses];

export type GetCourseProgressData = {
    body: {
        courseId: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/get-course-progress';
};

export type GetCourseProgressErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetCourseProgressError = GetCourseProgressErrors[keyof GetCourseProgressErrors];

export type GetCourseProgressResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        progressData: CourseProgress | null;
    };
};

export type GetCourseProgressResponse = GetCourseProgressResponses[keyof GetCourseProgressResponses];

export type CheckCertificateData = {
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

export type CheckCertificateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CheckCertificateError = CheckCertificateErrors[keyof CheckCertificateErrors];

export type CheckCertificateResponses = {
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

export type CheckCertificateResponse = CheckCertificateResponses[keyof CheckCertificateResponses];

export type GenerateCertificateData = {
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

export type GenerateCertificateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased
     */
    403: ErrorReply;
    /**
     * Course not found · Certificate not available yet · Certificate was revoked · User not found
     */
    404: ErrorReply;
    /**
     * Add your name first
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GenerateCertificateError = GenerateCertificateErrors[keyof GenerateCertificateErrors];

export type GenerateCertificateResponses = {
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

export type GenerateCertificateResponse = GenerateCertificateResponses[keyof GenerateCertificateResponses];

export type GetCertificateData = {
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

export type GetCertificateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased
     */
    403: ErrorReply;
    /**
     * Course not found · Certificate was revoked · Certificate not generated yet. Click Get Certificate to generate it.
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetCertificateError = GetCertificateErrors[keyof GetCertificateErrors];

export type GetCertificateResponses = {
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

export type GetCertificateResponse = GetCertificateResponses[keyof GetCertificateResponses];

export type ListOwnCertificatesData = {
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
    url: '/api/user/certificates';
};

export type ListOwnCertificatesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListOwnCertificatesError = ListOwnCertificatesErrors[keyof ListOwnCertificatesErrors];

export type ListOwnCertificatesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificates: Array<OwnCertificate>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListOwnCertificatesResponse = ListOwnCertificatesResponses[keyof ListOwnCertificatesResponses];

export type ReissueOwnCertificateData = {
    body?: never;
    path: {
        certificateId: string;
    };
    query?: never;
    url: '/api/user/certificates/{certificateId}/reissue';
};

export type ReissueOwnCertificateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Certificate not found · User not found
     */
    404: ErrorReply;
    /**
     * Certificate was revoked · Nothing to change · Certificate was reissued too often
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReissueOwnCertificateError = ReissueOwnCertificateErrors[keyof ReissueOwnCertificateErrors];

export type ReissueOwnCertificateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: OwnCertificate;
    };
};

export type ReissueOwnCertificateResponse = ReissueOwnCertificateResponses[keyof ReissueOwnCertificateResponses];

export type RenewCertificateData = {
    body?: never;
    path: {
        certificateId: string;
    };
    query?: never;
    url: '/api/user/certificates/{certificateId}/renew';
};

export type RenewCertificateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased
     */
    403: ErrorReply;
    /**
     * Certificate not found
     */
    404: ErrorReply;
    /**
     * Certificate was revoked · Certificate does not expire soon
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RenewCertificateError = RenewCertificateErrors[keyof RenewCertificateErrors];

export type RenewCertificateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RenewCertificateResponse = RenewCertificateResponses[keyof RenewCertificateResponses];

export type ListCertificatesData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
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
        /**
         * `expiring`: valid with at most 30 days left
         */
        state?: 'pending' | 'valid' | 'expired' | 'revoked' | 'expiring';
        /**
         * part of a name, or a whole e-mail address
         */
        q?: string;
    };
    url: '/api/educator/courses/{id}/certificates';
};

export type ListCertificatesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListCertificatesError = ListCertificatesErrors[keyof ListCertificatesErrors];

export type ListCertificatesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificates: Array<ManagedCertificate>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListCertificatesResponse = ListCertificatesResponses[keyof ListCertificatesResponses];

export type ReissueCertificateData = {
    body: {
        /**
         * absent: the name of the profile
         */
        studentName?: string;
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        certificateId: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/certificates/{certificateId}/reissue';
};

export type ReissueCertificateErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Certificate not found
     */
    404: ErrorReply;
    /**
     * Nothing to change
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReissueCertificateError = ReissueCertificateErrors[keyof ReissueCertificateErrors];

export type ReissueCertificateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: ManagedCertificate;
    };
};

export type ReissueCertificateResponse = ReissueCertificateResponses[keyof ReissueCertificateResponses];

export type RevokeCertificateData = {
    body: {
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        certificateId: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/certificates/{certificateId}/revoke';
};

export type RevokeCertificateErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Certificate not found
     */
    404: ErrorReply;
    /**
     * Certificate was revoked
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RevokeCertificateError = RevokeCertificateErrors[keyof RevokeCertificateErrors];

export type RevokeCertificateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: ManagedCertificate;
    };
};

export type RevokeCertificateResponse = RevokeCertificateResponses[keyof RevokeCertificateResponses];

export type ListPathCertificatesData = {
    body?: never;
    path: {
        pathId: string;
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
        /**
         * `expiring`: valid with at most 30 days left
         */
        state?: 'pending' | 'valid' | 'expired' | 'revoked' | 'expiring';
        /**
         * part of a name, or a whole e-mail address
         */
        q?: string;
    };
    url: '/api/educator/paths/{pathId}/certificates';
};

export type ListPathCertificatesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListPathCertificatesError = ListPathCertificatesErrors[keyof ListPathCertificatesErrors];

export type ListPathCertificatesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificates: Array<ManagedCertificate>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListPathCertificatesResponse = ListPathCertificatesResponses[keyof ListPathCertificatesResponses];

export type ReissuePathCertificateData = {
    body: {
        /**
         * absent: the name of the profile
         */
        studentName?: string;
        reason: string;
    };
    path: {
        pathId: string;
        certificateId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}/certificates/{certificateId}/reissue';
};

export type ReissuePathCertificateErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Certificate not found
     */
    404: ErrorReply;
    /**
     * Nothing to change
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReissuePathCertificateError = ReissuePathCertificateErrors[keyof ReissuePathCertificateErrors];

export type ReissuePathCertificateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: ManagedCertificate;
    };
};

export type ReissuePathCertificateResponse = ReissuePathCertificateResponses[keyof ReissuePathCertificateResponses];

export type RevokePathCertificateData = {
    body: {
        reason: string;
    };
    path: {
        pathId: string;
        certificateId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}/certificates/{certificateId}/revoke';
};

export type RevokePathCertificateErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Certificate not found
     */
    404: ErrorReply;
    /**
     * Certificate was revoked
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RevokePathCertificateError = RevokePathCertificateErrors[keyof RevokePathCertificateErrors];

export type RevokePathCertificateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: ManagedCertificate;
    };
};

export type RevokePathCertificateResponse = RevokePathCertificateResponses[keyof RevokePathCertificateResponses];

export type ListCertificatesAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
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
        /**
         * `expiring`: valid with at most 30 days left
         */
        state?: 'pending' | 'valid' | 'expired' | 'revoked' | 'expiring';
        /**
         * part of a name, or a whole e-mail address
         */
        q?: string;
    };
    url: '/api/admin/courses/{id}/certificates';
};

export type ListCertificatesAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListCertificatesAsAdminError = ListCertificatesAsAdminErrors[keyof ListCertificatesAsAdminErrors];

export type ListCertificatesAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificates: Array<ManagedCertificate>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListCertificatesAsAdminResponse = ListCertificatesAsAdminResponses[keyof ListCertificatesAsAdminResponses];

export type ReissueCertificateAsAdminData = {
    body: {
        /**
         * absent: the name of the profile
         */
        studentName?: string;
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        certificateId: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/certificates/{certificateId}/reissue';
};

export type ReissueCertificateAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Certificate not found
     */
    404: ErrorReply;
    /**
     * Nothing to change
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReissueCertificateAsAdminError = ReissueCertificateAsAdminErrors[keyof ReissueCertificateAsAdminErrors];

export type ReissueCertificateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: ManagedCertificate;
    };
};

export type ReissueCertificateAsAdminResponse = ReissueCertificateAsAdminResponses[keyof ReissueCertificateAsAdminResponses];

export type RevokeCertificateAsAdminData = {
    body: {
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        certificateId: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/certificates/{certificateId}/revoke';
};

export type RevokeCertificateAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Certificate not found
     */
    404: ErrorReply;
    /**
     * Certificate was revoked
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RevokeCertificateAsAdminError = RevokeCertificateAsAdminErrors[keyof RevokeCertificateAsAdminErrors];

export type RevokeCertificateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: ManagedCertificate;
    };
};

export type RevokeCertificateAsAdminResponse = RevokeCertificateAsAdminResponses[keyof RevokeCertificateAsAdminResponses];

export type ListPathCertificatesAsAdminData = {
    body?: never;
    path: {
        pathId: string;
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
        /**
         * `expiring`: valid with at most 30 days left
         */
        state?: 'pending' | 'valid' | 'expired' | 'revoked' | 'expiring';
        /**
         * part of a name, or a whole e-mail address
         */
        q?: string;
    };
    url: '/api/admin/paths/{pathId}/certificates';
};

export type ListPathCertificatesAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListPathCertificatesAsAdminError = ListPathCertificatesAsAdminErrors[keyof ListPathCertificatesAsAdminErrors];

export type ListPathCertificatesAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificates: Array<ManagedCertificate>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListPathCertificatesAsAdminResponse = ListPathCertificatesAsAdminResponses[keyof ListPathCertificatesAsAdminResponses];

export type ReissuePathCertificateAsAdminData = {
    body: {
        /**
         * absent: the name of the profile
         */
        studentName?: string;
        reason: string;
    };
    path: {
        pathId: string;
        certificateId: string;
    };
    query?: never;
    url: '/api/admin/paths/{pathId}/certificates/{certificateId}/reissue';
};

export type ReissuePathCertificateAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Certificate not found
     */
    404: ErrorReply;
    /**
     * Nothing to change
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReissuePathCertificateAsAdminError = ReissuePathCertificateAsAdminErrors[keyof ReissuePathCertificateAsAdminErrors];

export type ReissuePathCertificateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: ManagedCertificate;
    };
};

export type ReissuePathCertificateAsAdminResponse = ReissuePathCertificateAsAdminResponses[keyof ReissuePathCertificateAsAdminResponses];

export type RevokePathCertificateAsAdminData = {
    body: {
        reason: string;
    };
    path: {
        pathId: string;
        certificateId: string;
    };
    query?: never;
    url: '/api/admin/paths/{pathId}/certificates/{certificateId}/revoke';
};

export type RevokePathCertificateAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Certificate not found
     */
    404: ErrorReply;
    /**
     * Certificate was revoked
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RevokePathCertificateAsAdminError = RevokePathCertificateAsAdminErrors[keyof RevokePathCertificateAsAdminErrors];

export type RevokePathCertificateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        certificate: ManagedCertificate;
    };
};

export type RevokePathCertificateAsAdminResponse = RevokePathCertificateAsAdminResponses[keyof RevokePathCertificateAsAdminResponses];

export type RemoveTemplateData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/certificate-template';
};

export type RemoveTemplateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemoveTemplateError = RemoveTemplateErrors[keyof RemoveTemplateErrors];

export type RemoveTemplateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemoveTemplateResponse = RemoveTemplateResponses[keyof RemoveTemplateResponses];

export type GetTemplateData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/certificate-template';
};

export type GetTemplateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetTemplateError = GetTemplateErrors[keyof GetTemplateErrors];

export type GetTemplateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        template: CertificateTemplate;
    };
};

export type GetTemplateResponse = GetTemplateResponses[keyof GetTemplateResponses];

export type SetTemplateData = {
    body: {
        heading?: string | null;
        statement?: string | null;
        /**
         * null: the usual words; empty: no line
         */
        recognition?: string | null;
        color?: string | null;
        /**
         * resource id of a picture
         */
        logo?: string | null;
        signatories?: Array<{
            name: string;
            title?: string | null;
            /**
             * resource id of a picture
             */
            signature?: string | null;
        }>;
        /**
         * null: certificates do not expire
         */
        validMonths?: number | null;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/certificate-template';
};

export type SetTemplateErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type SetTemplateError = SetTemplateErrors[keyof SetTemplateErrors];

export type SetTemplateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        template: CertificateTemplate;
    };
};

export type SetTemplateResponse = SetTemplateResponses[keyof SetTemplateResponses];

export type PreviewTemplateData = {
    body: {
        heading?: string | null;
        statement?: string | null;
        /**
         * null: the usual words; empty: no line
         */
        recognition?: string | null;
        color?: string | null;
        /**
         * resource id of a picture
         */
        logo?: string | null;
        signatories?: Array<{
            name: string;
            title?: string | null;
            /**
             * resource id of a picture
             */
            signature?: string | null;
        }>;
        /**
         * null: certificates do not expire
         */
        validMonths?: number | null;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/certificate-template/preview';
};

export type PreviewTemplateErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type PreviewTemplateError = PreviewTemplateErrors[keyof PreviewTemplateErrors];

export type PreviewTemplateResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type PreviewTemplateResponse = PreviewTemplateResponses[keyof PreviewTemplateResponses];

export type RemovePathTemplateData = {
    body?: never;
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}/certificate-template';
};

export type RemovePathTemplateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemovePathTemplateError = RemovePathTemplateErrors[keyof RemovePathTemplateErrors];

export type RemovePathTemplateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemovePathTemplateResponse = RemovePathTemplateResponses[keyof RemovePathTemplateResponses];

export type GetPathTemplateData = {
    body?: never;
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}/certificate-template';
};

export type GetPathTemplateErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetPathTemplateError = GetPathTemplateErrors[keyof GetPathTemplateErrors];

export type GetPathTemplateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        template: CertificateTemplate;
    };
};

export type GetPathTemplateResponse = GetPathTemplateResponses[keyof GetPathTemplateResponses];

export type SetPathTemplateData = {
    body: {
        heading?: string | null;
        statement?: string | null;
        /**
         * null: the usual words; empty: no line
         */
        recognition?: string | null;
        color?: string | null;
        /**
         * resource id of a picture
         */
        logo?: string | null;
        signatories?: Array<{
            name: string;
            title?: string | null;
            /**
             * resource id of a picture
             */
            signature?: string | null;
        }>;
        /**
         * null: certificates do not expire
         */
        validMonths?: number | null;
    };
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}/certificate-template';
};

export type SetPathTemplateErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type SetPathTemplateError = SetPathTemplateErrors[keyof SetPathTemplateErrors];

export type SetPathTemplateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        template: CertificateTemplate;
    };
};

export type SetPathTemplateResponse = SetPathTemplateResponses[keyof SetPathTemplateResponses];

export type PreviewPathTemplateData = {
    body: {
        heading?: string | null;
        statement?: string | null;
        /**
         * null: the usual words; empty: no line
         */
        recognition?: string | null;
        color?: string | null;
        /**
         * resource id of a picture
         */
        logo?: string | null;
        signatories?: Array<{
            name: string;
            title?: string | null;
            /**
             * resource id of a picture
             */
            signature?: string | null;
        }>;
        /**
         * null: certificates do not expire
         */
        validMonths?: number | null;
    };
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}/certificate-template/preview';
};

export type PreviewPathTemplateErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type PreviewPathTemplateError = PreviewPathTemplateErrors[keyof PreviewPathTemplateErrors];

export type PreviewPathTemplateResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type PreviewPathTemplateResponse = PreviewPathTemplateResponses[keyof PreviewPathTemplateResponses];

export type RemoveTemplateAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/certificate-template';
};

export type RemoveTemplateAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemoveTemplateAsAdminError = RemoveTemplateAsAdminErrors[keyof RemoveTemplateAsAdminErrors];

export type RemoveTemplateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemoveTemplateAsAdminResponse = RemoveTemplateAsAdminResponses[keyof RemoveTemplateAsAdminResponses];

export type GetTemplateAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/certificate-template';
};

export type GetTemplateAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetTemplateAsAdminError = GetTemplateAsAdminErrors[keyof GetTemplateAsAdminErrors];

export type GetTemplateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        template: CertificateTemplate;
    };
};

export type GetTemplateAsAdminResponse = GetTemplateAsAdminResponses[keyof GetTemplateAsAdminResponses];

export type SetTemplateAsAdminData = {
    body: {
        heading?: string | null;
        statement?: string | null;
        /**
         * null: the usual words; empty: no line
         */
        recognition?: string | null;
        color?: string | null;
        /**
         * resource id of a picture
         */
        logo?: string | null;
        signatories?: Array<{
            name: string;
            title?: string | null;
            /**
             * resource id of a picture
             */
            signature?: string | null;
        }>;
        /**
         * null: certificates do not expire
         */
        validMonths?: number | null;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/certificate-template';
};

export type SetTemplateAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type SetTemplateAsAdminError = SetTemplateAsAdminErrors[keyof SetTemplateAsAdminErrors];

export type SetTemplateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        template: CertificateTemplate;
    };
};

export type SetTemplateAsAdminResponse = SetTemplateAsAdminResponses[keyof SetTemplateAsAdminResponses];

export type PreviewTemplateAsAdminData = {
    body: {
        heading?: string | null;
        statement?: string | null;
        /**
         * null: the usual words; empty: no line
         */
        recognition?: string | null;
        color?: string | null;
        /**
         * resource id of a picture
         */
        logo?: string | null;
        signatories?: Array<{
            name: string;
            title?: string | null;
            /**
             * resource id of a picture
             */
            signature?: string | null;
        }>;
        /**
         * null: certificates do not expire
         */
        validMonths?: number | null;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/certificate-template/preview';
};

export type PreviewTemplateAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type PreviewTemplateAsAdminError = PreviewTemplateAsAdminErrors[keyof PreviewTemplateAsAdminErrors];

export type PreviewTemplateAsAdminResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type PreviewTemplateAsAdminResponse = PreviewTemplateAsAdminResponses[keyof PreviewTemplateAsAdminResponses];

export type RemovePathTemplateAsAdminData = {
    body?: never;
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/admin/paths/{pathId}/certificate-template';
};

export type RemovePathTemplateAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemovePathTemplateAsAdminError = RemovePathTemplateAsAdminErrors[keyof RemovePathTemplateAsAdminErrors];

export type RemovePathTemplateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemovePathTemplateAsAdminResponse = RemovePathTemplateAsAdminResponses[keyof RemovePathTemplateAsAdminResponses];

export type GetPathTemplateAsAdminData = {
    body?: never;
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/admin/paths/{pathId}/certificate-template';
};

export type GetPathTemplateAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetPathTemplateAsAdminError = GetPathTemplateAsAdminErrors[keyof GetPathTemplateAsAdminErrors];

export type GetPathTemplateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        template: CertificateTemplate;
    };
};

export type GetPathTemplateAsAdminResponse = GetPathTemplateAsAdminResponses[keyof GetPathTemplateAsAdminResponses];

export type SetPathTemplateAsAdminData = {
    body: {
        heading?: string | null;
        statement?: string | null;
        /**
         * null: the usual words; empty: no line
         */
        recognition?: string | null;
        color?: string | null;
        /**
         * resource id of a picture
         */
        logo?: string | null;
        signatories?: Array<{
            name: string;
            title?: string | null;
            /**
             * resource id of a picture
             */
            signature?: string | null;
        }>;
        /**
         * null: certificates do not expire
         */
        validMonths?: number | null;
    };
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/admin/paths/{pathId}/certificate-template';
};

export type SetPathTemplateAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type SetPathTemplateAsAdminError = SetPathTemplateAsAdminErrors[keyof SetPathTemplateAsAdminErrors];

export type SetPathTemplateAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        template: CertificateTemplate;
    };
};

export type SetPathTemplateAsAdminResponse = SetPathTemplateAsAdminResponses[keyof SetPathTemplateAsAdminResponses];

export type PreviewPathTemplateAsAdminData = {
    body: {
        heading?: string | null;
        statement?: string | null;
        /**
         * null: the usual words; empty: no line
         */
        recognition?: string | null;
        color?: string | null;
        /**
         * resource id of a picture
         */
        logo?: string | null;
        signatories?: Array<{
            name: string;
            title?: string | null;
            /**
             * resource id of a picture
             */
            signature?: string | null;
        }>;
        /**
         * null: certificates do not expire
         */
        validMonths?: number | null;
    };
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/admin/paths/{pathId}/certificate-template/preview';
};

export type PreviewPathTemplateAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type PreviewPathTemplateAsAdminError = PreviewPathTemplateAsAdminErrors[keyof PreviewPathTemplateAsAdminErrors];

export type PreviewPathTemplateAsAdminResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type PreviewPathTemplateAsAdminResponse = PreviewPathTemplateAsAdminResponses[keyof PreviewPathTemplateAsAdminResponses];

export type RateCourseData = {
    body: {
        courseId: string;
        rating: number;
        /**
         * empty: removes the text; absent: leaves it
         */
        review?: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/add-rating';
};

export type RateCourseErrors = {
    /**
     * Invalid Details · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Course not purchased.
     */
    403: ErrorReply;
    /**
     * Course not found.
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RateCourseError = RateCourseErrors[keyof RateCourseErrors];

export type RateCourseResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Rating Added';
    };
};

export type RateCourseResponse = RateCourseResponses[keyof RateCourseResponses];

export type ListReviewsData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
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
        /**
         * only reviews with this rating
         */
        rating?: number;
        sort?: 'helpful' | 'newest';
    };
    url: '/api/course/{id}/reviews';
};

export type ListReviewsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListReviewsError = ListReviewsErrors[keyof ListReviewsErrors];

export type ListReviewsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        reviews: Array<Review>;
        /**
         * number of ratings by their stars
         */
        distribution: {
            1: number;
            2: number;
            3: number;
            4: number;
            5: number;
        };
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListReviewsResponse = ListReviewsResponses[keyof ListReviewsResponses];

export type ToggleHelpfulReviewData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        /**
         * object id, 24 hex digits
         */
        reviewId: string;
    };
    query?: never;
    url: '/api/course/{id}/reviews/{reviewId}/helpful';
};

export type ToggleHelpfulReviewErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized
     */
    403: ErrorReply;
    /**
     * Review not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ToggleHelpfulReviewError = ToggleHelpfulReviewErrors[keyof ToggleHelpfulReviewErrors];

export type ToggleHelpfulReviewResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        helpfulCount: number;
        isHelpful: boolean;
    };
};

export type ToggleHelpfulReviewResponse = ToggleHelpfulReviewResponses[keyof ToggleHelpfulReviewResponses];

export type ReportReviewData = {
    body: {
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        /**
         * object id, 24 hex digits
         */
        reviewId: string;
    };
    query?: never;
    url: '/api/course/{id}/reviews/{reviewId}/report';
};

export type ReportReviewErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Review not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReportReviewError = ReportReviewErrors[keyof ReportReviewErrors];

export type ReportReviewResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type ReportReviewResponse = ReportReviewResponses[keyof ReportReviewResponses];

export type RemoveReviewResponseData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        /**
         * object id, 24 hex digits
         */
        reviewId: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/reviews/{reviewId}/response';
};

export type RemoveReviewResponseErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Review not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemoveReviewResponseError = RemoveReviewResponseErrors[keyof RemoveReviewResponseErrors];

export type RemoveReviewResponseResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemoveReviewResponseResponse = RemoveReviewResponseResponses[keyof RemoveReviewResponseResponses];

export type RespondToReviewData = {
    body: {
        content: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        /**
         * object id, 24 hex digits
         */
        reviewId: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/reviews/{reviewId}/response';
};

export type RespondToReviewErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Review not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RespondToReviewError = RespondToReviewErrors[keyof RespondToReviewErrors];

export type RespondToReviewResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        response: ReviewResponse;
    };
};

export type RespondToReviewResponse = RespondToReviewResponses[keyof RespondToReviewResponses];

export type HideReviewData = {
    body: {
        hidden: boolean;
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/reviews/{id}/hide';
};

export type HideReviewErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Review not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type HideReviewError = HideReviewErrors[keyof HideReviewErrors];

export type HideReviewResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type HideReviewResponse = HideReviewResponses[keyof HideReviewResponses];

export type TrackTimeData = {
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

export type TrackTimeErrors = {
    /**
     * Invalid tracking data · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type TrackTimeError = TrackTimeErrors[keyof TrackTimeErrors];

export type TrackTimeResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type TrackTimeResponse = TrackTimeResponses[keyof TrackTimeResponses];

export type GetAnalyticsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/analytics';
};

export type GetAnalyticsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetAnalyticsError = GetAnalyticsErrors[keyof GetAnalyticsErrors];

export type GetAnalyticsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        analytics: Analytics;
    };
};

export type GetAnalyticsResponse = GetAnalyticsResponses[keyof GetAnalyticsResponses];

export type VerifyCertificateData = {
    body?: never;
    path: {
        certificateId: string;
    };
    query?: never;
    url: '/api/certificate/verify/{certificateId}';
};

export type VerifyCertificateErrors = {
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
    503: ErrorReply;
};

export type VerifyCertificateError = VerifyCertificateErrors[keyof VerifyCertificateErrors];

export type VerifyCertificateResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * false for an expired or revoked certificate
         */
        valid: boolean;
        certificate: ({
            state: 'valid' | 'expired';
        } & VerifiedCertificate) | ({
            state: 'revoked';
        } & RevokedCertificate);
    };
};

export type VerifyCertificateResponse = VerifyCertificateResponses[keyof VerifyCertificateResponses];

export type GetDidDocumentData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/did.json';
};

export type GetDidDocumentErrors = {
    /**
     * Credentials are not set up
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetDidDocumentError = GetDidDocumentErrors[keyof GetDidDocumentErrors];

export type GetDidDocumentResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetDidDocumentResponse = GetDidDocumentResponses[keyof GetDidDocumentResponses];

export type GetDidDocumentOfPathData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/did.json';
};

export type GetDidDocumentOfPathErrors = {
    /**
     * Credentials are not set up
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetDidDocumentOfPathError = GetDidDocumentOfPathErrors[keyof GetDidDocumentOfPathErrors];

export type GetDidDocumentOfPathResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetDidDocumentOfPathResponse = GetDidDocumentOfPathResponses[keyof GetDidDocumentOfPathResponses];

export type GetStatusListData = {
    body?: never;
    path: {
        list: string;
    };
    query?: never;
    url: '/api/certificate/status/{list}';
};

export type GetStatusListErrors = {
    /**
     * Credentials are not set up · Status list not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetStatusListError = GetStatusListErrors[keyof GetStatusListErrors];

export type GetStatusListResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetStatusListResponse = GetStatusListResponses[keyof GetStatusListResponses];

export type GetCredentialData = {
    body?: never;
    path: {
        certificateId: string;
    };
    query?: never;
    url: '/api/user/certificates/{certificateId}/credential';
};

export type GetCredentialErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Credentials are not set up · Certificate not found
     */
    404: ErrorReply;
    /**
     * Certificate was revoked
     */
    409: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetCredentialError = GetCredentialErrors[keyof GetCredentialErrors];

export type GetCredentialResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetCredentialResponse = GetCredentialResponses[keyof GetCredentialResponses];

export type GetBakedBadgeData = {
    body?: never;
    path: {
        certificateId: string;
    };
    query?: never;
    url: '/api/user/certificates/{certificateId}/badge.png';
};

export type GetBakedBadgeErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Credentials are not set up · Certificate not found
     */
    404: ErrorReply;
    /**
     * Certificate was revoked
     */
    409: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetBakedBadgeError = GetBakedBadgeErrors[keyof GetBakedBadgeErrors];

export type GetBakedBadgeResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetBakedBadgeResponse = GetBakedBadgeResponses[keyof GetBakedBadgeResponses];

export type GetCourseBadgeData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/course/{id}/badge.png';
};

export type GetCourseBadgeErrors = {
    /**
     * Credentials are not set up · Course not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetCourseBadgeError = GetCourseBadgeErrors[keyof GetCourseBadgeErrors];

export type GetCourseBadgeResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetCourseBadgeResponse = GetCourseBadgeResponses[keyof GetCourseBadgeResponses];

export type GetPathBadgeData = {
    body?: never;
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/paths/{pathId}/badge.png';
};

export type GetPathBadgeErrors = {
    /**
     * Credentials are not set up · Path not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetPathBadgeError = GetPathBadgeErrors[keyof GetPathBadgeErrors];

export type GetPathBadgeResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetPathBadgeResponse = GetPathBadgeResponses[keyof GetPathBadgeResponses];

export type ListGroupsData = {
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

export type ListGroupsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListGroupsError = ListGroupsErrors[keyof ListGroupsErrors];

export type ListGroupsResponses = {
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

export type ListGroupsResponse = ListGroupsResponses[keyof ListGroupsResponses];

export type CreateGroupData = {
    body: {
        name: string;
        description?: string;
        icon?: string;
    };
    path?: never;
    query?: never;
    url: '/api/community/groups';
};

export type CreateGroupErrors = {
    /**
     * Group name is required · Invalid request data
     */
    400: ErrorReply;
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * A group with this name already exists
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many groups · Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateGroupError = CreateGroupErrors[keyof CreateGroupErrors];

export type CreateGroupResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        group: CommunityGroup;
    };
};

export type CreateGroupResponse = CreateGroupResponses[keyof CreateGroupResponses];

export type ToggleGroupMembershipData = {
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

export type ToggleGroupMembershipErrors = {
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Group not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ToggleGroupMembershipError = ToggleGroupMembershipErrors[keyof ToggleGroupMembershipErrors];

export type ToggleGroupMembershipResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        isMember: boolean;
    };
};

export type ToggleGroupMembershipResponse = ToggleGroupMembershipResponses[keyof ToggleGroupMembershipResponses];

export type ListPostsData = {
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

export type ListPostsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListPostsError = ListPostsErrors[keyof ListPostsErrors];

export type ListPostsResponses = {
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

export type ListPostsResponse = ListPostsResponses[keyof ListPostsResponses];

export type CreatePostData = {
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

export type CreatePostErrors = {
    /**
     * Title and content are required · Invalid request data
     */
    400: ErrorReply;
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * User not found · Group not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many community actions. Please slow down.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreatePostError = CreatePostErrors[keyof CreatePostErrors];

export type CreatePostResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        post: CommunityPost;
    };
};

export type CreatePostResponse = CreatePostResponses[keyof CreatePostResponses];

export type DeletePostData = {
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

export type DeletePostErrors = {
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Not authorized
     */
    403: ErrorReply;
    /**
     * Post not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DeletePostError = DeletePostErrors[keyof DeletePostErrors];

export type DeletePostResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeletePostResponse = DeletePostResponses[keyof DeletePostResponses];

export type GetPostData = {
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

export type GetPostErrors = {
    /**
     * Post not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetPostError = GetPostErrors[keyof GetPostErrors];

export type GetPostResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        post: CommunityPostDetail;
    };
};

export type GetPostResponse = GetPostResponses[keyof GetPostResponses];

export type UpdatePostData = {
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

export type UpdatePostErrors = {
    /**
     * Title and content are required · Invalid request data
     */
    400: ErrorReply;
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Not authorized
     */
    403: ErrorReply;
    /**
     * Post not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdatePostError = UpdatePostErrors[keyof UpdatePostErrors];

export type UpdatePostResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        post: CommunityPost;
    };
};

export type UpdatePostResponse = UpdatePostResponses[keyof UpdatePostResponses];

export type TogglePostUpvoteData = {
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

export type TogglePostUpvoteErrors = {
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Post not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type TogglePostUpvoteError = TogglePostUpvoteErrors[keyof TogglePostUpvoteErrors];

export type TogglePostUpvoteResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        upvoteCount: number;
        isUpvoted: boolean;
    };
};

export type TogglePostUpvoteResponse = TogglePostUpvoteResponses[keyof TogglePostUpvoteResponses];

export type TogglePostResolvedData = {
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

export type TogglePostResolvedErrors = {
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Not authorized
     */
    403: ErrorReply;
    /**
     * Post not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type TogglePostResolvedError = TogglePostResolvedErrors[keyof TogglePostResolvedErrors];

export type TogglePostResolvedResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        isResolved: boolean;
    };
};

export type TogglePostResolvedResponse = TogglePostResolvedResponses[keyof TogglePostResolvedResponses];

export type ReportPostData = {
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

export type ReportPostErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Post not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReportPostError = ReportPostErrors[keyof ReportPostErrors];

export type ReportPostResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type ReportPostResponse = ReportPostResponses[keyof ReportPostResponses];

export type CreateReplyData = {
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

export type CreateReplyErrors = {
    /**
     * Reply content is required · Invalid request data
     */
    400: ErrorReply;
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Post not found · User not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many community actions. Please slow down.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateReplyError = CreateReplyErrors[keyof CreateReplyErrors];

export type CreateReplyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        reply: CommunityReply;
    };
};

export type CreateReplyResponse = CreateReplyResponses[keyof CreateReplyResponses];

export type DeleteReplyData = {
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

export type DeleteReplyErrors = {
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Not authorized
     */
    403: ErrorReply;
    /**
     * Post not found · Reply not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DeleteReplyError = DeleteReplyErrors[keyof DeleteReplyErrors];

export type DeleteReplyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteReplyResponse = DeleteReplyResponses[keyof DeleteReplyResponses];

export type UpdateReplyData = {
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

export type UpdateReplyErrors = {
    /**
     * Reply content is required · Invalid request data
     */
    400: ErrorReply;
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Not authorized
     */
    403: ErrorReply;
    /**
     * Post not found · Reply not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateReplyError = UpdateReplyErrors[keyof UpdateReplyErrors];

export type UpdateReplyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        reply: CommunityReply;
    };
};

export type UpdateReplyResponse = UpdateReplyResponses[keyof UpdateReplyResponses];

export type ToggleReplyUpvoteData = {
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

export type ToggleReplyUpvoteErrors = {
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Reply not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ToggleReplyUpvoteError = ToggleReplyUpvoteErrors[keyof ToggleReplyUpvoteErrors];

export type ToggleReplyUpvoteResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        upvoteCount: number;
        isUpvoted: boolean;
    };
};

export type ToggleReplyUpvoteResponse = ToggleReplyUpvoteResponses[keyof ToggleReplyUpvoteResponses];

export type ToggleAcceptedReplyData = {
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

export type ToggleAcceptedReplyErrors = {
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Only the post author can accept an answer
     */
    403: ErrorReply;
    /**
     * Post not found · Reply not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ToggleAcceptedReplyError = ToggleAcceptedReplyErrors[keyof ToggleAcceptedReplyErrors];

export type ToggleAcceptedReplyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        isAcceptedAnswer: boolean;
        postResolved: boolean;
    };
};

export type ToggleAcceptedReplyResponse = ToggleAcceptedReplyResponses[keyof ToggleAcceptedReplyResponses];

export type ReportReplyData = {
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

export type ReportReplyErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Authentication required
     */
    401: ErrorReply;
    /**
     * Post not found · Reply not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ReportReplyError = ReportReplyErrors[keyof ReportReplyErrors];

export type ReportReplyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type ReportReplyResponse = ReportReplyResponses[keyof ReportReplyResponses];

export type ApplyAsEducatorData = {
    body: {
        professionalTitle: string;
        bio: string;
        expertise: Array<string>;
        /**
         * empty, or http or https, without user information
         */
        linkedinUrl?: string;
    };
    path?: never;
    query?: never;
    url: '/api/educator/apply';
};

export type ApplyAsEducatorErrors = {
    /**
     * Please fill in all required fields. · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * You already have a pending application. · Your application has already been approved.
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ApplyAsEducatorError = ApplyAsEducatorErrors[keyof ApplyAsEducatorErrors];

export type ApplyAsEducatorResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: string;
    };
};

export type ApplyAsEducatorResponse = ApplyAsEducatorResponses[keyof ApplyAsEducatorResponses];

export type GetOwnApplicationData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/educator/application-status';
};

export type GetOwnApplicationErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetOwnApplicationError = GetOwnApplicationErrors[keyof GetOwnApplicationErrors];

export type GetOwnApplicationResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        application: OwnApplication | null;
    };
};

export type GetOwnApplicationResponse = GetOwnApplicationResponses[keyof GetOwnApplicationResponses];

export type CreateCourseData = {
    body: {
        /**
         * JSON text of the course, up to 1 MiB beside texts of 2 MiB
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

export type CreateCourseErrors = {
    /**
     * Thumbnail Not Attached · Thumbnail must be a JPEG, PNG or WebP image · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateCourseError = CreateCourseErrors[keyof CreateCourseErrors];

export type CreateCourseResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Course Added Succesfully';
        courseId: string;
    };
};

export type CreateCourseResponse = CreateCourseResponses[keyof CreateCourseResponses];

export type ListEducatorCoursesData = {
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

export type ListEducatorCoursesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEducatorCoursesError = ListEducatorCoursesErrors[keyof ListEducatorCoursesErrors];

export type ListEducatorCoursesResponses = {
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

export type ListEducatorCoursesResponse = ListEducatorCoursesResponses[keyof ListEducatorCoursesResponses];

export type GetEducatorCourseData = {
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

export type GetEducatorCourseErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetEducatorCourseError = GetEducatorCourseErrors[keyof GetEducatorCourseErrors];

export type GetEducatorCourseResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        course: OwnCourseDetail;
    };
};

export type GetEducatorCourseResponse = GetEducatorCourseResponses[keyof GetEducatorCourseResponses];

export type UpdateCourseData = {
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
                 * http or https, without user information; absent in an edit: the existing lecture keeps its address; empty: the same, or no video if the lecture has blocks after the edit
                 */
                lectureUrl?: string;
                isPreviewFree: boolean;
                lectureOrder: number;
                /**
                 * absent in an edit: an existing lecture keeps its blocks; empty: no blocks
                 */
                blocks?: Array<{
                    kind: 'text';
                    /**
                     * Markdown
                     */
                    text: string;
                } | {
                    kind: 'video';
                    /**
                     * http or https, without user information
                     */
                    url: string;
                    captions?: Array<{
                        /**
                         * BCP 47
                         */
                        language: string;
                        /**
                         * http or https, without user information
                         */
                        url: string;
                    }>;
                } | {
                    kind: 'file';
                    /**
                     * object id, 24 hex digits
                     */
                    resourceId: string;
                } | {
                    kind: 'embed';
                    /**
                     * https, of a host in `EMBED_HOSTS`; the page of a video on a usual host is stored as its player
                     */
                    url: string;
                } | {
                    kind: 'quiz';
                    chapterId: string;
                }>;
            }>;
            /**
             * days after the enrollment until the lectures open; null: at once
             */
            releaseAfterDays?: number | null;
        }>;
        subtitle?: string | null;
        category?: string | null;
        tags?: Array<string> | null;
        level?: 'beginner' | 'intermediate' | 'advanced' | 'all' | null;
        language?: string | null;
        outcomes?: Array<string> | null;
        requirements?: Array<string> | null;
        isPublished?: boolean;
        /**
         * name in addresses; the former one leads to it and stays reserved
         */
        slug?: string;
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

export type UpdateCourseErrors = {
    /**
     * Thumbnail must be a JPEG, PNG or WebP image · Add at least one lecture before publishing · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Course was changed by someone else · Slug is taken
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateCourseError = UpdateCourseErrors[keyof UpdateCourseErrors];

export type UpdateCourseResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        course: OwnCourseDetail;
    };
};

export type UpdateCourseResponse = UpdateCourseResponses[keyof UpdateCourseResponses];

export type TogglePublishedData = {
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

export type TogglePublishedErrors = {
    /**
     * Add at least one lecture before publishing · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type TogglePublishedError = TogglePublishedErrors[keyof TogglePublishedErrors];

export type TogglePublishedResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        isPublished: boolean;
        version: number;
    };
};

export type TogglePublishedResponse = TogglePublishedResponses[keyof TogglePublishedResponses];

export type ListPathsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * literal, case-insensitive match in title or subtitle
         */
        q?: string;
        educatorId?: string;
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/paths';
};

export type ListPathsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListPathsError = ListPathsErrors[keyof ListPathsErrors];

export type ListPathsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        paths: Array<Path>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListPathsResponse = ListPathsResponses[keyof ListPathsResponses];

export type GetPathData = {
    body?: never;
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/paths/{pathId}';
};

export type GetPathErrors = {
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetPathError = GetPathErrors[keyof GetPathErrors];

export type GetPathResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        path: Path;
    };
};

export type GetPathResponse = GetPathResponses[keyof GetPathResponses];

export type ListEducatorPathsData = {
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
    url: '/api/educator/paths';
};

export type ListEducatorPathsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEducatorPathsError = ListEducatorPathsErrors[keyof ListEducatorPathsErrors];

export type ListEducatorPathsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        paths: Array<ManagedPath>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListEducatorPathsResponse = ListEducatorPathsResponses[keyof ListEducatorPathsResponses];

export type CreatePathData = {
    body: {
        title: string;
        subtitle?: string | null;
        /**
         * Markdown
         */
        description?: string;
        /**
         * different ones of the educator's own, in order
         */
        courseIds: Array<string>;
        /**
         * whether the courses open one after another
         */
        inOrder?: boolean;
        /**
         * major unit; null: not for sale
         */
        price?: number | null;
        isPublished?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/educator/paths';
};

export type CreatePathErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Publish its courses first · Too many paths
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreatePathError = CreatePathErrors[keyof CreatePathErrors];

export type CreatePathResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        path: Path;
    };
};

export type CreatePathResponse = CreatePathResponses[keyof CreatePathResponses];

export type DeletePathData = {
    body?: never;
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}';
};

export type DeletePathErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * Path has learners
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DeletePathError = DeletePathErrors[keyof DeletePathErrors];

export type DeletePathResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeletePathResponse = DeletePathResponses[keyof DeletePathResponses];

export type UpdatePathData = {
    body: {
        title?: string;
        subtitle?: string | null;
        /**
         * Markdown
         */
        description?: string;
        /**
         * different ones of the educator's own, in order
         */
        courseIds?: Array<string>;
        /**
         * whether the courses open one after another
         */
        inOrder?: boolean;
        /**
         * major unit; null: not for sale
         */
        price?: number | null;
        isPublished?: boolean;
        /**
         * name in addresses; the former one leads to it and stays reserved
         */
        slug?: string;
        version: number;
    };
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}';
};

export type UpdatePathErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Path not found
     */
    404: ErrorReply;
    /**
     * Path was changed by someone else · Publish its courses first · Slug is taken
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdatePathError = UpdatePathErrors[keyof UpdatePathErrors];

export type UpdatePathResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        path: Path;
    };
};

export type UpdatePathResponse = UpdatePathResponses[keyof UpdatePathResponses];

export type ListAdminPathsData = {
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
    url: '/api/admin/paths';
};

export type ListAdminPathsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListAdminPathsError = ListAdminPathsErrors[keyof ListAdminPathsErrors];

export type ListAdminPathsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        paths: Array<ManagedPath>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListAdminPathsResponse = ListAdminPathsResponses[keyof ListAdminPathsResponses];

export type AnnounceData = {
    body: {
        title: string;
        /**
         * Markdown
         */
        body: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/announcements';
};

export type AnnounceErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many announcements · Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type AnnounceError = AnnounceErrors[keyof AnnounceErrors];

export type AnnounceResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        announcement: Announcement;
    };
};

export type AnnounceResponse = AnnounceResponses[keyof AnnounceResponses];

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
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
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

export type ListEnrolledStudentsData = {
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

export type ListEnrolledStudentsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEnrolledStudentsError = ListEnrolledStudentsErrors[keyof ListEnrolledStudentsErrors];

export type ListEnrolledStudentsResponses = {
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

export type ListEnrolledStudentsResponse = ListEnrolledStudentsResponses[keyof ListEnrolledStudentsResponses];

export type ExportEnrolledStudentsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/educator/enrolled-students.csv';
};

export type ExportEnrolledStudentsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ExportEnrolledStudentsError = ExportEnrolledStudentsErrors[keyof ExportEnrolledStudentsErrors];

export type ExportEnrolledStudentsResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type ExportEnrolledStudentsResponse = ExportEnrolledStudentsResponses[keyof ExportEnrolledStudentsResponses];

export type GetPlatformStatsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/admin/stats';
};

export type GetPlatformStatsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetPlatformStatsError = GetPlatformStatsErrors[keyof GetPlatformStatsErrors];

export type GetPlatformStatsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        stats: PlatformStats;
    };
};

export type GetPlatformStatsResponse = GetPlatformStatsResponses[keyof GetPlatformStatsResponses];

export type GetPlatformChartsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/admin/chart-data';
};

export type GetPlatformChartsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetPlatformChartsError = GetPlatformChartsErrors[keyof GetPlatformChartsErrors];

export type GetPlatformChartsResponses = {
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

export type GetPlatformChartsResponse = GetPlatformChartsResponses[keyof GetPlatformChartsResponses];

export type ListAdminCoursesData = {
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

export type ListAdminCoursesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListAdminCoursesError = ListAdminCoursesErrors[keyof ListAdminCoursesErrors];

export type ListAdminCoursesResponses = {
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

export type ListAdminCoursesResponse = ListAdminCoursesResponses[keyof ListAdminCoursesResponses];

export type ListAdminPurchasesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * all, created, pending, completed, failed, refunded; any other matches nothing
         */
        status?: string;
        /**
         * only purchases with an open reason for a review
         */
        flagged?: 'true';
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

export type ListAdminPurchasesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListAdminPurchasesError = ListAdminPurchasesErrors[keyof ListAdminPurchasesErrors];

export type ListAdminPurchasesResponses = {
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

export type ListAdminPurchasesResponse = ListAdminPurchasesResponses[keyof ListAdminPurchasesResponses];

export type ListUsersData = {
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

export type ListUsersErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListUsersError = ListUsersErrors[keyof ListUsersErrors];

export type ListUsersResponses = {
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

export type ListUsersResponse = ListUsersResponses[keyof ListUsersResponses];

export type ListAuditEntriesData = {
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

export type ListAuditEntriesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListAuditEntriesError = ListAuditEntriesErrors[keyof ListAuditEntriesErrors];

export type ListAuditEntriesResponses = {
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

export type ListAuditEntriesResponse = ListAuditEntriesResponses[keyof ListAuditEntriesResponses];

export type ExportPurchasesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * all, created, pending, completed, failed, refunded; any other matches nothing
         */
        status?: string;
        /**
         * only purchases with an open reason for a review
         */
        flagged?: 'true';
    };
    url: '/api/admin/purchases.csv';
};

export type ExportPurchasesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ExportPurchasesError = ExportPurchasesErrors[keyof ExportPurchasesErrors];

export type ExportPurchasesResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type ExportPurchasesResponse = ExportPurchasesResponses[keyof ExportPurchasesResponses];

export type ListApplicationsData = {
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

export type ListApplicationsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListApplicationsError = ListApplicationsErrors[keyof ListApplicationsErrors];

export type ListApplicationsResponses = {
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

export type ListApplicationsResponse = ListApplicationsResponses[keyof ListApplicationsResponses];

export type ApproveApplicationData = {
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

export type ApproveApplicationErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Application not found.
     */
    404: ErrorReply;
    /**
     * Application has already been reviewed. · Applicant is an administrator.
     */
    409: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ApproveApplicationError = ApproveApplicationErrors[keyof ApproveApplicationErrors];

export type ApproveApplicationResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Application approved. Educator role granted.';
    };
};

export type ApproveApplicationResponse = ApproveApplicationResponses[keyof ApproveApplicationResponses];

export type RejectApplicationData = {
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

export type RejectApplicationErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Application not found.
     */
    404: ErrorReply;
    /**
     * Application has already been reviewed.
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RejectApplicationError = RejectApplicationErrors[keyof RejectApplicationErrors];

export type RejectApplicationResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Application rejected.';
    };
};

export type RejectApplicationResponse = RejectApplicationResponses[keyof RejectApplicationResponses];

export type AskTutorData = {
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

export type AskTutorErrors = {
    /**
     * Missing message · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please wait a moment before sending another message.
     */
    429: ErrorReply;
    /**
     * Failed to generate AI response.
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type AskTutorError = AskTutorErrors[keyof AskTutorErrors];

export type AskTutorResponses = {
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

export type AskTutorResponse = AskTutorResponses[keyof AskTutorResponses];

export type ListChatsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/previous-chats';
};

export type ListChatsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * Error while fetching conversations
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListChatsError = ListChatsErrors[keyof ListChatsErrors];

export type ListChatsResponses = {
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

export type ListChatsResponse = ListChatsResponses[keyof ListChatsResponses];

export type DeleteChatData = {
    body?: never;
    path: {
        sessionId: string;
    };
    query?: never;
    url: '/api/user/chat/{sessionId}';
};

export type DeleteChatErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Chat not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * Error while deleting conversation
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DeleteChatError = DeleteChatErrors[keyof DeleteChatErrors];

export type DeleteChatResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        message: 'Chat deleted successfully';
    };
};

export type DeleteChatResponse = DeleteChatResponses[keyof DeleteChatResponses];

export type GetChatData = {
    body?: never;
    path: {
        sessionId: string;
    };
    query?: never;
    url: '/api/user/chat/{sessionId}';
};

export type GetChatErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Chat session not found
     */
    404: ErrorReply;
    /**
     * Error while fetching conversation
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetChatError = GetChatErrors[keyof GetChatErrors];

export type GetChatResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        _id: string;
        messages: Array<ChatMessage>;
    };
};

export type GetChatResponse = GetChatResponses[keyof GetChatResponses];

export type GeneratePersonalRoadmapData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/generate-personal-roadmap';
};

export type GeneratePersonalRoadmapErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * User not found · No enrolled courses found. Enroll in some courses first.
     */
    404: ErrorReply;
    /**
     * Too many generation requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * Failed to parse AI response. Please try again. · An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GeneratePersonalRoadmapError = GeneratePersonalRoadmapErrors[keyof GeneratePersonalRoadmapErrors];

export type GeneratePersonalRoadmapResponses = {
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

export type GeneratePersonalRoadmapResponse = GeneratePersonalRoadmapResponses[keyof GeneratePersonalRoadmapResponses];

export type GenerateCustomRoadmapData = {
    body: {
        topic: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/generate-custom-roadmap';
};

export type GenerateCustomRoadmapErrors = {
    /**
     * Please provide a valid topic (at least 2 characters). · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many generation requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * Failed to parse AI response. Please try again. · An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GenerateCustomRoadmapError = GenerateCustomRoadmapErrors[keyof GenerateCustomRoadmapErrors];

export type GenerateCustomRoadmapResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        roadmap: Roadmap;
    };
};

export type GenerateCustomRoadmapResponse = GenerateCustomRoadmapResponses[keyof GenerateCustomRoadmapResponses];

export type DeleteAssessmentData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        chapterId: string;
    };
    query?: never;
    url: '/api/educator/courses/{courseId}/chapters/{chapterId}/assessment';
};

export type DeleteAssessmentErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Assessment not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DeleteAssessmentError = DeleteAssessmentErrors[keyof DeleteAssessmentErrors];

export type DeleteAssessmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteAssessmentResponse = DeleteAssessmentResponses[keyof DeleteAssessmentResponses];

export type PutAssessmentData = {
    body: {
        /**
         * that of the chapter by default
         */
        title?: string;
        /**
         * ids of questions of the educator's bank, in order
         */
        questionIds?: Array<string>;
        /**
         * questions that each attempt draws from the bank by their tags, 500 at most
         */
        draw?: Array<{
            tag: string;
            count: number;
        }>;
        passPercent: number;
        /**
         * null: any number
         */
        maxAttempts: number | null;
        /**
         * pause after an attempt
         */
        cooldownMinutes: number;
        /**
         * null: none
         */
        timeLimitMinutes: number | null;
        /**
         * shows questions and options in another order to each attempt
         */
        shuffle: boolean;
        showAnswers: 'never' | 'after_attempt' | 'after_pass';
        /**
         * whether the course completes only when it is passed
         */
        requiredForCompletion: boolean;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        chapterId: string;
    };
    query?: never;
    url: '/api/educator/courses/{courseId}/chapters/{chapterId}/assessment';
};

export type PutAssessmentErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Chapter not found · Question not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type PutAssessmentError = PutAssessmentErrors[keyof PutAssessmentErrors];

export type PutAssessmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        assessment: Assessment;
    };
};

export type PutAssessmentResponse = PutAssessmentResponses[keyof PutAssessmentResponses];

export type GetAssessmentData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        chapterId: string;
    };
    query?: never;
    url: '/api/quiz/assessments/{courseId}/{chapterId}';
};

export type GetAssessmentErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased · Complete the previous course first · Lecture is not open yet
     */
    403: ErrorReply;
    /**
     * Course not found · Assessment not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetAssessmentError = GetAssessmentErrors[keyof GetAssessmentErrors];

export type GetAssessmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        assessment: AssessmentView;
    };
};

export type GetAssessmentResponse = GetAssessmentResponses[keyof GetAssessmentResponses];

export type StartAttemptData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        chapterId: string;
    };
    query?: never;
    url: '/api/quiz/assessments/{courseId}/{chapterId}/attempts';
};

export type StartAttemptErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased · Complete the previous course first · Lecture is not open yet
     */
    403: ErrorReply;
    /**
     * Course not found · Assessment not found
     */
    404: ErrorReply;
    /**
     * No attempts left · Please wait before the next attempt · Assessment has no questions
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type StartAttemptError = StartAttemptErrors[keyof StartAttemptErrors];

export type StartAttemptResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        attempt: Attempt;
    };
};

export type StartAttemptResponse = StartAttemptResponses[keyof StartAttemptResponses];

export type SaveAnswersData = {
    body: {
        answers: {
            [key: string]: unknown;
        };
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        attemptId: string;
    };
    query?: never;
    url: '/api/quiz/attempts/{attemptId}/answers';
};

export type SaveAnswersErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Complete the previous course first
     */
    403: ErrorReply;
    /**
     * Attempt not found
     */
    404: ErrorReply;
    /**
     * The attempt is over
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type SaveAnswersError = SaveAnswersErrors[keyof SaveAnswersErrors];

export type SaveAnswersResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        savedAt: string;
    };
};

export type SaveAnswersResponse = SaveAnswersResponses[keyof SaveAnswersResponses];

export type SubmitAttemptData = {
    body: {
        answers?: {
            [key: string]: unknown;
        };
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        attemptId: string;
    };
    query?: never;
    url: '/api/quiz/attempts/{attemptId}/submit';
};

export type SubmitAttemptErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Complete the previous course first
     */
    403: ErrorReply;
    /**
     * Attempt not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type SubmitAttemptError = SubmitAttemptErrors[keyof SubmitAttemptErrors];

export type SubmitAttemptResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        result: AttemptResult;
    };
};

export type SubmitAttemptResponse = SubmitAttemptResponses[keyof SubmitAttemptResponses];

export type GetAttemptData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        attemptId: string;
    };
    query?: never;
    url: '/api/quiz/attempts/{attemptId}';
};

export type GetAttemptErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Complete the previous course first
     */
    403: ErrorReply;
    /**
     * Attempt not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetAttemptError = GetAttemptErrors[keyof GetAttemptErrors];

export type GetAttemptResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        attempt: Attempt;
        /**
         * absent while the attempt is open
         */
        result?: AttemptResult;
    };
};

export type GetAttemptResponse = GetAttemptResponses[keyof GetAttemptResponses];

export type GenerateQuizData = {
    body: {
        courseId: string;
        chapterId: string;
    };
    path?: never;
    query?: never;
    url: '/api/quiz/generate';
};

export type GenerateQuizErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Chapter not found
     */
    404: ErrorReply;
    /**
     * This chapter has an assessment
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many generation requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GenerateQuizError = GenerateQuizErrors[keyof GenerateQuizErrors];

export type GenerateQuizResponses = {
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

export type GenerateQuizResponse = GenerateQuizResponses[keyof GenerateQuizResponses];

export type SubmitQuizData = {
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

export type SubmitQuizErrors = {
    /**
     * Answer count does not match question count · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased · Complete the previous course first · Lecture is not open yet
     */
    403: ErrorReply;
    /**
     * Course not found · Quiz not found
     */
    404: ErrorReply;
    /**
     * This chapter has an assessment
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many quiz submissions. Please wait before trying again.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type SubmitQuizError = SubmitQuizErrors[keyof SubmitQuizErrors];

export type SubmitQuizResponses = {
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

export type SubmitQuizResponse = SubmitQuizResponses[keyof SubmitQuizResponses];

export type ListQuizResultsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/quiz/my-results';
};

export type ListQuizResultsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListQuizResultsError = ListQuizResultsErrors[keyof ListQuizResultsErrors];

export type ListQuizResultsResponses = {
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

export type ListQuizResultsResponse = ListQuizResultsResponses[keyof ListQuizResultsResponses];

export type GetQuizInsightsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/quiz/educator-insights';
};

export type GetQuizInsightsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetQuizInsightsError = GetQuizInsightsErrors[keyof GetQuizInsightsErrors];

export type GetQuizInsightsResponses = {
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

export type GetQuizInsightsResponse = GetQuizInsightsResponses[keyof GetQuizInsightsResponses];

export type ListCourseQuizResultsData = {
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

export type ListCourseQuizResultsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListCourseQuizResultsError = ListCourseQuizResultsErrors[keyof ListCourseQuizResultsErrors];

export type ListCourseQuizResultsResponses = {
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

export type ListCourseQuizResultsResponse = ListCourseQuizResultsResponses[keyof ListCourseQuizResultsResponses];

export type ListChapterQuizResultsData = {
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

export type ListChapterQuizResultsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListChapterQuizResultsError = ListChapterQuizResultsErrors[keyof ListChapterQuizResultsErrors];

export type ListChapterQuizResultsResponses = {
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

export type ListChapterQuizResultsResponse = ListChapterQuizResultsResponses[keyof ListChapterQuizResultsResponses];

export type GetQuizData = {
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

export type GetQuizErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not purchased · Complete the previous course first · Lecture is not open yet
     */
    403: ErrorReply;
    /**
     * Course not found · Chapter not found
     */
    404: ErrorReply;
    /**
     * This chapter has an assessment
     */
    409: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetQuizError = GetQuizErrors[keyof GetQuizErrors];

export type GetQuizResponses = {
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

export type GetQuizResponse = GetQuizResponses[keyof GetQuizResponses];

export type ListQuestionsData = {
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
        tag?: string;
        kind?: 'single' | 'multiple' | 'boolean' | 'number' | 'text' | 'order';
        /**
         * literal, case-insensitive match in the prompt
         */
        q?: string;
    };
    url: '/api/educator/questions';
};

export type ListQuestionsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListQuestionsError = ListQuestionsErrors[keyof ListQuestionsErrors];

export type ListQuestionsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        questions: Array<({
            kind: 'single';
        } & SingleQuestion) | ({
            kind: 'multiple';
        } & MultipleQuestion) | ({
            kind: 'boolean';
        } & BooleanQuestion) | ({
            kind: 'number';
        } & NumberQuestion) | ({
            kind: 'text';
        } & TextQuestion) | ({
            kind: 'order';
        } & OrderQuestion)>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListQuestionsResponse = ListQuestionsResponses[keyof ListQuestionsResponses];

export type CreateQuestionData = {
    body: {
        kind: 'single';
        /**
         * Markdown
         */
        prompt: string;
        points?: number;
        explanation?: string;
        tags?: Array<string>;
        options: Array<{
            id: string;
            text: string;
        }>;
        /**
         * id of the right option
         */
        correct: string;
    } | {
        kind: 'multiple';
        /**
         * Markdown
         */
        prompt: string;
        points?: number;
        explanation?: string;
        tags?: Array<string>;
        options: Array<{
            id: string;
            text: string;
        }>;
        /**
         * ids of the right options
         */
        correct: Array<string>;
        /**
         * points for a part: (right − wrong) / all right ones
         */
        partial?: boolean;
    } | {
        kind: 'boolean';
        /**
         * Markdown
         */
        prompt: string;
        points?: number;
        explanation?: string;
        tags?: Array<string>;
        correct: boolean;
    } | {
        kind: 'number';
        /**
         * Markdown
         */
        prompt: string;
        points?: number;
        explanation?: string;
        tags?: Array<string>;
        correct: number;
        tolerance?: number;
    } | {
        kind: 'text';
        /**
         * Markdown
         */
        prompt: string;
        points?: number;
        explanation?: string;
        tags?: Array<string>;
        accepted: Array<string>;
        caseSensitive?: boolean;
    } | {
        kind: 'order';
        /**
         * Markdown
         */
        prompt: string;
        points?: number;
        explanation?: string;
        tags?: Array<string>;
        /**
         * in the right order
         */
        items: Array<{
            id: string;
            text: string;
        }>;
    };
    path?: never;
    query?: never;
    url: '/api/educator/questions';
};

export type CreateQuestionErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many questions
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateQuestionError = CreateQuestionErrors[keyof CreateQuestionErrors];

export type CreateQuestionResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        question: ({
            kind: 'single';
        } & SingleQuestion) | ({
            kind: 'multiple';
        } & MultipleQuestion) | ({
            kind: 'boolean';
        } & BooleanQuestion) | ({
            kind: 'number';
        } & NumberQuestion) | ({
            kind: 'text';
        } & TextQuestion) | ({
            kind: 'order';
        } & OrderQuestion);
    };
};

export type CreateQuestionResponse = CreateQuestionResponses[keyof CreateQuestionResponses];

export type ImportQuestionsData = {
    body: string;
    path?: never;
    query?: never;
    url: '/api/educator/questions/import';
};

export type ImportQuestionsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many questions
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ImportQuestionsError = ImportQuestionsErrors[keyof ImportQuestionsErrors];

export type ImportQuestionsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        imported: number;
        skipped: Array<{
            /**
             * from 1
             */
            line: number;
            message: string;
        }>;
    };
};

export type ImportQuestionsResponse = ImportQuestionsResponses[keyof ImportQuestionsResponses];

export type ExportQuestionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/educator/questions/export.gift';
};

export type ExportQuestionsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ExportQuestionsError = ExportQuestionsErrors[keyof ExportQuestionsErrors];

export type ExportQuestionsResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type ExportQuestionsResponse = ExportQuestionsResponses[keyof ExportQuestionsResponses];

export type DeleteQuestionData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/questions/{id}';
};

export type DeleteQuestionErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Question not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DeleteQuestionError = DeleteQuestionErrors[keyof DeleteQuestionErrors];

export type DeleteQuestionResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteQuestionResponse = DeleteQuestionResponses[keyof DeleteQuestionResponses];

export type GetQuestionData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/questions/{id}';
};

export type GetQuestionErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Question not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetQuestionError = GetQuestionErrors[keyof GetQuestionErrors];

export type GetQuestionResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        question: ({
            kind: 'single';
        } & SingleQuestion) | ({
            kind: 'multiple';
        } & MultipleQuestion) | ({
            kind: 'boolean';
        } & BooleanQuestion) | ({
            kind: 'number';
        } & NumberQuestion) | ({
            kind: 'text';
        } & TextQuestion) | ({
            kind: 'order';
        } & OrderQuestion);
    };
};

export type GetQuestionResponse = GetQuestionResponses[keyof GetQuestionResponses];

export type UpdateQuestionData = {
    /**
     * Any fields of the question. With another `kind`, all fields of that kind
     */
    body: {
        kind?: 'single' | 'multiple' | 'boolean' | 'number' | 'text' | 'order';
        /**
         * Markdown
         */
        prompt?: string;
        points?: number;
        explanation?: string;
        tags?: Array<string>;
        [key: string]: unknown;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/questions/{id}';
};

export type UpdateQuestionErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Question not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateQuestionError = UpdateQuestionErrors[keyof UpdateQuestionErrors];

export type UpdateQuestionResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        question: ({
            kind: 'single';
        } & SingleQuestion) | ({
            kind: 'multiple';
        } & MultipleQuestion) | ({
            kind: 'boolean';
        } & BooleanQuestion) | ({
            kind: 'number';
        } & NumberQuestion) | ({
            kind: 'text';
        } & TextQuestion) | ({
            kind: 'order';
        } & OrderQuestion);
    };
};

export type UpdateQuestionResponse = UpdateQuestionResponses[keyof UpdateQuestionResponses];

export type RemovePostData = {
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

export type RemovePostErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Post not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemovePostError = RemovePostErrors[keyof RemovePostErrors];

export type RemovePostResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemovePostResponse = RemovePostResponses[keyof RemovePostResponses];

export type RemoveReplyData = {
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

export type RemoveReplyErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Reply not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemoveReplyError = RemoveReplyErrors[keyof RemoveReplyErrors];

export type RemoveReplyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemoveReplyResponse = RemoveReplyResponses[keyof RemoveReplyResponses];

export type RemoveGroupData = {
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

export type RemoveGroupErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Group not found
     */
    404: ErrorReply;
    /**
     * Default groups stay
     */
    409: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemoveGroupError = RemoveGroupErrors[keyof RemoveGroupErrors];

export type RemoveGroupResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemoveGroupResponse = RemoveGroupResponses[keyof RemoveGroupResponses];

export type ListReportsData = {
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

export type ListReportsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListReportsError = ListReportsErrors[keyof ListReportsErrors];

export type ListReportsResponses = {
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

export type ListReportsResponse = ListReportsResponses[keyof ListReportsResponses];

export type ResolveReportData = {
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

export type ResolveReportErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Report not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ResolveReportError = ResolveReportErrors[keyof ResolveReportErrors];

export type ResolveReportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type ResolveReportResponse = ResolveReportResponses[keyof ResolveReportResponses];

export type ListAdminCouponsData = {
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

export type ListAdminCouponsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListAdminCouponsError = ListAdminCouponsErrors[keyof ListAdminCouponsErrors];

export type ListAdminCouponsResponses = {
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

export type ListAdminCouponsResponse = ListAdminCouponsResponses[keyof ListAdminCouponsResponses];

export type CreateAdminCouponData = {
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
         * absent with `pathIds`: no course
         */
        courseIds?: Array<string>;
        /**
         * absent with `courseIds`: no path
         */
        pathIds?: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/admin/coupons';
};

export type CreateAdminCouponErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Path not found
     */
    404: ErrorReply;
    /**
     * Coupon code already exists
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateAdminCouponError = CreateAdminCouponErrors[keyof CreateAdminCouponErrors];

export type CreateAdminCouponResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupon: Coupon;
    };
};

export type CreateAdminCouponResponse = CreateAdminCouponResponses[keyof CreateAdminCouponResponses];

export type UpdateAdminCouponData = {
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

export type UpdateAdminCouponErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Coupon not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateAdminCouponError = UpdateAdminCouponErrors[keyof UpdateAdminCouponErrors];

export type UpdateAdminCouponResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupon: Coupon;
    };
};

export type UpdateAdminCouponResponse = UpdateAdminCouponResponses[keyof UpdateAdminCouponResponses];

export type ListCouponsData = {
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

export type ListCouponsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListCouponsError = ListCouponsErrors[keyof ListCouponsErrors];

export type ListCouponsResponses = {
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

export type ListCouponsResponse = ListCouponsResponses[keyof ListCouponsResponses];

export type CreateCouponData = {
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
         * absent with `pathIds`: no course
         */
        courseIds?: Array<string>;
        /**
         * absent with `courseIds`: no path
         */
        pathIds?: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/educator/coupons';
};

export type CreateCouponErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Coupon code already exists
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateCouponError = CreateCouponErrors[keyof CreateCouponErrors];

export type CreateCouponResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupon: Coupon;
    };
};

export type CreateCouponResponse = CreateCouponResponses[keyof CreateCouponResponses];

export type UpdateCouponData = {
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

export type UpdateCouponErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Coupon not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateCouponError = UpdateCouponErrors[keyof UpdateCouponErrors];

export type UpdateCouponResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        coupon: Coupon;
    };
};

export type UpdateCouponResponse = UpdateCouponResponses[keyof UpdateCouponResponses];

export type CheckCouponData = {
    body: {
        courseId?: string;
        /**
         * instead of `courseId`
         */
        pathId?: string;
        code: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/coupon/check';
};

export type CheckCouponErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Course not found · Path not found · Coupon not valid
     */
    404: ErrorReply;
    /**
     * Path is not for sale
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many payment attempts. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
};

export type CheckCouponError = CheckCouponErrors[keyof CheckCouponErrors];

export type CheckCouponResponses = {
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

export type CheckCouponResponse = CheckCouponResponses[keyof CheckCouponResponses];

export type ListOrdersData = {
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

export type ListOrdersErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListOrdersError = ListOrdersErrors[keyof ListOrdersErrors];

export type ListOrdersResponses = {
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

export type ListOrdersResponse = ListOrdersResponses[keyof ListOrdersResponses];

export type GetInvoiceData = {
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

export type GetInvoiceErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Invoice not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetInvoiceError = GetInvoiceErrors[keyof GetInvoiceErrors];

export type GetInvoiceResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetInvoiceResponse = GetInvoiceResponses[keyof GetInvoiceResponses];

export type GetAdminInvoiceData = {
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

export type GetAdminInvoiceErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Invoice not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetAdminInvoiceError = GetAdminInvoiceErrors[keyof GetAdminInvoiceErrors];

export type GetAdminInvoiceResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetAdminInvoiceResponse = GetAdminInvoiceResponses[keyof GetAdminInvoiceResponses];

export type ListAdminEnrollmentsData = {
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

export type ListAdminEnrollmentsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListAdminEnrollmentsError = ListAdminEnrollmentsErrors[keyof ListAdminEnrollmentsErrors];

export type ListAdminEnrollmentsResponses = {
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

export type ListAdminEnrollmentsResponse = ListAdminEnrollmentsResponses[keyof ListAdminEnrollmentsResponses];

export type CreateAdminEnrollmentData = {
    body: {
        userId?: string;
        /**
         * either `userId` or `email`; a grant to an unknown address waits for its user
         */
        email?: string;
        reason: string;
        /**
         * absent: for good; a date without time: the end of that day in UTC
         */
        expiresAt?: string | string;
        courseId: string;
    };
    path?: never;
    query?: never;
    url: '/api/admin/enrollments';
};

export type CreateAdminEnrollmentErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * User not found · Course not found
     */
    404: ErrorReply;
    /**
     * Already enrolled
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateAdminEnrollmentError = CreateAdminEnrollmentErrors[keyof CreateAdminEnrollmentErrors];

export type CreateAdminEnrollmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollment: Enrollment;
    };
};

export type CreateAdminEnrollmentResponse = CreateAdminEnrollmentResponses[keyof CreateAdminEnrollmentResponses];

export type EndAdminEnrollmentData = {
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

export type EndAdminEnrollmentErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Enrollment not found
     */
    404: ErrorReply;
    /**
     * Refund the purchase instead · End the grant of the path instead
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type EndAdminEnrollmentError = EndAdminEnrollmentErrors[keyof EndAdminEnrollmentErrors];

export type EndAdminEnrollmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type EndAdminEnrollmentResponse = EndAdminEnrollmentResponses[keyof EndAdminEnrollmentResponses];

export type ListEnrollmentsData = {
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

export type ListEnrollmentsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEnrollmentsError = ListEnrollmentsErrors[keyof ListEnrollmentsErrors];

export type ListEnrollmentsResponses = {
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

export type ListEnrollmentsResponse = ListEnrollmentsResponses[keyof ListEnrollmentsResponses];

export type CreateEnrollmentData = {
    body: {
        userId?: string;
        /**
         * either `userId` or `email`; a grant to an unknown address waits for its user
         */
        email?: string;
        reason: string;
        /**
         * absent: for good; a date without time: the end of that day in UTC
         */
        expiresAt?: string | string;
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

export type CreateEnrollmentErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · User not found
     */
    404: ErrorReply;
    /**
     * Already enrolled
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateEnrollmentError = CreateEnrollmentErrors[keyof CreateEnrollmentErrors];

export type CreateEnrollmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollment: Enrollment;
    };
};

export type CreateEnrollmentResponse = CreateEnrollmentResponses[keyof CreateEnrollmentResponses];

export type EndEnrollmentData = {
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

export type EndEnrollmentErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Enrollment not found
     */
    404: ErrorReply;
    /**
     * Refund the purchase instead · End the grant of the path instead
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type EndEnrollmentError = EndEnrollmentErrors[keyof EndEnrollmentErrors];

export type EndEnrollmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type EndEnrollmentResponse = EndEnrollmentResponses[keyof EndEnrollmentResponses];

export type ListAdminPathEnrollmentsData = {
    body?: never;
    path: {
        pathId: string;
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
    url: '/api/admin/paths/{pathId}/enrollments';
};

export type ListAdminPathEnrollmentsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListAdminPathEnrollmentsError = ListAdminPathEnrollmentsErrors[keyof ListAdminPathEnrollmentsErrors];

export type ListAdminPathEnrollmentsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollments: Array<PathEnrollment>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListAdminPathEnrollmentsResponse = ListAdminPathEnrollmentsResponses[keyof ListAdminPathEnrollmentsResponses];

export type CreateAdminPathEnrollmentData = {
    body: {
        userId?: string;
        /**
         * either `userId` or `email`; a grant to an unknown address waits for its user
         */
        email?: string;
        reason: string;
        /**
         * absent: for good; a date without time: the end of that day in UTC
         */
        expiresAt?: string | string;
    };
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/admin/paths/{pathId}/enrollments';
};

export type CreateAdminPathEnrollmentErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · User not found
     */
    404: ErrorReply;
    /**
     * Already enrolled
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateAdminPathEnrollmentError = CreateAdminPathEnrollmentErrors[keyof CreateAdminPathEnrollmentErrors];

export type CreateAdminPathEnrollmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollment: PathEnrollment;
    };
};

export type CreateAdminPathEnrollmentResponse = CreateAdminPathEnrollmentResponses[keyof CreateAdminPathEnrollmentResponses];

export type EndAdminPathEnrollmentData = {
    body?: never;
    path: {
        pathId: string;
        enrollmentId: string;
    };
    query?: never;
    url: '/api/admin/paths/{pathId}/enrollments/{enrollmentId}';
};

export type EndAdminPathEnrollmentErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Enrollment not found
     */
    404: ErrorReply;
    /**
     * Refund the purchase instead
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type EndAdminPathEnrollmentError = EndAdminPathEnrollmentErrors[keyof EndAdminPathEnrollmentErrors];

export type EndAdminPathEnrollmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type EndAdminPathEnrollmentResponse = EndAdminPathEnrollmentResponses[keyof EndAdminPathEnrollmentResponses];

export type ListPathEnrollmentsData = {
    body?: never;
    path: {
        pathId: string;
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
    url: '/api/educator/paths/{pathId}/enrollments';
};

export type ListPathEnrollmentsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListPathEnrollmentsError = ListPathEnrollmentsErrors[keyof ListPathEnrollmentsErrors];

export type ListPathEnrollmentsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollments: Array<PathEnrollment>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListPathEnrollmentsResponse = ListPathEnrollmentsResponses[keyof ListPathEnrollmentsResponses];

export type CreatePathEnrollmentData = {
    body: {
        userId?: string;
        /**
         * either `userId` or `email`; a grant to an unknown address waits for its user
         */
        email?: string;
        reason: string;
        /**
         * absent: for good; a date without time: the end of that day in UTC
         */
        expiresAt?: string | string;
    };
    path: {
        pathId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}/enrollments';
};

export type CreatePathEnrollmentErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · User not found
     */
    404: ErrorReply;
    /**
     * Already enrolled
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreatePathEnrollmentError = CreatePathEnrollmentErrors[keyof CreatePathEnrollmentErrors];

export type CreatePathEnrollmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        enrollment: PathEnrollment;
    };
};

export type CreatePathEnrollmentResponse = CreatePathEnrollmentResponses[keyof CreatePathEnrollmentResponses];

export type EndPathEnrollmentData = {
    body?: never;
    path: {
        pathId: string;
        enrollmentId: string;
    };
    query?: never;
    url: '/api/educator/paths/{pathId}/enrollments/{enrollmentId}';
};

export type EndPathEnrollmentErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Path not found · Enrollment not found
     */
    404: ErrorReply;
    /**
     * Refund the purchase instead
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type EndPathEnrollmentError = EndPathEnrollmentErrors[keyof EndPathEnrollmentErrors];

export type EndPathEnrollmentResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type EndPathEnrollmentResponse = EndPathEnrollmentResponses[keyof EndPathEnrollmentResponses];

export type StartAdminImportData = {
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

export type StartAdminImportErrors = {
    /**
     * Invalid file · Invalid request data
     */
    400: {
        success: false;
        errors: Array<{
            [key: string]: unknown;
        }>;
        message: string;
    } | ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type StartAdminImportError = StartAdminImportErrors[keyof StartAdminImportErrors];

export type StartAdminImportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        importId: string;
    };
};

export type StartAdminImportResponse = StartAdminImportResponses[keyof StartAdminImportResponses];

export type GetAdminImportData = {
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

export type GetAdminImportErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Import not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetAdminImportError = GetAdminImportErrors[keyof GetAdminImportErrors];

export type GetAdminImportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        import: EnrollmentImport;
    };
};

export type GetAdminImportResponse = GetAdminImportResponses[keyof GetAdminImportResponses];

export type GetAdminImportResultData = {
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

export type GetAdminImportResultErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Import not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetAdminImportResultError = GetAdminImportResultErrors[keyof GetAdminImportResultErrors];

export type GetAdminImportResultResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetAdminImportResultResponse = GetAdminImportResultResponses[keyof GetAdminImportResultResponses];

export type StartImportData = {
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

export type StartImportErrors = {
    /**
     * Invalid file · Invalid request data
     */
    400: {
        success: false;
        errors: Array<{
            [key: string]: unknown;
        }>;
        message: string;
    } | ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type StartImportError = StartImportErrors[keyof StartImportErrors];

export type StartImportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        importId: string;
    };
};

export type StartImportResponse = StartImportResponses[keyof StartImportResponses];

export type GetImportData = {
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

export type GetImportErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Import not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetImportError = GetImportErrors[keyof GetImportErrors];

export type GetImportResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        import: EnrollmentImport;
    };
};

export type GetImportResponse = GetImportResponses[keyof GetImportResponses];

export type GetImportResultData = {
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

export type GetImportResultErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Import not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetImportResultError = GetImportResultErrors[keyof GetImportResultErrors];

export type GetImportResultResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type GetImportResultResponse = GetImportResultResponses[keyof GetImportResultResponses];

export type ListLearnersData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
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
        state?: 'not_started' | 'active' | 'stalled' | 'completed';
        /**
         * part of a name, or a whole e-mail address
         */
        q?: string;
        /**
         * always descending
         */
        sort?: 'enrolled' | 'active' | 'progress';
    };
    url: '/api/educator/courses/{id}/learners';
};

export type ListLearnersErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListLearnersError = ListLearnersErrors[keyof ListLearnersErrors];

export type ListLearnersResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        learners: Array<Learner>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListLearnersResponse = ListLearnersResponses[keyof ListLearnersResponses];

export type GetLearnerData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        userId: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/learners/{userId}';
};

export type GetLearnerErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Learner not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetLearnerError = GetLearnerErrors[keyof GetLearnerErrors];

export type GetLearnerResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        learner: LearnerDetail;
    };
};

export type GetLearnerResponse = GetLearnerResponses[keyof GetLearnerResponses];

export type ResetLearnerData = {
    body: {
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        userId: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/learners/{userId}/reset';
};

export type ResetLearnerErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Learner not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ResetLearnerError = ResetLearnerErrors[keyof ResetLearnerErrors];

export type ResetLearnerResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type ResetLearnerResponse = ResetLearnerResponses[keyof ResetLearnerResponses];

export type GetFunnelData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/funnel';
};

export type GetFunnelErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetFunnelError = GetFunnelErrors[keyof GetFunnelErrors];

export type GetFunnelResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * learners with an active enrollment
         */
        enrolled: number;
        lectures: Array<{
            lectureId: string;
            lectureTitle: string;
            chapterTitle: string;
            /**
             * learners who have completed the lecture
             */
            completed: number;
        }>;
    };
};

export type GetFunnelResponse = GetFunnelResponses[keyof GetFunnelResponses];

export type ExportGradebookData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/gradebook.csv';
};

export type ExportGradebookErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ExportGradebookError = ExportGradebookErrors[keyof ExportGradebookErrors];

export type ExportGradebookResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type ExportGradebookResponse = ExportGradebookResponses[keyof ExportGradebookResponses];

export type ListLearnersAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
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
        state?: 'not_started' | 'active' | 'stalled' | 'completed';
        /**
         * part of a name, or a whole e-mail address
         */
        q?: string;
        /**
         * always descending
         */
        sort?: 'enrolled' | 'active' | 'progress';
    };
    url: '/api/admin/courses/{id}/learners';
};

export type ListLearnersAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * Search is busy. Please try again. · The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListLearnersAsAdminError = ListLearnersAsAdminErrors[keyof ListLearnersAsAdminErrors];

export type ListLearnersAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        learners: Array<Learner>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListLearnersAsAdminResponse = ListLearnersAsAdminResponses[keyof ListLearnersAsAdminResponses];

export type GetLearnerAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        userId: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/learners/{userId}';
};

export type GetLearnerAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Learner not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetLearnerAsAdminError = GetLearnerAsAdminErrors[keyof GetLearnerAsAdminErrors];

export type GetLearnerAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        learner: LearnerDetail;
    };
};

export type GetLearnerAsAdminResponse = GetLearnerAsAdminResponses[keyof GetLearnerAsAdminResponses];

export type ResetLearnerAsAdminData = {
    body: {
        reason: string;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        userId: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/learners/{userId}/reset';
};

export type ResetLearnerAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Learner not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ResetLearnerAsAdminError = ResetLearnerAsAdminErrors[keyof ResetLearnerAsAdminErrors];

export type ResetLearnerAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type ResetLearnerAsAdminResponse = ResetLearnerAsAdminResponses[keyof ResetLearnerAsAdminResponses];

export type GetFunnelAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/funnel';
};

export type GetFunnelAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetFunnelAsAdminError = GetFunnelAsAdminErrors[keyof GetFunnelAsAdminErrors];

export type GetFunnelAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * learners with an active enrollment
         */
        enrolled: number;
        lectures: Array<{
            lectureId: string;
            lectureTitle: string;
            chapterTitle: string;
            /**
             * learners who have completed the lecture
             */
            completed: number;
        }>;
    };
};

export type GetFunnelAsAdminResponse = GetFunnelAsAdminResponses[keyof GetFunnelAsAdminResponses];

export type ExportGradebookAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/courses/{id}/gradebook.csv';
};

export type ExportGradebookAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ExportGradebookAsAdminError = ExportGradebookAsAdminErrors[keyof ExportGradebookAsAdminErrors];

export type ExportGradebookAsAdminResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type ExportGradebookAsAdminResponse = ExportGradebookAsAdminResponses[keyof ExportGradebookAsAdminResponses];

export type ListEventsData = {
    body?: never;
    path?: never;
    query?: {
        type?: 'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished';
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/educator/events';
};

export type ListEventsErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEventsError = ListEventsErrors[keyof ListEventsErrors];

export type ListEventsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        events: Array<{
            _id: string;
            type: 'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished';
            at: string;
            /**
             * its fields: see the event types
             */
            data: {
                [key: string]: unknown;
            };
        }>;
        /**
         * `after` of the next page; the same place when no event is left
         */
        nextCursor: string;
    };
};

export type ListEventsResponse = ListEventsResponses[keyof ListEventsResponses];

export type ListEventTypesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/educator/webhooks/event-types';
};

export type ListEventTypesErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEventTypesError = ListEventTypesErrors[keyof ListEventTypesErrors];

export type ListEventTypesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        eventTypes: Array<{
            type: 'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished';
            description: string;
            /**
             * JSON Schema of `data`
             */
            schema: {
                [key: string]: unknown;
            };
        }>;
    };
};

export type ListEventTypesResponse = ListEventTypesResponses[keyof ListEventTypesResponses];

export type ListEventsAsAdminData = {
    body?: never;
    path?: never;
    query?: {
        type?: 'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished';
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/admin/events';
};

export type ListEventsAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEventsAsAdminError = ListEventsAsAdminErrors[keyof ListEventsAsAdminErrors];

export type ListEventsAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        events: Array<{
            _id: string;
            type: 'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished';
            at: string;
            /**
             * its fields: see the event types
             */
            data: {
                [key: string]: unknown;
            };
        }>;
        /**
         * `after` of the next page; the same place when no event is left
         */
        nextCursor: string;
    };
};

export type ListEventsAsAdminResponse = ListEventsAsAdminResponses[keyof ListEventsAsAdminResponses];

export type ListEventTypesAsAdminData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/admin/webhooks/event-types';
};

export type ListEventTypesAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListEventTypesAsAdminError = ListEventTypesAsAdminErrors[keyof ListEventTypesAsAdminErrors];

export type ListEventTypesAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        eventTypes: Array<{
            type: 'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished';
            description: string;
            /**
             * JSON Schema of `data`
             */
            schema: {
                [key: string]: unknown;
            };
        }>;
    };
};

export type ListEventTypesAsAdminResponse = ListEventTypesAsAdminResponses[keyof ListEventTypesAsAdminResponses];

export type ListWebhooksAsAdminData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/admin/webhooks';
};

export type ListWebhooksAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListWebhooksAsAdminError = ListWebhooksAsAdminErrors[keyof ListWebhooksAsAdminErrors];

export type ListWebhooksAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        webhooks: Array<Webhook>;
    };
};

export type ListWebhooksAsAdminResponse = ListWebhooksAsAdminResponses[keyof ListWebhooksAsAdminResponses];

export type CreateWebhookAsAdminData = {
    body: {
        /**
         * `https`, with a host that has public addresses; no credentials
         */
        url: string;
        /**
         * `*` alone: every type
         */
        types: Array<'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished' | '*'>;
        description?: string;
    };
    path?: never;
    query?: never;
    url: '/api/admin/webhooks';
};

export type CreateWebhookAsAdminErrors = {
    /**
     * Webhook URL is not allowed · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many webhooks
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateWebhookAsAdminError = CreateWebhookAsAdminErrors[keyof CreateWebhookAsAdminErrors];

export type CreateWebhookAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        webhook: Webhook;
        /**
         * `whsec_…`; shown this once
         */
        secret: string;
    };
};

export type CreateWebhookAsAdminResponse = CreateWebhookAsAdminResponses[keyof CreateWebhookAsAdminResponses];

export type DeleteWebhookAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/webhooks/{id}';
};

export type DeleteWebhookAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DeleteWebhookAsAdminError = DeleteWebhookAsAdminErrors[keyof DeleteWebhookAsAdminErrors];

export type DeleteWebhookAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteWebhookAsAdminResponse = DeleteWebhookAsAdminResponses[keyof DeleteWebhookAsAdminResponses];

export type UpdateWebhookAsAdminData = {
    body: {
        /**
         * `https`, with a host that has public addresses; no credentials
         */
        url?: string;
        /**
         * `*` alone: every type
         */
        types?: Array<'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished' | '*'>;
        description?: string;
        /**
         * true forgets why it was disabled
         */
        active?: boolean;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/webhooks/{id}';
};

export type UpdateWebhookAsAdminErrors = {
    /**
     * Webhook URL is not allowed · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateWebhookAsAdminError = UpdateWebhookAsAdminErrors[keyof UpdateWebhookAsAdminErrors];

export type UpdateWebhookAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        webhook: Webhook;
    };
};

export type UpdateWebhookAsAdminResponse = UpdateWebhookAsAdminResponses[keyof UpdateWebhookAsAdminResponses];

export type RotateSecretAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/webhooks/{id}/rotate-secret';
};

export type RotateSecretAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RotateSecretAsAdminError = RotateSecretAsAdminErrors[keyof RotateSecretAsAdminErrors];

export type RotateSecretAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * `whsec_…`; shown this once
         */
        secret: string;
    };
};

export type RotateSecretAsAdminResponse = RotateSecretAsAdminResponses[keyof RotateSecretAsAdminResponses];

export type PingWebhookAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/webhooks/{id}/ping';
};

export type PingWebhookAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type PingWebhookAsAdminError = PingWebhookAsAdminErrors[keyof PingWebhookAsAdminErrors];

export type PingWebhookAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        delivery: WebhookDelivery;
    };
};

export type PingWebhookAsAdminResponse = PingWebhookAsAdminResponses[keyof PingWebhookAsAdminResponses];

export type ListDeliveriesAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: {
        state?: 'pending' | 'delivered' | 'failed';
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/admin/webhooks/{id}/deliveries';
};

export type ListDeliveriesAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListDeliveriesAsAdminError = ListDeliveriesAsAdminErrors[keyof ListDeliveriesAsAdminErrors];

export type ListDeliveriesAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        deliveries: Array<WebhookDelivery>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListDeliveriesAsAdminResponse = ListDeliveriesAsAdminResponses[keyof ListDeliveriesAsAdminResponses];

export type ResendDeliveryAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        /**
         * object id, 24 hex digits
         */
        deliveryId: string;
    };
    query?: never;
    url: '/api/admin/webhooks/{id}/deliveries/{deliveryId}/resend';
};

export type ResendDeliveryAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found · Delivery not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later. · Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ResendDeliveryAsAdminError = ResendDeliveryAsAdminErrors[keyof ResendDeliveryAsAdminErrors];

export type ResendDeliveryAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        delivery: WebhookDelivery;
    };
};

export type ResendDeliveryAsAdminResponse = ResendDeliveryAsAdminResponses[keyof ResendDeliveryAsAdminResponses];

export type ListWebhooksData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/educator/webhooks';
};

export type ListWebhooksErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListWebhooksError = ListWebhooksErrors[keyof ListWebhooksErrors];

export type ListWebhooksResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        webhooks: Array<Webhook>;
    };
};

export type ListWebhooksResponse = ListWebhooksResponses[keyof ListWebhooksResponses];

export type CreateWebhookData = {
    body: {
        /**
         * `https`, with a host that has public addresses; no credentials
         */
        url: string;
        /**
         * `*` alone: every type
         */
        types: Array<'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished' | '*'>;
        description?: string;
    };
    path?: never;
    query?: never;
    url: '/api/educator/webhooks';
};

export type CreateWebhookErrors = {
    /**
     * Webhook URL is not allowed · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many webhooks
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateWebhookError = CreateWebhookErrors[keyof CreateWebhookErrors];

export type CreateWebhookResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        webhook: Webhook;
        /**
         * `whsec_…`; shown this once
         */
        secret: string;
    };
};

export type CreateWebhookResponse = CreateWebhookResponses[keyof CreateWebhookResponses];

export type DeleteWebhookData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/webhooks/{id}';
};

export type DeleteWebhookErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DeleteWebhookError = DeleteWebhookErrors[keyof DeleteWebhookErrors];

export type DeleteWebhookResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type DeleteWebhookResponse = DeleteWebhookResponses[keyof DeleteWebhookResponses];

export type UpdateWebhookData = {
    body: {
        /**
         * `https`, with a host that has public addresses; no credentials
         */
        url?: string;
        /**
         * `*` alone: every type
         */
        types?: Array<'purchase.completed' | 'purchase.refunded' | 'enrollment.activated' | 'enrollment.ended' | 'lecture.completed' | 'course.completed' | 'certificate.issued' | 'certificate.reissued' | 'certificate.revoked' | 'quiz.attempted' | 'course.published' | 'course.unpublished' | 'course.changed' | 'path.completed' | 'path.published' | 'path.unpublished' | 'path.changed' | 'review.written' | 'application.decided' | 'user.created' | 'user.erased' | 'import.finished' | '*'>;
        description?: string;
        /**
         * true forgets why it was disabled
         */
        active?: boolean;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/webhooks/{id}';
};

export type UpdateWebhookErrors = {
    /**
     * Webhook URL is not allowed · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateWebhookError = UpdateWebhookErrors[keyof UpdateWebhookErrors];

export type UpdateWebhookResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        webhook: Webhook;
    };
};

export type UpdateWebhookResponse = UpdateWebhookResponses[keyof UpdateWebhookResponses];

export type RotateSecretData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/webhooks/{id}/rotate-secret';
};

export type RotateSecretErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RotateSecretError = RotateSecretErrors[keyof RotateSecretErrors];

export type RotateSecretResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        /**
         * `whsec_…`; shown this once
         */
        secret: string;
    };
};

export type RotateSecretResponse = RotateSecretResponses[keyof RotateSecretResponses];

export type PingWebhookData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/webhooks/{id}/ping';
};

export type PingWebhookErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type PingWebhookError = PingWebhookErrors[keyof PingWebhookErrors];

export type PingWebhookResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        delivery: WebhookDelivery;
    };
};

export type PingWebhookResponse = PingWebhookResponses[keyof PingWebhookResponses];

export type ListDeliveriesData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: {
        state?: 'pending' | 'delivered' | 'failed';
        /**
         * rows of a page
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        after?: string;
    };
    url: '/api/educator/webhooks/{id}/deliveries';
};

export type ListDeliveriesErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListDeliveriesError = ListDeliveriesErrors[keyof ListDeliveriesErrors];

export type ListDeliveriesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        deliveries: Array<WebhookDelivery>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListDeliveriesResponse = ListDeliveriesResponses[keyof ListDeliveriesResponses];

export type ResendDeliveryData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        /**
         * object id, 24 hex digits
         */
        deliveryId: string;
    };
    query?: never;
    url: '/api/educator/webhooks/{id}/deliveries/{deliveryId}/resend';
};

export type ResendDeliveryErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Webhook not found · Delivery not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ResendDeliveryError = ResendDeliveryErrors[keyof ResendDeliveryErrors];

export type ResendDeliveryResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        delivery: WebhookDelivery;
    };
};

export type ResendDeliveryResponse = ResendDeliveryResponses[keyof ResendDeliveryResponses];

export type GetApiKeyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/key';
};

export type GetApiKeyErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetApiKeyError = GetApiKeyErrors[keyof GetApiKeyErrors];

export type GetApiKeyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKey: ApiKey;
    };
};

export type GetApiKeyResponse = GetApiKeyResponses[keyof GetApiKeyResponses];

export type ListApiKeysData = {
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
    url: '/api/educator/api-keys';
};

export type ListApiKeysErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListApiKeysError = ListApiKeysErrors[keyof ListApiKeysErrors];

export type ListApiKeysResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKeys: Array<ApiKey>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListApiKeysResponse = ListApiKeysResponses[keyof ListApiKeysResponses];

export type CreateApiKeyData = {
    body: {
        name: string;
        scopes: Array<'courses:read' | 'learners:read' | 'learners:write' | 'certificates:read' | 'certificates:write' | 'enrollments:read' | 'enrollments:write' | 'purchases:read' | 'coupons:read' | 'coupons:write' | 'events:read' | 'webhooks:write'>;
        /**
         * the only courses that the key sees; null: every course of its owner
         */
        courseIds?: Array<string> | null;
        /**
         * in the future; null: never
         */
        expiresAt?: string | null;
    };
    path?: never;
    query?: never;
    url: '/api/educator/api-keys';
};

export type CreateApiKeyErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many API keys
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateApiKeyError = CreateApiKeyErrors[keyof CreateApiKeyErrors];

export type CreateApiKeyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKey: ApiKey;
        /**
         * shown this once
         */
        secret: string;
    };
};

export type CreateApiKeyResponse = CreateApiKeyResponses[keyof CreateApiKeyResponses];

export type RevokeApiKeyData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/api-keys/{id}';
};

export type RevokeApiKeyErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * API key not found
     */
    404: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RevokeApiKeyError = RevokeApiKeyErrors[keyof RevokeApiKeyErrors];

export type RevokeApiKeyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RevokeApiKeyResponse = RevokeApiKeyResponses[keyof RevokeApiKeyResponses];

export type UpdateApiKeyData = {
    body: {
        name?: string;
        scopes?: Array<'courses:read' | 'learners:read' | 'learners:write' | 'certificates:read' | 'certificates:write' | 'enrollments:read' | 'enrollments:write' | 'purchases:read' | 'coupons:read' | 'coupons:write' | 'events:read' | 'webhooks:write'>;
        /**
         * the only courses that the key sees; null: every course of its owner
         */
        courseIds?: Array<string> | null;
        /**
         * in the future; null: never
         */
        expiresAt?: string | null;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/api-keys/{id}';
};

export type UpdateApiKeyErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * API key not found
     */
    404: ErrorReply;
    /**
     * Too many API keys
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateApiKeyError = UpdateApiKeyErrors[keyof UpdateApiKeyErrors];

export type UpdateApiKeyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKey: ApiKey;
    };
};

export type UpdateApiKeyResponse = UpdateApiKeyResponses[keyof UpdateApiKeyResponses];

export type RotateApiKeyData = {
    body: {
        /**
         * how long the present secret still works
         */
        overlapHours?: number;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/api-keys/{id}/rotate';
};

export type RotateApiKeyErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * API key not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RotateApiKeyError = RotateApiKeyErrors[keyof RotateApiKeyErrors];

export type RotateApiKeyResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKey: ApiKey;
        /**
         * shown this once
         */
        secret: string;
    };
};

export type RotateApiKeyResponse = RotateApiKeyResponses[keyof RotateApiKeyResponses];

export type ListApiKeysAsAdminData = {
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
    url: '/api/admin/api-keys';
};

export type ListApiKeysAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListApiKeysAsAdminError = ListApiKeysAsAdminErrors[keyof ListApiKeysAsAdminErrors];

export type ListApiKeysAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKeys: Array<ApiKey>;
        /**
         * `after` of the next page; null at the end
         */
        nextCursor: string | null;
    };
};

export type ListApiKeysAsAdminResponse = ListApiKeysAsAdminResponses[keyof ListApiKeysAsAdminResponses];

export type CreateApiKeyAsAdminData = {
    body: {
        name: string;
        scopes: Array<'courses:read' | 'learners:read' | 'learners:write' | 'certificates:read' | 'certificates:write' | 'enrollments:read' | 'enrollments:write' | 'purchases:read' | 'coupons:read' | 'coupons:write' | 'events:read' | 'webhooks:write'>;
        /**
         * the only courses that the key sees; null: every course of its owner
         */
        courseIds?: Array<string> | null;
        /**
         * in the future; null: never
         */
        expiresAt?: string | null;
    };
    path?: never;
    query?: never;
    url: '/api/admin/api-keys';
};

export type CreateApiKeyAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Too many API keys
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type CreateApiKeyAsAdminError = CreateApiKeyAsAdminErrors[keyof CreateApiKeyAsAdminErrors];

export type CreateApiKeyAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKey: ApiKey;
        /**
         * shown this once
         */
        secret: string;
    };
};

export type CreateApiKeyAsAdminResponse = CreateApiKeyAsAdminResponses[keyof CreateApiKeyAsAdminResponses];

export type RevokeApiKeyAsAdminData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/api-keys/{id}';
};

export type RevokeApiKeyAsAdminErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * API key not found
     */
    404: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RevokeApiKeyAsAdminError = RevokeApiKeyAsAdminErrors[keyof RevokeApiKeyAsAdminErrors];

export type RevokeApiKeyAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RevokeApiKeyAsAdminResponse = RevokeApiKeyAsAdminResponses[keyof RevokeApiKeyAsAdminResponses];

export type UpdateApiKeyAsAdminData = {
    body: {
        name?: string;
        scopes?: Array<'courses:read' | 'learners:read' | 'learners:write' | 'certificates:read' | 'certificates:write' | 'enrollments:read' | 'enrollments:write' | 'purchases:read' | 'coupons:read' | 'coupons:write' | 'events:read' | 'webhooks:write'>;
        /**
         * the only courses that the key sees; null: every course of its owner
         */
        courseIds?: Array<string> | null;
        /**
         * in the future; null: never
         */
        expiresAt?: string | null;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/api-keys/{id}';
};

export type UpdateApiKeyAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * API key not found
     */
    404: ErrorReply;
    /**
     * Too many API keys
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type UpdateApiKeyAsAdminError = UpdateApiKeyAsAdminErrors[keyof UpdateApiKeyAsAdminErrors];

export type UpdateApiKeyAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKey: ApiKey;
    };
};

export type UpdateApiKeyAsAdminResponse = UpdateApiKeyAsAdminResponses[keyof UpdateApiKeyAsAdminResponses];

export type RotateApiKeyAsAdminData = {
    body: {
        /**
         * how long the present secret still works
         */
        overlapHours?: number;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/admin/api-keys/{id}/rotate';
};

export type RotateApiKeyAsAdminErrors = {
    /**
     * Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Unauthorized Access
     */
    403: ErrorReply;
    /**
     * API key not found
     */
    404: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many admin requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RotateApiKeyAsAdminError = RotateApiKeyAsAdminErrors[keyof RotateApiKeyAsAdminErrors];

export type RotateApiKeyAsAdminResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        apiKey: ApiKey;
        /**
         * shown this once
         */
        secret: string;
    };
};

export type RotateApiKeyAsAdminResponse = RotateApiKeyAsAdminResponses[keyof RotateApiKeyAsAdminResponses];

export type ListResourcesData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/resources';
};

export type ListResourcesErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListResourcesError = ListResourcesErrors[keyof ListResourcesErrors];

export type ListResourcesResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        resources: Array<CourseResource>;
    };
};

export type ListResourcesResponse = ListResourcesResponses[keyof ListResourcesResponses];

export type AddResourceData = {
    body: {
        /**
         * PDF, ZIP, PNG, JPEG, WebP, MP3, VTT, TXT, CSV, MD, DOCX, PPTX or XLSX, up to 25 MiB
         */
        file?: Blob | File;
    };
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/resources';
};

export type AddResourceErrors = {
    /**
     * File type not allowed · Invalid request data
     */
    400: ErrorReply;
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found
     */
    404: ErrorReply;
    /**
     * Too many resources
     */
    409: ErrorReply;
    /**
     * Request body too large
     */
    413: ErrorReply;
    /**
     * Unsupported content encoding
     */
    415: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type AddResourceError = AddResourceErrors[keyof AddResourceErrors];

export type AddResourceResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        resource: CourseResource;
    };
};

export type AddResourceResponse = AddResourceResponses[keyof AddResourceResponses];

export type RemoveResourceData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        id: string;
        /**
         * object id, 24 hex digits
         */
        resourceId: string;
    };
    query?: never;
    url: '/api/educator/courses/{id}/resources/{resourceId}';
};

export type RemoveResourceErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Not authorized · Unauthorized Access
     */
    403: ErrorReply;
    /**
     * Course not found · Resource not found
     */
    404: ErrorReply;
    /**
     * Resource is in use
     */
    409: ErrorReply;
    /**
     * Too many requests. Please try again later.
     */
    429: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type RemoveResourceError = RemoveResourceErrors[keyof RemoveResourceErrors];

export type RemoveResourceResponses = {
    /**
     * Success
     */
    200: {
        success: true;
    };
};

export type RemoveResourceResponse = RemoveResourceResponses[keyof RemoveResourceResponses];

export type DownloadResourceData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        /**
         * object id, 24 hex digits
         */
        resourceId: string;
    };
    query?: never;
    url: '/api/user/resources/{courseId}/{resourceId}';
};

export type DownloadResourceErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Access denied or course not found · Complete the previous course first · Lecture is not open yet
     */
    403: ErrorReply;
    /**
     * Resource not found
     */
    404: ErrorReply;
    /**
     * Range not satisfiable
     */
    416: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type DownloadResourceError = DownloadResourceErrors[keyof DownloadResourceErrors];

export type DownloadResourceResponses = {
    /**
     * The file
     */
    200: Blob | File;
};

export type DownloadResourceResponse = DownloadResourceResponses[keyof DownloadResourceResponses];

export type GetLectureData = {
    body?: never;
    path: {
        /**
         * object id, 24 hex digits
         */
        courseId: string;
        lectureId: string;
    };
    query?: never;
    url: '/api/user/enrolled-courses/{courseId}/lectures/{lectureId}';
};

export type GetLectureErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * Access denied or course not found
     */
    403: ErrorReply;
    /**
     * Lecture not found
     */
    404: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type GetLectureError = GetLectureErrors[keyof GetLectureErrors];

export type GetLectureResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        lecture: EnrolledLecture;
    };
};

export type GetLectureResponse = GetLectureResponses[keyof GetLectureResponses];

export type ListOwnPathsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/paths';
};

export type ListOwnPathsErrors = {
    /**
     * Unauthorized Access
     */
    401: ErrorReply;
    /**
     * An unexpected error occurred
     */
    500: ErrorReply;
    /**
     * The server is busy. Please try again in a moment.
     */
    503: ErrorReply;
};

export type ListOwnPathsError = ListOwnPathsErrors[keyof ListOwnPathsErrors];

export type ListOwnPathsResponses = {
    /**
     * Success
     */
    200: {
        success: true;
        paths: Array<OwnPath>;
    };
};

export type ListOwnPathsResponse = ListOwnPathsResponses[keyof ListOwnPathsResponses];
