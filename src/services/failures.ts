import { failure } from "../lib/errors.js";

/** Failures that several services and features share. */
export const UserNotFound = failure("user_not_found", 404, "User not found");
export const CourseNotFound = failure("course_not_found", 404, "Course not found");
export const PathNotFound = failure("path_not_found", 404, "Path not found");
/** Another user owns it. */
export const NotTheOwner = failure("not_authorized", 403, "Not authorized");
/** The public lookup answers 200 for a course that does not exist. */
export const CourseNotFoundHere = failure("course_not_found", 200, "Course not found");
export const CourseNotPurchased = failure("course_not_purchased", 403, "Course not purchased");
