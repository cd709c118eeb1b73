import { certificateRoom } from "../../api/certificates/certified.js";
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

/** Routes that have the same path for the educator of a course and for administrators. */
function routes(role: "educator" | "admin"): Examples {
  const managed = async (scene: Scene) => {
    const { room, certificateId } = await renamed(scene);
    const token = role === "admin" ? (await newAdmin(scene)).token : room.educator.token;
    return { id: room.courseId, certificateId, token };
  };
  const course = `/api/${role}/courses/{id}`;
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
  ...routes("educator"),
  ...routes("admin"),
  ...examplesOf({
    "GET /api/user/certificates": after(renamed),
    "POST /api/user/certificates/{certificateId}/reissue": after(renamed, () => ({})),
    "POST /api/user/certificates/{certificateId}/renew": after(ending, () => ({})),
  }),
};
