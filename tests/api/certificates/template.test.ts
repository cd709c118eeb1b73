import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { aroundFrame, frameOf, jpeg, segment, withSize } from "../../factories/jpeg.js";
import { png } from "../../factories/png.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";
import { certificateRoom } from "./certified.js";

const server = await startTestServer();
const { db } = server.deps;
const defaults = {
  ...{ heading: null, statement: null, recognition: null, color: null },
  ...{ logo: null, signatories: [], validMonths: null },
};

/** A PDF as text, with its packed streams: it holds the words for readers of fitted texts, and of pictures. */
async function wordsOf(pdf: Response): Promise<string> {
  const text = Buffer.from(await pdf.arrayBuffer()).toString("latin1");
  const pieces = text.split(/stream\n|\nendstream/).map((piece, i) => {
    try {
      return i % 2 ? inflateSync(Buffer.from(piece, "latin1")).toString("latin1") : piece;
    } catch {
      return "";
    }
  });
  return pieces.join("\n");
}

test("a template is stored whole, and removed", async () => {
  const room = await certificateRoom(server);
  expect((await room.get("certificate-template")).body).toEqual({ success: true, template: defaults });
  const template = { ...defaults, heading: "Diploma", color: "#7c2d12", validMonths: 12, recognition: "" };
  expect((await room.put("certificate-template", template)).body).toEqual({ success: true, template });
  const { body: shorter } = await room.put("certificate-template", { statement: "has done" });
  expect(shorter.template).toEqual({ ...defaults, statement: "has done" });
  expect((await room.get("certificate-template", "admin")).body.template).toEqual({
    ...defaults,
    statement: "has done",
  });
  for (const _again of [1, 2]) {
    const path = room.path("certificate-template");
    expect((await server.call("DELETE", path, { token: room.educator.token })).body).toEqual({ success: true });
  }
  expect((await room.get("certificate-template")).body.template).toEqual(defaults);
  const stranger = await server.signedIn("educator");
  const refused = await server.get(room.path("certificate-template"), stranger.token);
  expect(refused).toMatchObject(refusal(403, "Not authorized"));
});

test("bad templates are refused before any work", async () => {
  const room = await certificateRoom(server);
  const resource = (content: Buffer | string, name: string) =>
    addResource(server, room.educator, room.courseId, resourceForm(content, name));
  const [huge, wide, text, blank] = [
    await resource(png(20_000, 5_000, 1), "huge.png"),
    await resource(Buffer.concat([png(8, 8), Buffer.alloc(1024 * 1024)]), "heavy.png"),
    await resource("a,b", "table.csv"),
    await resource(png(8, 8, 0), "broken.png"),
  ];
  const signatory = { name: "Dr. Ana Silva" };
  for (const [body, rule] of [
    [{ color: "#14b8a6" }, "body.color"],
    [{ color: "teal" }, "body.color"],
    [{ validMonths: 121 }, "body.validMonths"],
    [{ validMonths: 1e300 }, "body.validMonths"],
    [{ heading: "" }, "body.heading"],
    [{ heading: "x".repeat(61) }, "body.heading"],
    [{ signatories: Array(10_000).fill({}) }, "body.signatories"],
    [{ signatories: [{ name: "" }] }, "body.signatories"],
    [{ logo: huge.resourceId }, "body.logo"],
    [{ logo: wide.resourceId }, "body.logo"],
    [{ logo: text.resourceId }, "body.logo"],
    [{ logo: blank.resourceId }, "body.logo"],
    [{ signatories: [{ ...signatory, signature: huge.resourceId }] }, "body.signatories[0].signature"],
  ] as const) {
    for (const answer of [
      await room.put("certificate-template", body),
      await room.post("certificate-template/preview", body),
    ]) {
      expect(answer, JSON.stringify(body).slice(0, 99)).toMatchObject(refusal(400, "Invalid request data"));
      expect(answer.headers.get("x-invalid")).toContain(rule);
    }
  }
  const unknown = { logo: "665f1c2ab7e4d90012ab34cd" };
  expect(await room.put("certificate-template", unknown)).toMatchObject(refusal(404, "Resource not found"));
});

