import { createHash } from "node:crypto";
import { Ajv2019 } from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { entriesPerList } from "../../../src/services/credentials/find-credential.js";
import { refusal } from "../../assertions/refusal.js";
import { startTestServer } from "../../server/test-server.js";
import schema from "./achievement-credential.schema.json" with { type: "json" };
import { fetchBytes, fetchFrom, holder } from "./holder.js";
import { byHand, byLibrary, readBakedCredential, type Verdict, type Verifier } from "./verifiers.js";

const server = await startTestServer();
const { db } = server.deps;

const verifiers: [string, Verifier][] = [
  ["node:crypto", byHand],
  ["@digitalcredentials/vc", byLibrary],
];

const validate = addFormats.default(new Ajv2019({ strict: false })).compile(schema);

test("a credential says what its certificate says, and fits the schema of 1EdTech", async () => {
  const { learner, courseId, certificateId, credential } = await holder(server, {
    courseDescription: "**Bold** words",
  });
  await db.User.updateOne({ _id: learner.id }, { verifiedEmail: "asha@example.com" });
  const { body, headers, status } = await credential();
  expect([status, body]).toEqual([200, expect.anything()]);
  expect(headers.get("content-disposition")).toBe(`attachment; filename=${certificateId}.json`);
  expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  const { backendUrl, frontendUrl, platform } = server.deps.config;
  const { issuedAt, completionDate, courseTitle } = await db.Certificate.findOne({ certificateId }).orFail().lean();
  const did = "did:web:localhost%3A3000";
  const [name, email] = body.credentialSubject.identifier;
  const hash = createHash("sha256").update(`asha@example.com${email.salt}`).digest("hex");
  expect(body).toMatchObject({
    id: expect.stringMatching(/^urn:uuid:[\da-f-]{36}$/),
    name: courseTitle,
    issuer: { id: did, name: platform.name, url: frontendUrl },
    validFrom: issuedAt?.toISOString(),
    awardedDate: completionDate.toISOString(),
    credentialSubject: {
      identifier: [
        { identityType: "name", hashed: false, identityHash: learner.name },
        { identityType: "emailAddress", hashed: true, identityHash: `sha256$${hash}` },
      ],
      achievement: {
        id: `${backendUrl}/api/course/${courseId}`,
        name: courseTitle,
        description: "Bold words",
        image: { id: `${backendUrl}/api/course/${courseId}/badge.png` },
      },
    },
    proof: [{ cryptosuite: "eddsa-rdfc-2022", verificationMethod: expect.stringMatching(`^${did}#z6Mk`) }],
  });
  expect([name.salt, body.validUntil]).toEqual([undefined, undefined]);
});

test("without a name and an address, a learner is known by the hash of the user id", async () => {
  const { learner, certificateId, credential } = await holder(server);
  await db.Certificate.updateOne({ certificateId }, { studentName: "" });
  await db.User.updateOne({ _id: learner.id }, { $unset: { verifiedEmail: 1 } });
  const [identity, ...others] = (await credential()).body.credentialSubject.identifier;
  const hash = createHash("sha256")
    .update(learner.id + identity.salt)
    .digest("hex");
  expect([identity, others]).toMatchObject([{ identityType: "systemId", identityHash: `sha256$${hash}` }, []]);
});

/** What happens to a credential that was handed out, and what verifiers say of it. */
const fates: [string, Verdict, (held: Awaited<ReturnType<typeof holder>>, credential: any) => unknown][] = [
  ["nothing", "good", () => undefined],
  ["an end in the past", "expired", () => undefined],
  [
    "another name",
    "forged",
    (_held, { credentialSubject }) => Object.assign(credentialSubject.identifier[0], { identityHash: "Mallory" }),
  ],
  [
    "another signature",
    "forged",
    (_held, { proof: [proof] }) => Object.assign(proof, { proofValue: proof.proofValue.replace(/.{4}$/, "1111") }),
  ],
  ["a revocation", "ended", ({ revoke }) => revoke()],
  ["a new edition", "ended", ({ reissue }) => reissue()],
];

