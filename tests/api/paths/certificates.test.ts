import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { issuedCertificate } from "../../factories/certificates.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import { startTestServer } from "../../server/test-server.js";
import { fetchBytes } from "../credentials/holder.js";
import { pathRoom } from "./path-room.js";

const server = await startTestServer();
const { db, config } = server.deps;

/** A learner with the certificate of a path, and the calls of its educator. */
async function certified() {
  const room = await pathRoom(server);
  await room.complete(0);
  await room.complete(1);
  const { certificateId } = await issuedCertificate(server, room.own);
  const pathId = String(room.path._id);
  const admin = await server.signedIn("admin");
  const call = (
    method: string,
    rest: string,
    { as = room.educator, id = pathId, body = undefined as object | undefined } = {},
  ) =>
    server.call(method, `/api/${as === admin ? "admin" : "educator"}/paths/${id}/${rest}`, {
      token: as.token,
      ...(body && { body }),
    });
  return { ...room, certificateId, pathId, admin, call };
}

test("the certificate of a path names the path, is verified and is not renewed", async () => {
  const { learner, certificateId, pathId } = await certified();
  const item = { kind: "path", courseId: null, pathId, courseTitle: "From zero to types" };
  const { certificates } = (await server.get("/api/user/certificates", learner.token)).body;
  expect(certificates.find((one: { kind: string }) => one.kind === "path")).toMatchObject({
    ...item,
    ...{ certificateId, state: "valid", canRenew: false },
  });
  expect(certificates.filter((one: { kind: string }) => one.kind === "course")).toMatchObject([
    { pathId: null },
    { pathId: null },
  ]);
  expect((await server.get(`/api/certificate/verify/${certificateId}`)).body.certificate).toMatchObject({
    courseTitle: item.courseTitle,
  });
  const page = await fetch(`${server.url}/api/certificate/verify/${certificateId}`, {
    headers: { accept: "text/html" },
  });
  const html = await page.text();
  for (const text of ["completed the path", `/api/paths/${pathId}/badge.png`]) expect(html).toContain(text);
  expect(await server.post(`/api/user/certificates/${certificateId}/renew`, {}, learner.token)).toMatchObject(
    refusal(409, "Certificate does not expire soon"),
  );
  const issued = await db.Event.findOne({ type: "certificate.issued", "data.certificateId": certificateId }).lean();
  expect(issued?.data).toMatchObject({ courseId: null, pathId });
});

test("its Open Badge is a learning program, with a public badge of the path", async () => {
  const { learner, certificateId, pathId } = await certified();
  const { body } = await server.get(`/api/user/certificates/${certificateId}/credential`, learner.token);
  expect(body.credentialSubject.achievement).toMatchObject({
    ...{ id: `${config.backendUrl}/api/paths/${pathId}`, achievementType: "LearningProgram" },
    ...{ name: "From zero to types", criteria: { narrative: "Completing every course of the path." } },
    image: { id: `${config.backendUrl}/api/paths/${pathId}/badge.png` },
  });
  const badge = await fetchBytes(`${server.url}/api/paths/${pathId}/badge.png`);
  expect([badge.status, badge.headers.get("content-type")]).toEqual([200, "image/png"]);
  for (const id of ["665f1c2ab7e4d90012ab34cd", "none"])
    expect(await server.get(`/api/paths/${id}/badge.png`)).toMatchObject(refusal(404, "Path not found"));
});

test("educators and administrators manage its certificates and its template", async () => {
  const { learner, educator, admin, certificateId, pathId, second, call } = await certified();
  const stranger = await server.signedIn("educator");
  for (const rest of ["certificates", "certificate-template"]) {
    expect(await call("GET", rest, { as: stranger })).toMatchObject(refusal(403, "Not authorized"));
    expect(await call("GET", rest, { id: "none" })).toMatchObject(refusal(404, "Path not found"));
    expect(await call("GET", rest, { as: admin })).toMatchObject({ status: 200 });
  }
  const { certificates } = (await call("GET", "certificates")).body;
  expect(certificates).toMatchObject([{ certificateId, kind: "path", pathId, userId: learner.id, state: "valid" }]);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const { resourceId } = await addResource(server, educator, second, resourceForm(png, "logo.png"));
  const put = await call("PUT", "certificate-template", { body: { heading: "Diploma", logo: resourceId } });
  expect(put.body.template).toMatchObject({ heading: "Diploma", logo: resourceId });
  expect(await server.delete(`/api/educator/courses/${second}/resources/${resourceId}`, educator.token)).toMatchObject(
    refusal(409, "Resource is in use"),
  );
  const reason = "A new look";
  const again = await call("POST", `certificates/${certificateId}/reissue`, { body: { reason }, as: admin });
  expect(again.body.certificate).toMatchObject({ edition: 2 });
  const revoked = await call("POST", `certificates/${certificateId}/revoke`, { body: { reason } });
  expect(revoked.body.certificate).toMatchObject({ state: "revoked" });
  // The certificate of a course is not the path's.
  const other = await db.Certificate.findOne({ userId: learner.id, courseId: second }).orFail().lean();
  await db.Certificate.updateOne({ _id: other._id }, { status: "issued", issuedAt: new Date() });
  expect(await call("POST", `certificates/${other.certificateId}/revoke`, { body: { reason } })).toMatchObject(
    refusal(404, "Certificate not found"),
  );
});