test("no header hides the size of a picture", async () => {
  const room = await certificateRoom(server);
  const small = await jpeg(40, 20);
  const huge = withSize(small, 16_000);
  const [smallFrame, hugeFrame, fill] = [frameOf(small), frameOf(huge), Buffer.from([0xff])];
  const comment = (content: Buffer) => segment(0xfe, content);
  // A reader that takes the fill byte for a marker reads the length 0xc000, and meets the small frame in the comment.
  const distance = 0xc000 + 2 - fill.length - hugeFrame.length - 4;
  const misleading = comment(Buffer.concat([Buffer.alloc(distance), smallFrame]));
  const thumbnail = segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), await jpeg(160, 120)]));
  const scan = Buffer.from("ffda0008010100003f00", "hex");
  const tooLarge = "over 4096 pixels a side";
  const rules = new Map<Buffer, string>([
    [huge, tooLarge],
    [withSize(small, 4_097), tooLarge],
    [aroundFrame(huge, Buffer.alloc(9, 0xff)), tooLarge],
    [aroundFrame(huge, fill, misleading), tooLarge],
    [aroundFrame(huge, comment(smallFrame)), tooLarge],
    [aroundFrame(huge, smallFrame), "not a PNG or JPEG"],
    [aroundFrame(small, hugeFrame), "not a PNG or JPEG"],
    [Buffer.concat([small, ...Array<Buffer>(100).fill(scan)]), "over 100 scans"],
    [small, ""],
    [aroundFrame(small, fill), ""],
    [aroundFrame(small, comment(hugeFrame)), ""],
    [aroundFrame(small, thumbnail), ""],
    [await jpeg(4_096, 4_096, true), ""],
  ]);
  for (const [content, rule] of rules) {
    const form = resourceForm(content, "logo.jpg");
    const { resourceId } = await addResource(server, room.educator, room.courseId, form);
    const answer = await room.put("certificate-template", { logo: resourceId });
    expect([answer.status, answer.headers.get("x-invalid") ?? ""]).toEqual(
      rule ? [400, `body.logo: ${rule}`] : [200, ""],
    );
  }
});

test("a template holds its pictures, and shapes certificates that are made afterwards", async () => {
  const room = await certificateRoom(server);
  const [early, late] = [await room.learner("Early Bird"), await room.learner("Late Comer")];
  const first = await room.complete(early);
  const { resourceId } = await addResource(server, room.educator, room.courseId, resourceForm(png(40, 20), "logo.png"));
  const signatories = [{ name: "Dr. Ana Silva", title: "Dean", signature: resourceId }];
  const body = { heading: "Diploma", logo: resourceId, signatories, validMonths: 1 };
  expect((await room.put("certificate-template", body)).status).toBe(200);
  const remove = () => server.call("DELETE", room.path(`resources/${resourceId}`), { token: room.educator.token });
  expect(await remove()).toMatchObject(refusal(409, "Resource is in use"));

  const second = await room.complete(late);
  const row = await room.rowOf(second);
  const { completionDate, expiresAt } = row;
  expect(expiresAt?.getUTCMonth()).toBe((completionDate.getUTCMonth() + 1) % 12);
  const text = await wordsOf(await fetch(row.pdfUrl ?? ""));
  for (const part of ["Diploma", "Signature of Dr. Ana Silva", "Dean", "Logo of the course"])
    expect(text).toContain(part);
  expect((await room.rowOf(first)).expiresAt).toBeUndefined();
  // The template has changed since, so that the same name is a new edition. It gets no end.
  const again = await room.post(`certificates/${first}/reissue`, { reason: "New look" });
  expect(again.body.certificate).toMatchObject({ edition: 2, expiresAt: null });
  expect((await room.post(`certificates/${first}/reissue`, { reason: "New look" })).status).toBe(409);
  const renewed = await wordsOf(await fetch((await room.rowOf(first)).pdfUrl ?? ""));
  expect(renewed).toContain("Diploma");

  const rows = await db.CertificateTemplate.countDocuments({ _id: room.course._id });
  const preview = await fetch(`${server.url}${room.path("certificate-template/preview")}`, {
    ...{ method: "POST", body: "{}" },
    headers: { authorization: `Bearer ${room.educator.token}`, "content-type": "application/json" },
  });
  expect(preview.headers.get("content-type")).toBe("application/pdf");
  const specimen = await wordsOf(preview);
  for (const part of ["Diploma", "Dean"]) expect(specimen).toContain(part);
  expect(specimen).not.toContain("QR code");
  expect([await db.CertificateTemplate.countDocuments({ _id: room.course._id }), rows]).toEqual([1, 1]);
  expect((await room.put("certificate-template", {})).status).toBe(200);
  expect((await remove()).status).toBe(200);
  await runJob(server, "discard-resources");
});