test.each(fates.flatMap((fate) => verifiers.map(([name, verify]) => [...fate, name, verify] as const)))(
  "after %s a credential is %s",
  async (what, verdict, happen, _name, verify) => {
    const held = await holder(server);
    const { certificateId } = held;
    if (what.startsWith("an end"))
      await db.Certificate.updateOne({ certificateId }, { expiresAt: new Date(Date.now() - 1) });
    const { body } = await held.credential();
    await happen(held, body);
    expect(await verify(body, fetchFrom(server))).toBe(verdict);
  },
);

test("a credential has the same bytes at every call, on every instance, also when all sign it at once", async () => {
  const [{ credential, badge }, other] = [await holder(server), await server.another()];
  const all = await Promise.all([server, other, server, other].map((on) => credential(on)));
  const texts = all.map(({ body }) => JSON.stringify(body));
  expect(new Set([...texts, readBakedCredential((await badge()).bytes).credentials[0]])).toEqual(new Set([texts[0]]));
});

test("a baked badge is the course's picture with one credential, which wallets can verify", async () => {
  const { badge, credential } = await holder(server);
  const { bytes, headers } = await badge();
  const { width, height, credentials } = readBakedCredential(bytes);
  expect([headers.get("content-type"), width, height]).toEqual(["image/png", 600, 600]);
  expect(credentials.map((text) => JSON.parse(text))).toEqual([(await credential()).body]);
  expect(await byHand(JSON.parse(credentials[0] ?? ""), fetchFrom(server))).toBe("good");
});

test("only the owner of a certificate that holds gets its credential", async () => {
  const { certificateId, learner, credential, revoke } = await holder(server);
  const other = await server.signedIn();
  for (const file of ["credential", "badge.png"]) {
    const of = (id: string) => `/api/user/certificates/${id}/${file}`;
    const unknown = "0b9c1f7e-3a52-4d68-8c0e-5d2f1a7b9e40";
    for (const [id, token] of [
      [certificateId, other.token],
      [unknown, learner.token],
    ] as const)
      expect(await server.get(of(id), token)).toMatchObject(refusal(404, "Certificate not found"));
    expect(await server.get(of(certificateId))).toMatchObject(refusal(401, "Unauthorized Access"));
  }
  await revoke();
  expect(await credential()).toMatchObject(refusal(409, "Certificate was revoked"));
});

test("a new edition has a credential of its own, and an ended entry is never given again", async () => {
  const { certificateId, credential, reissue } = await holder(server);
  const before = (await credential()).body;
  expect(await reissue("New Name")).toMatchObject({ status: 200 });
  const after = (await credential()).body;
  const { reissuedAt } = await db.Certificate.findOne({ certificateId }).orFail().lean();
  expect(after.validFrom).toBe(reissuedAt?.toISOString());
  expect(after.credentialSubject.identifier[0].identityHash).toBe("New Name");
  expect(after.id).not.toBe(before.id);
  expect(after.credentialStatus.id).not.toBe(before.credentialStatus.id);
  expect(await Promise.all([before, after].map((each) => byHand(each, fetchFrom(server))))).toEqual(["ended", "good"]);
});

test("what is handed out while a new edition is made has either the new name or an ended entry", async () => {
  for (let round = 0; round < 4; round += 1) {
    const { credential, reissue } = await holder(server);
    const [first, , ...others] = await Promise.all([credential(), reissue(), credential(), credential()]);
    const present = (await credential()).body;
    for (const { status, body } of [first, ...others]) {
      expect(status).toBe(200);
      expect(await byHand(body, fetchFrom(server))).toBe(body.id === present.id ? "good" : "ended");
    }
  }
});

