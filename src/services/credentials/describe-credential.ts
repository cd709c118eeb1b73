import { createHash, randomBytes } from "node:crypto";
import type { Config } from "../../config.js";
import { type Certificate, describeItem } from "../../models/learning/certificate.js";
import { plainText } from "../ai/plain-text.js";

const contexts = [
  "https://www.w3.org/ns/credentials/v2",
  "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
  "https://purl.imsglobal.org/spec/ob/v3p0/extensions.json",
];

const schema = {
  id: "https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json",
  type: "1EdTechJsonSchemaValidator2019",
};

/** Length of the description in code points. */
const maxDescription = 250;

/** A certificate whose credential has its place, and perhaps a text. */
export type PlacedCertificate = Certificate & Required<Pick<Certificate, "credential">>;

/** What a credential says beside its certificate. */
export interface CredentialFacts {
  readonly did: string;
  readonly config: Pick<Config, "platform" | "frontendUrl" | "backendUrl">;
  /** The description of the course or path, in Markdown. */
  readonly description: string;
  readonly hasRequiredAssessments: boolean;
  /** The learner's verified address; empty without one. */
  readonly email: string;
}

type Item = { readonly courseId: unknown; readonly pathId?: unknown };

/** Public address of a course or path. */
const itemAddress = (backendUrl: string, { courseId, pathId }: Item): string =>
  pathId ? `${backendUrl}/api/paths/${pathId}` : `${backendUrl}/api/course/${courseId}`;

/** Address of the public badge of a course or path. */
export const badgeAddress = (backendUrl: string, item: Item): string => `${itemAddress(backendUrl, item)}/badge.png`;

export const statusListAddress = (backendUrl: string, list: number): string =>
  `${backendUrl}/api/certificate/status/${list}`;

/** Describes a certificate as an Open Badge 3.0, before it is signed. */
export function describeCredential(
  certificate: PlacedCertificate,
  { did, config, description, hasRequiredAssessments, email }: CredentialFacts,
) {
  const { courseTitle, completionDate, expiresAt, credential } = certificate;
  const { platform, frontendUrl, backendUrl } = config;
  const list = statusListAddress(backendUrl, credential.list);
  const madeAt = certificate.reissuedAt ?? certificate.issuedAt ?? completionDate;
  const assessments = hasRequiredAssessments ? " and passing its required assessments" : "";
  const isPath = describeItem(certificate).kind === "path";
  return {
    "@context": contexts,
    id: `urn:uuid:${credential.id}`,
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    name: courseTitle,
    issuer: { id: did, type: ["Profile"], name: platform.name, url: frontendUrl },
    validFrom: madeAt.toISOString(),
    ...(expiresAt && { validUntil: expiresAt.toISOString() }),
    awardedDate: completionDate.toISOString(),
    credentialSubject: {
      type: ["AchievementSubject"],
      identifier: identifiersOf(certificate, email),
      achievement: {
        id: itemAddress(backendUrl, certificate),
        type: ["Achievement"],
        achievementType: isPath ? "LearningProgram" : "CertificateOfCompletion",
        name: courseTitle,
        description: plainText(description, maxDescription) || courseTitle,
        criteria: {
          narrative: isPath
            ? "Completing every course of the path."
            : `Completing every lecture of the course${assessments}.`,
        },
        image: { id: badgeAddress(backendUrl, certificate), type: "Image" },
      },
    },
    credentialSchema: [schema],
    credentialStatus: {
      id: `${list}#${credential.index}`,
      type: "BitstringStatusListEntry",
      statusPurpose: "revocation",
      statusListIndex: String(credential.index),
      statusListCredential: list,
    },
  };
}

/** Says who the learner is: by name, and by an address that only those who know it can recognise. */
function identifiersOf({ studentName, userId }: Pick<Certificate, "studentName" | "userId">, email: string): object[] {
  const named = studentName
    ? [{ type: "IdentityObject", identityType: "name", hashed: false, identityHash: studentName }]
    : [];
  if (email) return [...named, hashedIdentity("emailAddress", email)];
  return named.length > 0 ? named : [hashedIdentity("systemId", userId)];
}

function hashedIdentity(identityType: string, value: string): object {
  const salt = randomBytes(16).toString("base64url");
  const hash = createHash("sha256")
    .update(value + salt)
    .digest("hex");
  return { type: "IdentityObject", identityType, hashed: true, identityHash: `sha256$${hash}`, salt };
}
