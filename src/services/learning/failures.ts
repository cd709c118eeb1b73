import { failure } from "../../lib/errors.js";

export const CourseNotPurchased = failure("course_not_purchased", 403, "Course not purchased");
