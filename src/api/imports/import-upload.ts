import type { Request, RequestHandler } from "express";
import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { managerOf } from "../../http/auth/guards.js";
import { streamedUpload } from "../../http/streamed-upload.js";
import { InvalidRequest, MalformedId } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import type { Manager } from "../../models/users/user.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { discardImport, type ReceivedImport, receiveImport } from "../../services/grants/imports/receive-import.js";

const maxFile = 10 * 1_048_576;

export interface ImportUpload {
  readonly handler: RequestHandler;
  /** The stored import of a request. @throws InvalidRequest for a request without a file. */
  received(req: Request): ReceivedImport;
}

/** Stores a table of grants while it arrives. Checks an educator's course before the first byte. */
export function importUpload(db: Db, role: Manager["role"]): ImportUpload {
  const { handler, receivedOf } = streamedUpload<ReceivedImport>({
    file: "file",
    maxFile,
    receive: async (req, file) => receiveImport(db, file, { courseId: courseOf(req), manager: managerOf(req, role) }),
    discard: ({ importId }) => discardImport(db, importId),
  });
  async function requireCourse(req: Request): Promise<void> {
    const { courseId } = req.params;
    if (typeof courseId !== "string") return;
    if (!isObjectId(courseId)) throw MalformedId();
    await findManagedCourse(db, courseId, managerOf(req, role));
  }
  return {
    handler: (req, res, next) => {
      requireCourse(req).then(() => handler(req, res, next), next);
    },
    received(req) {
      const received = receivedOf(req);
      if (!received) throw InvalidRequest();
      return received;
    },
  };
}

const courseOf = ({ params: { courseId } }: Request): Types.ObjectId | null =>
  typeof courseId === "string" ? new Types.ObjectId(courseId) : null;
