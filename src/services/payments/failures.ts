import { failure } from "../../lib/errors.js";

export const PurchaseNotFound = failure("purchase_not_found", 404, "Purchase not found");
export const CourseAlreadyPurchased = failure("course_already_purchased", 409, "Course already purchased");