test("a further list begins when one is full, and its bits are its own", async () => {
  const own = await startTestServer({ own: "fills a status list" });
  const first = await (await holder(own)).credential();
  await own.deps.db.StatusList.updateOne({ _id: 1 }, { taken: entriesPerList - 1 });
  const [last, next] = [await (await holder(own)).credential(), await holder(own)];
  const beyond = await next.credential();
  const places = [first, last, beyond].map(({ body: { credentialStatus } }) =>
    credentialStatus.id.replace(/.*\/status\//, ""),
  );
  expect(places).toEqual(["1#0", `1#${entriesPerList - 1}`, "2#0"]);
  await next.revoke();
  const verdicts = [first, last, beyond].map(({ body }) => byLibrary(body, fetchFrom(own)));
  expect(await Promise.all(verdicts)).toEqual(["good", "good", "ended"]);
  const { headers } = await own.get("/api/certificate/status/2");
  expect(headers.get("cache-control")).toBe("max-age=60");
  for (const list of ["3", "0", "01", "x", "1e9"]) {
    expect(await own.get(`/api/certificate/status/${list}`)).toMatchObject(refusal(404, "Status list not found"));
  }
});

test.each([
  [false, ["ended", null]],
  [true, ["good", expect.objectContaining({ index: expect.any(Number) })]],
])("an erasure that keeps certificates: %s", async (keepCertificates, [verdict, kept]) => {
  const { learner, certificateId, credential, revoke } = await holder(server);
  const { body } = await credential();
  const exported = await server.get("/api/user/export", learner.token);
  expect(JSON.parse(exported.body.export.certificates[0].credential.text)).toEqual(body);
  await server.call("DELETE", "/api/user/data", {
    token: learner.token,
    body: { confirm: learner.id, keepCertificates },
  });
  const row = await db.Certificate.findOne({ certificateId }).lean();
  expect([row?.credential ?? null, row?.credential?.text]).toEqual([kept, undefined]);
  expect(await byHand(body, fetchFrom(server))).toBe(verdict);
  if (!keepCertificates) return;
  await revoke();
  expect(await byHand(body, fetchFrom(server))).toBe("ended");
});

test("the public badge shows the title and the colour of the template, to pages of every origin", async () => {
  const { courseId } = await holder(server);
  const address = `${server.url}/api/course/${courseId}/badge.png`;
  const first = await fetchBytes(address);
  expect(readBakedCredential(first.bytes)).toEqual({ width: 600, height: 600, credentials: [] });
  expect(first.bytes.length).toBeLessThan(200_000);
  const etag = first.headers.get("etag") ?? "";
  expect(await fetchBytes(address, undefined, { "if-none-match": etag, "cache-control": "max-age=0" })).toMatchObject({
    status: 304,
  });
  await db.Course.updateOne({ _id: courseId }, { courseTitle: "分布式系统 وأنظمة நடைமுறை" });
  const second = await fetchBytes(address);
  expect([second.status, second.headers.get("etag") === etag, second.bytes.equals(first.bytes)]).toEqual([
    200,
    false,
    false,
  ]);
  expect(await server.get("/api/course/665f1c2ab7e4d90012ab34cd/badge.png")).toMatchObject(
    refusal(404, "Course not found"),
  );
});

test("pages of every origin read the four public documents, and nothing else", async () => {
  const { courseId, credential } = await holder(server);
  const { body } = await credential();
  const origin = "https://verifier.example";
  const list = new URL(body.credentialStatus.statusListCredential).pathname;
  const open = ["/.well-known/did.json", "/did.json", list, `/api/course/${courseId}/badge.png`];
  for (const path of [...open, `/api/course/${courseId}`]) {
    const { status, headers } = await fetchBytes(server.url + path, undefined, { origin });
    const allowed = headers.get("access-control-allow-origin");
    expect([path, status, allowed]).toEqual([path, 200, open.includes(path) ? "*" : "http://localhost:5173"]);
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  }
});
