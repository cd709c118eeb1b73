import type { SignedIn, TestServer } from "../server/test-server.js";

/** Builds the form of a resource. */
export function resourceForm(
  content: string | Uint8Array = "a,b\n1,2\n",
  name = "table.csv",
  field = "file",
): FormData {
  const form = new FormData();
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  form.append(field, new Blob([new Uint8Array(bytes)]), name);
  return form;
}

/** Adds a resource to an educator's course. @returns the resource as the route answers it. */
export async function addResource(server: TestServer, { token }: SignedIn, courseId: unknown, form = resourceForm()) {
  const { status, body } = await server.call("POST", `/api/educator/courses/${courseId}/resources`, {
    ...{ token, body: form },
  });
  if (status !== 200) throw new Error(`a resource was answered ${status}: ${body.message}`);
  return body.resource as { resourceId: string; name: string; size: number; contentType: string; createdAt: string };
}
