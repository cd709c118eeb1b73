import { randomUUID } from "node:crypto";
import type { Types } from "mongoose";
import { TransactionTimeout } from "../../db/transaction.js";
import type { Deps } from "../../deps.js";
import { detectType } from "../../lib/detect-type.js";
import { failure } from "../../lib/errors.js";
import type { Course } from "../../models/courses/course.js";

export const ThumbnailNotAnImage = failure(
  "thumbnail_not_an_image",
  400,
  "Thumbnail must be a JPEG, PNG or WebP image",
);

const accepted = new Set(["png", "jpg", "webp"]);

/**
 * Checks that a file is an image by its signature. Its name and its declared type do not count.
 * @throws ThumbnailNotAnImage.
 */
export async function requireImage(path: string): Promise<void> {
  if (!accepted.has((await detectType(path)) ?? "")) throw ThumbnailNotAnImage();
}

export type Thumbnail = Pick<Course, "thumbnailFile" | "courseThumbnail">;

/**
 * Uploads a course's thumbnail under a new name, so that the image at an address never changes.
 * @throws when the storage fails. A file whose reply was lost is removed again, best effort.
 */
export async function storeThumbnail(
  deps: Pick<Deps, "storage" | "log">,
  courseId: Types.ObjectId,
  path: string,
): Promise<Thumbnail> {
  const thumbnailFile = `thumbnails/${courseId}-${randomUUID().slice(0, 8)}`;
  try {
    return {
      thumbnailFile,
      courseThumbnail: await deps.storage.put({ publicId: thumbnailFile, kind: "image", content: path }),
    };
  } catch (error) {
    discardThumbnail(deps, thumbnailFile);
    throw error;
  }
}

/** Removes a thumbnail that no course shows any more. A failure is only logged, because a file left over does no harm. */
export function discardThumbnail({ storage, log }: Pick<Deps, "storage" | "log">, thumbnailFile: string): void {
  if (thumbnailFile === "") return;
  storage.remove({ publicId: thumbnailFile, kind: "image" }).catch((error: unknown) => {
    log.warn(
      { eventId: "thumbnail_not_removed", thumbnailFile, cause: String(error) },
      "a thumbnail that no course shows was not removed",
    );
  });
}

/**
 * Removes a thumbnail after its transaction failed, but only when the course certainly does not show it. A transaction
 * that timed out may still commit.
 */
export async function discardUnlessShown(
  deps: Pick<Deps, "db" | "storage" | "log">,
  courseId: Types.ObjectId,
  thumbnailFile: string,
  error: unknown,
): Promise<void> {
  if (error instanceof TransactionTimeout) return;
  const shown = await deps.db.Course.exists({ _id: courseId, thumbnailFile }).catch(() => ({ _id: courseId }));
  if (!shown) discardThumbnail(deps, thumbnailFile);
}
