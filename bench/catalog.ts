import { cpuPerRequest, median, printTable, startSubject } from "./support.js";

/** The catalog against raw node:http serving the same bytes, and against itself with a thousand times the students. */
const application = await startSubject("bench/subjects/application.ts");
const raw = await startSubject("bench/subjects/raw-http.ts");
const path = "/api/course/all";
const rows = [];
for (const count of [20, 100, 500]) {
  for (const encoding of ["identity", "br"]) {
    const headers = { "accept-encoding": encoding };
    await application.ask("courses", { count, students: 40 });
    const reply = await fetch(application.url + path, { headers });
    const rawReply = await serveSame(reply, encoding);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < 3; round++) {
      ours.push(await cpuPerRequest(application, { path, amount: 1500, headers }));
      theirs.push(await cpuPerRequest(raw, { path, amount: 1500, headers }));
    }
    rows.push({
      courses: count,
      encoding,
      kB: rawReply / 1024,
      "µs/request": median(ours),
      "raw µs/request": median(theirs),
      ratio: median(ours) / median(theirs),
    });
  }
}
printTable("GET /api/course/all beside raw node:http with the same bytes (CPU)", rows);

const growth = [];
for (const students of [40, 40_000]) {
  await application.ask("courses", { count: 100, students });
  const used: number[] = [];
  for (let round = 0; round < 3; round++)
    used.push(await cpuPerRequest(application, { path, amount: 1500, headers: { "accept-encoding": "br" } }));
  growth.push({ "students per course": students, "µs/request": median(used) });
}
const ratio = (growth[1]?.["µs/request"] ?? 0) / (growth[0]?.["µs/request"] ?? 1);
printTable(`100 courses: ratio ${ratio.toFixed(2)} from 40 to 40,000 students`, growth);
await application.end();
await raw.end();

/** Makes the raw server answer with the very bytes that went over the wire. @returns their number. */
async function serveSame(reply: Response, encoding: string): Promise<number> {
  const { default: http } = await import("node:http");
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    http
      .get(application.url + path, { headers: { "accept-encoding": encoding } }, (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (chunk: Buffer) => chunks.push(chunk));
        res.on("end", () => resolve(Buffer.concat(chunks)));
      })
      .on("error", reject);
  });
  const headers = Object.fromEntries(
    [...reply.headers].filter(([name]) => !["content-length", "connection", "date", "keep-alive"].includes(name)),
  );
  await raw.ask("serve", { base64: bytes.toString("base64"), headers });
  return bytes.length;
}
