import type { RequestHandler } from "express";
import type { Deps } from "../../deps.js";
import { viewerOf } from "../../http/auth/guards.js";
import { managerOf } from "../../http/auth/manager-of.js";
import { upload } from "../../http/upload.js";
import { Unauthenticated, Unexpected } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import type { Manager } from "../../models/users/manager.js";
import { grantableCourse } from "../../services/grants/grant-enrollment.js";

/** Reads the form with a table of grants, after it has checked an educator's course. */
export const importUpload = ({ db }: Deps, role: Manager["role"]): RequestHandler =>
  upload({
    file: "file",
    maxFile: 10 * 1_048_576,
    maxField: 1_024,
    async before(req) {
      const { courseId } = req.params;
      if (typeof courseId !== "string") return;
      if (!isObjectId(courseId)) throw Unexpected();
      const viewer = viewerOf(req);
      if (!viewer) throw Unauthenticated();
      await grantableCourse(db, courseId, managerOf({ viewer, req }, role));
    },
  });
