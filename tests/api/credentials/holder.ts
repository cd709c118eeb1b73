import { issuedCertificate } from "../../factories/certificates.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import type { TestServer } from "../../server/test-server.js";
import type { Fetch } from "./verifiers.js";

/** A learner with a certificate, and what they and everyone can ask of its credential. */
export async function holder(server: TestServer, course: Parameters<typeof buildCourse>[1] = {}) {
  const { db } = server.deps;
  const [learner, educator] = [await server.signedIn(), await server.signedIn("educator")];
  const { _id } = await buildCourse(server, {
    ...{ courseContent: buildChapters(1, 1), educatorId: educator.id },
    ...course,
  });
  const courseId = String(_id);
  await enroll(server, learner.id, _id);
  await server.post("/api/user/update-course-progress", { courseId, lectureId: "ch1-l1" }, learner.token);
  const { certificateId } = await issuedCertificate(server, { userId: learner.id, courseId });
  const base = `/api/user/certificates/${certificateId}`;
  return {
    ...{ learner, courseId, certificateId },
    credential: (on: TestServer = server) => on.get(`${base}/credential`, learner.token),
    /** Gets a new edition with another name. */
    async reissue(name = "Asha R. Rao") {
      await db.User.updateOne({ _id: learner.id }, { name });
      return server.post(`${base}/reissue`, {}, learner.token);
    },
    revoke: () =>
      server.post(
        `/api/educator/courses/${courseId}/certificates/${certificateId}/revoke`,
        { reason: "Plagiarism" },
        educator.token,
      ),
    badge: () => fetchBytes(`${server.url}${base}/badge.png`, learner.token),
  };
}

export async function fetchBytes(address: string, token?: string, headers: Record<string, string> = {}) {
  const reply = await fetch(address, { headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** Reads what verifiers read, from a server whose public address is another one. */
export const fetchFrom =
  (server: TestServer): Fetch =>
  async (address) => {
    const { backendUrl } = server.deps.config;
    const path = address.startsWith("did:") ? "/.well-known/did.json" : address.replace(backendUrl, "");
    return (await server.get(path)).body;
  };
