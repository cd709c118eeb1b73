import { certificateRoom } from "../../api/certificates/certified.js";
import { pathRoom } from "../../api/paths/path-room.js";
import { issuedCertificate } from "../../factories/certificates.js";
import { after, type Examples, examplesOf, newAdmin, type Scene } from "./scene.js";

/** A learner with a certificate of a course, whose profile has another name since. */
async function renamed({ server }: Scene) {
  const room = await certificateRoom(server);
  const learner = await room.learner();
  const certificateId = await room.complete(learner);
  await room.rename(learner, "Asha Rao-Iyer");
  return { room, certificateId, token: learner.token };
}

/** The same with a certificate that ends soon. */
async function ending(scene: Scene) {
  const { room, ...certified } = await renamed(scene);
  await room.endIn(certified.certificateId, 30);
  return certified;
}

/** A learner with a certificate of a path, whose profile has another name since. */
async function renamedOfPath({ server }: Scene) {
  const { educator, learner, path, own, complete } = await pathRoom(server);
  await complete(0);
  await complete(1);
  const { certificateId } = await issuedCertificate(server, own);
  await server.deps.db.User.updateOne({ _id: learner.id }, { name: "Asha Rao-Iyer" });
  return { educator, pathId: String(path._id), certificateId };
}

/** Routes that have the same path for the educator of a course or path and for administrators. */
function routes(role: "educator" | "admin", kind: "course" | "path"): Examples {
  const managed = async (scene: Scene) => {
    const tokenOf = async (educator: { token: string }) => (role === "admin" ? await newAdmin(scene) : educator).token;
    if (kind === "path") {
      const { educator, ...ids } = await renamedOfPath(scene);
      return { ...ids, token: await tokenOf(educator) };
    }
    const { room, certificateId } = await renamed(scene);
    return { id: room.courseId, certificateId, token: await tokenOf(room.educator) };
  };
  const course = kind === "path" ? `/api/${role}/paths/{pathId}` : `/api/${role}/courses/{id}`;
  const template = {
    heading: "Certificate of Mastery",
    color: "#7c2d12",
    signatories: [{ name: "Dr. Ana Silva", title: "Head of the course" }],
    validMonths: 24,
  };
  return examplesOf({
    [`GET ${course}/certificates`]: after(managed, undefined, "?limit=1"),
    [`POST ${course}/certificates/{certificateId}/reissue`]: after(managed, () => ({
      ...{ studentName: "Asha Rao-Iyer", reason: "The name was misspelt" },
    })),
    [`POST ${course}/certificates/{certificateId}/revoke`]: after(managed, () => ({
      reason: "The work was somebody else's",
    })),
    [`GET ${course}/certificate-template`]: after(managed),
    [`PUT ${course}/certificate-template`]: after(managed, () => template),
    [`DELETE ${course}/certificate-template`]: after(managed),
    [`POST ${course}/certificate-template/preview`]: after(managed, () => template),
  });
}

export const certificates: Examples = {
  ...routes("educator", "course"),
  ...routes("admin", "course"),
  ...routes("educator", "path"),
  ...routes("admin", "path"),
  ...examplesOf({
    "GET /api/user/certificates": after(renamed),
    "POST /api/user/certificates/{certificateId}/reissue": after(renamed, () => ({})),
    "POST /api/user/certificates/{certificateId}/renew": after(ending, () => ({})),
  }),
};
