import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { csvForm } from "../../factories/csv-form.js";
import { startTestServer } from "../../server/test-server.js";

test("an import of more rows, or more bytes, than allowed leaves nothing behind", async () => {
  const server = await startTestServer({ own: "counts all rows" });
  const { token } = await server.signedIn("admin");
  const send = (rows: string) =>
    server.call("POST", "/api/admin/enrollments/import", {
      ...{ token, body: csvForm(`email,courseId,expiresAt\n${rows}`) },
    });
  const line = "learner@example.com,665f1c2ab7e4d90012ab34cd,\n";
  const errors = [{ row: 20_002, message: "More than 20000 rows" }];
  const many = { status: 400, body: { success: false, message: "Invalid file", errors } };
  expect(await send(line.repeat(20_001))).toMatchObject(many);
  const wide = `${"x".repeat(9_000)}@example.com,665f1c2ab7e4d90012ab34cd,\n`;
  expect(await send(wide.repeat(1_250))).toMatchObject(refusal(413, "Request body too large"));
  expect(await server.deps.db.EnrollmentImport.countDocuments()).toBe(0);
  expect(await server.deps.db.EnrollmentImportRow.countDocuments()).toBe(0);
});
