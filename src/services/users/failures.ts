import { failure } from "../../lib/errors.js";

export const UserNotFound = failure("user_not_found", 404, "User not found");
