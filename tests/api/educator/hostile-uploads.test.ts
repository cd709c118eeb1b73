import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { courseData, courseForm, png } from "../../factories/course-forms.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const educator = await server.signedIn("educator");

const path = "/api/educator/add-course";
const add = (form: FormData) => server.call("POST", path, { token: educator.token, body: form });

/** The header of a picture of 100,000 × 100,000 pixels, which nothing here unpacks. */
function enormous(): Buffer {
  const picture = Buffer.from(png());
  picture.writeUInt32BE(100_000, 16);
  picture.writeUInt32BE(100_000, 20);
  return picture;
}

test.each([
  ["a path for a name", "../../../etc/passwd", "image/png", png()],
  ["a page for a name and a type", "<script>alert(1)</script>.html", "text/html", png()],
  ["a name of 5,000 characters", `${"x".repeat(5_000)}.png`, "image/png", png()],
  ["a page after the picture", "a.png", "image/png", Buffer.concat([png(), Buffer.from("<script>alert(1)</script>")])],
  ["an enormous picture in few bytes", "a.png", "image/png", enormous()],
])("a thumbnail with %s is stored as a picture under a name of the server's own", async (_, name, type, bytes) => {
  const { status, body } = await add(courseForm(courseData(), { bytes, name, type }));
  expect(status).toBe(200);
  const { courseThumbnail } = await server.deps.db.Course.findById(body.courseId).orFail().lean();
  expect(new URL(courseThumbnail).pathname).toMatch(
    /\/image\/upload\/(v\d+\/)?thumbnails\/[0-9a-f]{24}-[0-9a-f]{8}(\.\w+)?$/,
  );
  expect((await fetch(courseThumbnail)).headers.get("content-type")).toMatch(/^image\//);
});

test("a compressed form is refused unread: nothing unpacks what is sent", async () => {
  const before = await server.deps.db.Course.countDocuments({ educatorId: educator.id });
  const form = new Response(courseForm());
  const type = form.headers.get("content-type") ?? "";
  const body = gzipSync(Buffer.from(await form.arrayBuffer()));
  const headers = { "content-type": type, "content-encoding": "gzip" };
  const { status } = await server.call("POST", path, { token: educator.token, body, headers });
  expect(status).toBe(415);
  expect(await server.deps.db.Course.countDocuments({ educatorId: educator.id })).toBe(before);
});
