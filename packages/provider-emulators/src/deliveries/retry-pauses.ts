const minuteMs = 60_000;

/**
 * Default pauses between the attempts of a webhook, in milliseconds. They come from the specification of the Lyceum
 * server. The providers differ: Svix, which delivers Clerk's webhooks, pauses 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and
 * 10 h; Razorpay retries with growing pauses for 24 hours.
 */
export const defaultRetryPausesMs = {
  clerk: [1, 5, 30, 120, 300, 600].map((minutes) => minutes * minuteMs),
  razorpay: [15, 30, 60, 360, 720].map((minutes) => minutes * minuteMs),
} as const;
