export { client, createClient } from "./client.js";
export { errorCodeOf, LyceumError } from "./errors.js";
export { type EventsOptions, events, type PlatformEvent } from "./events.js";
export { type FollowOptions, followNotifications } from "./follow-notifications.js";
export type { Client, Config } from "./generated/client/index.js";
export * from "./generated/sdk.gen.js";
export type * from "./generated/types.gen.js";
export { paginate, type RowOf } from "./paginate.js";
export { streamTutor, type TutorEvent } from "./stream-tutor.js";
