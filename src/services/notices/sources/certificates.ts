import type { Certificate, CertifiedItem } from "../../../models/learning/certificate.js";
import { certificateState } from "../../certificates/certificate-state.js";
import { findNewestOf } from "../../certificates/newest-certificates.js";
import { noticeTypes } from "../notice-types.js";
import type { NoticeSource, PlannedNotice } from "./source.js";

type Row = Pick<Certificate, "_id" | "userId" | "courseTitle" | "status" | "expiresAt" | "revokedAt"> & CertifiedItem;

/** Valid certificates whose end is near, unless the learner has a newer one of the course or path. */
export const endingCertificates: NoticeSource<Row> = {
  model: "Certificate",
  fields: { userId: 1, courseId: 1, pathId: 1, courseTitle: 1, status: 1, expiresAt: 1, revokedAt: 1 },
  async plan({ db, session, links }, rows) {
    const isNewest = await findNewestOf(db, rows, session);
    const notices = rows.flatMap((row): PlannedNotice[] => {
      const { _id, userId, pathId, courseTitle, expiresAt } = row;
      if (!expiresAt || certificateState(row) !== "valid" || !isNewest(row)) return [];
      const text = noticeTypes.certificate_expires_soon.compose(
        { courseTitle, expiresAt, isOfPath: pathId !== undefined },
        links,
      );
      return [{ type: "certificate_expires_soon", userId, cause: String(_id), ...text }];
    });
    return { notices };
  },
};
