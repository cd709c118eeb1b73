import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { png } from "../../factories/course-forms.js";
import { buildCourse } from "../../factories/courses.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const educator = await server.signedIn("educator");
const course = await buildCourse(server, { educatorId: educator.id });
const upload = (content: string | Uint8Array, name: string) =>
  server.post(`/api/educator/courses/${course._id}/resources`, resourceForm(content, name), educator.token);

/** Builds a ZIP archive with empty central directory. */
function zip(entries: Record<string, string>): Buffer {
  const files = Object.entries(entries).map(([name, content]) => {
    const packed = deflateRawSync(Buffer.from(content));
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(Buffer.byteLength(content), 22);
    header.writeUInt16LE(name.length, 26);
    return Buffer.concat([header, Buffer.from(name), packed]);
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  return Buffer.concat([...files, end]);
}

const office = (part: string, type: string) =>
  zip({
    "[Content_Types].xml": `<Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    [part]: "<x/>",
  });
const officeType = (type: string) => `application/vnd.openxmlformats-officedocument.${type}`;
const docx = "wordprocessingml.document";
const pptx = "presentationml.presentation";
const xlsx = "spreadsheetml.sheet";

const odt = "application/vnd.oasis.opendocument.text";
/** One frame, and a tag of ten bytes. */
const mp3 = Buffer.concat([Buffer.from("fffb9064", "hex"), Buffer.alloc(400)]);
const tag = Buffer.concat([Buffer.from("ID3\x03\0\0\0\0\0\x0a", "latin1"), Buffer.alloc(10)]);

test.each<[string, string, string | Uint8Array, string]>([
  ["a PDF", "a.txt", "%PDF-1.7\n", "application/pdf"],
  ["a PDF after other bytes", "a.pdf", `${"\0HTTP".padEnd(1_024)}%PDF-1.4\n`, "application/pdf"],
  ["a PDF after what looks like a picture", "a.pdf", "BM then %PDF-1.4\n", "application/pdf"],
  ["a PDF after XML", "a.pdf", '<?xml version="1.0"?><x/>\n%PDF-1.4\n', "application/pdf"],
  ["an empty archive", "a.zip", zip({}), "application/zip"],
  ["a program of Java", "a.jar", zip({ "META-INF/MANIFEST.MF": "Manifest-Version: 1.0" }), "application/zip"],
  ["a document of another suite", "a.odt", zip({ mimetype: odt }), "application/zip"],
  ["an archive", "a.html", zip({ "index.html": "<script>" }), "application/zip"],
  ["a PNG", "a.svg", png(), "image/png"],
  ["a JPEG", "a", Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex"), "image/jpeg"],
  ["a WebP", "a.webp", Buffer.concat([Buffer.from("RIFF\x24\0\0\0WEBPVP8 "), Buffer.alloc(24)]), "image/webp"],
  ["an MP3", "a.mp3", mp3, "audio/mpeg"],
  ["an MP3 after padding", "a.mp3", Buffer.concat([Buffer.alloc(600), mp3]), "audio/mpeg"],
  ["an MP3 after long padding", "a.mp3", Buffer.concat([Buffer.alloc(1_048_576), mp3]), "audio/mpeg"],
  ["an MP3 with padding after its tag", "a.mp3", Buffer.concat([tag, Buffer.alloc(600), mp3]), "audio/mpeg"],
  ["a document", "a.docx", office("word/document.xml", docx), officeType(docx)],
  ["a presentation", "a.pptx", office("ppt/presentation.xml", pptx), officeType(pptx)],
  ["a workbook", "a.zip", office("xl/workbook.xml", xlsx), officeType(xlsx)],
  ["text", "a.TXT", "Plain", "text/plain"],
  ["text that begins with a link", "a.txt", "<https://example.org> has the slides", "text/plain"],
  ["a table", "a.csv", "name\nÄsop\n", "text/csv"],
  ["Markdown", "a.md", '<p align="center">Hi</p>\n\n# Title', "text/markdown"],
  ["Markdown by its long extension", "a.markdown", "# Title", "text/markdown"],
  ["text that begins with a parameter of a type", "a.txt", "<T extends Shape>(shape: T) => T", "text/plain"],
  ["text that begins with two of them", "a.md", "<K, V>", "text/markdown"],
  ["XML", "a.txt", '<?xml version="1.0"?><x/>', "text/plain"],
  ["captions", "a.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n", "text/vtt"],
  [
    "captions with names, settings and notes",
    "a.vtt",
    "WEBVTT - Film\r\nKind: captions\r\n\r\nNOTE by hand\r\n\r\nfirst\r\n00:00.000 --> 00:00:02.500 align:start\r\n<v Ann>Hi\r\n\r\n\r\n00:01.000 --> 100:00:03.000\r\nHo\r\n",
    "text/vtt",
  ],
  ["captions without cues", "a.vtt", "WEBVTT\n\n", "text/vtt"],
  ["text that begins like a picture", "a.txt", "BMW and GIFT", "text/plain"],
  ["a table that begins like music", "a.csv", "ID3,Name\n", "text/csv"],
  ["text that begins with an address", "a.txt", "<ann@example.org> wrote", "text/plain"],
  ["captions under the name of a text", "a.txt", "WEBVTT\n\n", "text/plain"],
])("%s is recognised", async (_what, name, content, contentType) => {
  expect(await addResource(server, educator, course._id, resourceForm(content, name))).toMatchObject({
    ...{ name, contentType },
  });
});

const table = "Name;Größe\r\nMüller;5 cm\r\n";
const captions = "WEBVTT\n\n00:00.000 --> 00:01.000\nDéjà vu\n";
test.each<[string, string, Buffer, string]>([
  ["UTF-8", "a.csv", Buffer.from(table), "text/csv; charset=utf-8"],
  ["UTF-8 with a mark", "a.csv", Buffer.from(`\ufeff${table}`), "text/csv; charset=utf-8"],
  ["UTF-16", "a.csv", Buffer.from(`\ufeff${table}`, "utf16le"), "text/csv; charset=utf-16le"],
  [
    "UTF-16 in the other order",
    "a.txt",
    Buffer.from(`\ufeff${table}`, "utf16le").swap16(),
    "text/plain; charset=utf-16be",
  ],
  ["UTF-16 without a mark", "a.md", Buffer.from("# 名前\n山田 太郎", "utf16le"), "text/markdown; charset=utf-16le"],
  [
    "UTF-16 without a mark in the other order",
    "a.csv",
    Buffer.from(table, "utf16le").swap16(),
    "text/csv; charset=utf-16be",
  ],
  ["Windows-1252", "a.csv", Buffer.from(table, "latin1"), "text/csv; charset=windows-1252"],
  [
    "Windows-1252 with its own signs",
    "a.txt",
    Buffer.from("Price: 5 \x80 \x96 \x93cheap\x94", "latin1"),
    "text/plain; charset=windows-1252",
  ],
  [
    "Windows-1252 late in the file",
    "a.csv",
    Buffer.from(`${"a;b\n".repeat(30_000)}Zo\xeb;Jos\xe9\n`, "latin1"),
    "text/csv; charset=windows-1252",
  ],
  ["Windows-1252, one letter", "a.txt", Buffer.from("Gr\xf6\xdfe", "latin1"), "text/plain; charset=windows-1252"],
  [
    "Windows-1252, few accents",
    "a.csv",
    Buffer.from("email,name\r\njose@x.example,Jos\xe9\r\n", "latin1"),
    "text/csv; charset=windows-1252",
  ],
  [
    "Windows-1252, a Spanish word",
    "a.txt",
    Buffer.from("ciudad\r\nLogro\xf1o\r\n", "latin1"),
    "text/plain; charset=windows-1252",
  ],
  ["captions in Windows-1252", "a.vtt", Buffer.from(captions, "latin1"), "text/vtt; charset=windows-1252"],
  [
    "Windows-1251",
    "a.csv",
    Buffer.from("c8ecff3bd4e0ece8ebe8ff0ac8e2e0ed3bcfe5f2f0eee20a", "hex"),
    "text/csv; charset=windows-1251",
  ],
  ["Shift_JIS", "a.csv", Buffer.from("96bc914f2c8f5a8f8a0a8e5293632c938c8b9e0a", "hex"), "text/csv; charset=shift_jis"],
  ["GB18030", "a.csv", Buffer.from("d0d5c3fb2cb5d8d6b70ad5c5c8fd2cb1b1beA9cad00a", "hex"), "text/csv; charset=gb18030"],
  ["EUC-KR", "a.csv", Buffer.from("c0ccb8a72cc1d6bcd20ac8abb1e6b5bf2cbcadbfef0a", "hex"), "text/csv; charset=euc-kr"],
])("a text in %s is stored as it is and sent with its encoding", async (_encoding, name, content, contentType) => {
  const { resourceId } = await addResource(server, educator, course._id, resourceForm(content, name));
  const headers = { authorization: `Bearer ${educator.token}` };
  const answer = await fetch(`${server.url}/api/user/resources/${course._id}/${resourceId}`, { headers });
  expect(answer.headers.get("content-type")).toBe(contentType);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
});

test.each<[string, string, string | Uint8Array]>([
  ["a page", "a.html", "<!DOCTYPE html><p>Hi</p>"],
  ["a page under the name of a text", "a.txt", "<!DOCTYPE html><p>Hi</p>"],
  ["a page under the name of Markdown", "a.md", "\n <HTML><script>alert(1)</script>"],
  ["a page after comments", "a.md", "<!-- a --> <!-- b -->\n<script>alert(1)</script>"],
  ["a page after a byte order mark", "a.csv", "\uFEFF<html>"],
  ["a page that begins with an element", "a.txt", "<div onclick='x'>Hi</div>"],
  ["a drawing", "a.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a drawing under the name of a text", "a.txt", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a drawing under the name of a picture", "a.png", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a page that begins with a heading", "a.csv", "<h2>Hi</h2><script>alert(1)</script>"],
  ["a part of a drawing", "a.md", '<svg:rect xmlns:svg="http://www.w3.org/2000/svg"/>'],
  ["a drawing with a prefix", "a.md", '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'],
  ["a drawing after a prolog", "a.txt", '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a page under the name of a PDF", "a.pdf", "<html><!-- %PDF-1.4 -->"],
  ["a program before a PDF", "a.pdf", Buffer.from("MZ\0\0%PDF-1.4", "latin1")],
  ["a program of Linux before a PDF", "a.pdf", "\x7fELF\x02\x01\x01%PDF-1.4"],
  ["a drawing before a PDF", "a.pdf", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>%PDF-1.4'],
  ["a PDF after too many bytes", "a.pdf", `${" ".repeat(1_025)}%PDF-1.4\n`],
  ["a program", "a.txt", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(100)])],
  ["a picture of another type", "a.png", Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1")],
  ["text with another name", "a.js", "alert(1)"],
  ["text without an extension", "a", "Hi"],
  ["text with a control character", "a.txt", "a\x01b"],
  ["a page in UTF-16", "a.txt", Buffer.from("\ufeff<html>", "utf16le")],
  ["a page in UTF-16 without a mark", "a.csv", Buffer.from("<script>1</script>", "utf16le")],
  ["a page in UTF-16 in the other order", "a.md", Buffer.from("<svg xmlns='x'/>", "utf16le").swap16()],
  ["a page in an older encoding", "a.txt", Buffer.from("<h1>Caf\xe9</h1>", "latin1")],
  [
    "a page in UTF-16 before a PDF",
    "a.pdf",
    Buffer.concat([Buffer.from("<html>", "utf16le"), Buffer.from("%PDF-1.4")]),
  ],
  ["half a character of UTF-16", "a.txt", Buffer.from("\ufeffHi", "utf16le").subarray(0, 5)],
  ["pieces of a program", "a.txt", Buffer.from("4889e54883ec1089", "hex")],
  ["text with a zero byte", "a.csv", "a\0b"],
])("%s is refused", async (_what, name, content) => {
  expect(await upload(content, name)).toMatchObject(refusal(400, "File type not allowed"));
});

test.each<[string, number, string]>([
  ["with a wrong time", 3, "WEBVTT\n\n00:00.000 --> 00:61.000\nHi\n"],
  ["in the form of SubRip", 4, "WEBVTT\n\n1\n00:00:00,000 --> 00:00:01,000\nHi\n"],
  ["that end before they start", 3, "WEBVTT\r\n\r\n00:02.000 --> 00:01.000\r\nHi\r\n"],
  ["out of order", 6, "WEBVTT\n\n00:02.000 --> 00:03.000\nHi\n\n00:01.000 --> 00:03.000\nHo\n"],
  ["without a blank line between", 5, "WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n00:01.000 --> 00:02.000\n"],
  ["with text of no cue", 3, "WEBVTT\n\nHi\n"],
  ["with a name of no cue", 4, "WEBVTT\n\nfirst\n\n00:00.000 --> 00:01.000\nHi\n"],
  ["without their signature", 1, "00:00.000 --> 00:01.000\nHi\n"],
])("captions %s are refused, and the line is named", async (_what, line, content) => {
  const answer = await upload(content, "a.vtt");
  expect(answer).toMatchObject(refusal(400, "File type not allowed"));
  expect(answer.headers.get("x-invalid")).toContain(`body.file: line ${line}: `);
});
