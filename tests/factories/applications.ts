import { identityOf } from "../server/emulators.js";
import type { SignedIn, TestServer } from "../server/test-server.js";

export const application = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  professionalTitle: "Data engineer",
  bio: "Ten years of pipelines.",
  expertise: ["Data Science", "DevOps & Cloud"],
  linkedinUrl: "https://www.linkedin.com/in/asha",
  ...fields,
});

/** Creates a user whom the server and the identity provider know, so that a role can be written. */
export async function applicant(server: TestServer, name = "Asha Rao"): Promise<SignedIn> {
  const user = await server.signedIn("student", name);
  await identityOf(server.emulators).createUser({ id: user.id, firstName: name, webhook: false });
  return user;
}

/** Submits an application. @returns its id. */
export async function apply(server: TestServer, applicant: SignedIn): Promise<string> {
  await server.post("/api/educator/apply", application(), applicant.token);
  return applicationOf(server, applicant);
}

/** Reads the id of a user's application. */
export const applicationOf = async (server: TestServer, { token }: SignedIn): Promise<string> =>
  (await server.get("/api/educator/application-status", token)).body.application._id;

export const decide = (
  server: TestServer,
  admin: SignedIn,
  id: string,
  decision: "approve" | "reject",
  body?: unknown,
) => server.patch(`/api/admin/educator-applications/${id}/${decision}`, body, admin.token);

/** Reads the user's role at the identity provider. */
export const providerRole = (server: TestServer, userId: string): unknown =>
  identityOf(server.emulators).user(userId)?.publicMetadata.role;
