import { issuedCertificate } from "../../factories/certificates.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { storageOf } from "../../server/emulators.js";
import type { SignedIn, TestServer } from "../../server/test-server.js";

/** A course of one lecture with its educator, and learners who complete it. */
export async function certificateRoom(server: TestServer) {
  const { db } = server.deps;
  const [educator, admin] = [await server.signedIn("educator"), await server.signedIn("admin")];
  const course = await buildCourse(server, { educatorId: educator.id, courseContent: buildChapters(1, 1) });
  const courseId = String(course._id);
  const tokens = { educator: educator.token, admin: admin.token };
  const path = (rest: string, role: keyof typeof tokens = "educator") => `/api/${role}/courses/${courseId}/${rest}`;
  const rowOf = (certificateId: string) => db.Certificate.findOne({ certificateId }).orFail().lean();
  return {
    ...{ course, courseId, educator, admin, path, rowOf },
    get: (rest: string, role?: keyof typeof tokens) => server.get(path(rest, role), tokens[role ?? "educator"]),
    post: (rest: string, body?: object, role?: keyof typeof tokens) =>
      server.post(path(rest, role), body, tokens[role ?? "educator"]),
    put: (rest: string, body: object) => server.call("PUT", path(rest), { token: educator.token, body }),
    async learner(name = "Asha Rao") {
      const learner = await server.signedIn("student", name);
      await enroll(server, learner.id, course._id);
      return learner;
    },
    /** Completes the course, and waits for the PDF. @returns the id of the newest certificate. */
    async complete(learner: SignedIn): Promise<string> {
      await server.post("/api/user/update-course-progress", { courseId, lectureId: "ch1-l1" }, learner.token);
      return (await issuedCertificate(server, { userId: learner.id, courseId })).certificateId;
    },
    rename: (learner: SignedIn, name: string) => db.User.updateOne({ _id: learner.id }, { name }),
    /** Lets a certificate end so many days from now. */
    endIn: (certificateId: string, days: number) =>
      db.Certificate.updateOne({ certificateId }, { expiresAt: new Date(Date.now() + days * 24 * 60 * 60_000) }),
    list: async (learner: SignedIn) =>
      (await server.get("/api/user/certificates", learner.token)).body.certificates as Record<string, unknown>[],
    own: (learner: SignedIn, certificateId: string, action: "reissue" | "renew") =>
      server.post(`/api/user/certificates/${certificateId}/${action}`, {}, learner.token),
    verify: (certificateId: string) => server.get(`/api/certificate/verify/${certificateId}`),
    /** Names of the stored PDFs of a certificate. */
    filesOf: (certificateId: string) =>
      storageOf(server.emulators)
        .assets()
        .map(({ publicId }) => publicId)
        .filter((publicId) => publicId.includes(certificateId)),
  };
}
