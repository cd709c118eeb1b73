import { expect, test } from "vitest";
import { ApplicationBody } from "../../src/api/educator/applications/applications.schemas.js";
import { CourseChanges } from "../../src/api/educator/courses/courses.schemas.js";
import { NewWebhookBody, WebhookChangesBody } from "../../src/api/webhooks/webhooks.schemas.js";
import { webAddress } from "../../src/lib/fields.js";

const ambiguous = "https://www.youtube.com\\.evil.example/";
const normal = "https://www.youtube.com/.evil.example/";

test.each([
  ["https://a.example/a.mp4?b=c&d#e", "https://a.example/a.mp4?b=c&d#e"],
  ["https://a.example", "https://a.example"],
  ["HTTPS://WWW.A.example/B%20c", "HTTPS://WWW.A.example/B%20c"],
  ["http://127.0.0.1:8080/~a/@b:c", "http://127.0.0.1:8080/~a/@b:c"],
  ["https://a.example/ü?é#ö", "https://a.example/ü?é#ö"],
  [" https://a.example/b ", "https://a.example/b"],
  [ambiguous, normal],
  ["https://a%2eexample/", "https://a.example/"],
  ["https://a.example:443/b", "https://a.example/b"],
  ["https://ａ.example/", "https://a.example/"],
  ["https://bücher.example/ü b", "https://xn--bcher-kva.example/%C3%BC%20b"],
  ["https://0x7f.1/", "https://127.0.0.1/"],
])("%j is stored as %j", (sent, stored) => {
  expect(webAddress(60).parse(sent)).toBe(stored);
  expect(webAddress(60).parse(stored)).toBe(stored);
});

test.each([
  ...["", "a.example", "//a.example/", "ftp://a.example/", "javascript:alert(1)", "https://", "https://a b.example/"],
  ...["https://a@b.example/", "https://a\\b@evil.example/", "https://a\n.example/", "https:\\\\a.example/"],
  `https://a.example/${"x".repeat(60)}`,
])("%j is refused", (sent) => {
  expect(webAddress(60).safeParse(sent).success).toBe(false);
});

test("an address has a host of at most 253 characters, and a port", () => {
  const longest = `https://${"a.".repeat(126)}b:65535/`;
  expect(webAddress(2_048).parse(longest)).toBe(longest);
  expect(webAddress(2_048).safeParse(longest.replace("b", "bc")).success).toBe(false);
});

test("every address that clients send is stored as browsers read it", () => {
  const url = ambiguous;
  const blocks = [
    { kind: "video", url, captions: [{ language: "en", url }] },
    { kind: "embed", url },
  ];
  const lecture = { lectureId: "l", lectureTitle: "L", lectureDuration: 1, isPreviewFree: true, lectureOrder: 1 };
  const chapter = { chapterId: "c", chapterTitle: "C", chapterOrder: 1 };
  const chapterContent = [{ ...lecture, lectureUrl: url, blocks }];
  const application = { professionalTitle: "T", bio: "B", expertise: ["E"], linkedinUrl: url };
  const parsed = [
    CourseChanges.parse({ version: 1, courseContent: [{ ...chapter, chapterContent }] }),
    ApplicationBody.parse(application),
    NewWebhookBody.parse({ url, types: ["*"] }),
    WebhookChangesBody.parse({ url }),
  ];
  expect(JSON.stringify(parsed).split(normal)).toHaveLength(1 + 4 + 1 + 1 + 1);
});
