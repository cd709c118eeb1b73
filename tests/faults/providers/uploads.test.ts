import { once } from "node:events";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { removeLeftUploads } from "../../../src/http/upload.js";
import { refusal } from "../../assertions/refusal.js";
import { courseData, courseForm, png } from "../../factories/course-forms.js";
import { temporaryFolder } from "../../server/after-use.js";
import { storageOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";

const openFiles = async (): Promise<number> => (await readdir("/proc/self/fd")).length;
/** Sends a form up to `bytes` of its body, then hangs up without a word. */
async function abortedUpload(server: TestServer, { token }: SignedIn, body: Buffer, bytes: number): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  const head = [
    "POST /api/educator/add-course HTTP/1.1",
    `Host: ${hostname}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: multipart/form-data; boundary=frontier",
    `Content-Length: ${body.length}`,
    "",
    "",
  ].join("\r\n");
  await new Promise<void>((resolve) =>
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, bytes)]), () => resolve()),
  );
  socket.destroy();
  await once(socket, "close");
}

async function uploadFolder(): Promise<string> {
  const folder = await temporaryFolder();
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

test("a start removes what killed processes have left, and nothing else", async () => {
  const folder = await uploadFolder();
  const kept = ["lyceum-upload-new", "other"];
  for (const name of ["lyceum-upload-old", ...kept]) await mkdir(join(folder, name));
  await writeFile(join(folder, "lyceum-upload-old", "file"), "");
  for (const name of ["lyceum-upload-old", "other"]) await utimes(join(folder, name), 0, 0);
  await removeLeftUploads();
  expect((await readdir(folder)).sort()).toEqual(kept.sort());
});

test("a temporary file that cannot be written is an unexpected error, and keeps no turn", async () => {
  const server = await startTestServer();
  const { token } = await server.signedIn("educator");
  const form = () => courseForm(courseData(), { bytes: png(2_000_000) });
  vi.stubEnv("TMPDIR", "/dev/null");
  onTestFinished(() => void vi.unstubAllEnvs());
  for (let times = 0; times < 6; times += 1)
    expect(await server.post("/api/educator/add-course", form(), token)).toMatchObject(
      refusal(500, "An unexpected error occurred"),
    );
  vi.unstubAllEnvs();
  expect((await server.post("/api/educator/add-course", form(), token)).status).toBe(200);
});

test("a form that is too long is answered before its end", async () => {
  const server = await startTestServer();
  const { token } = await server.signedIn("educator");
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) }).on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  const head = ["POST /api/educator/add-course HTTP/1.1", `Host: ${hostname}`, `Authorization: Bearer ${token}`];
  const form = ["Content-Type: multipart/form-data; boundary=b", "Transfer-Encoding: chunked", "", ""];
  socket.write([...head, ...form].join("\r\n"));
  const piece = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000), Buffer.from("\r\n")]);
  for (let pieces = 0; pieces < 20; pieces += 1) socket.write(piece);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 [\s\S]*\r\nConnection: close\r\n/);
});

test.runIf(process.platform === "linux")(
  "two hundred uploads broken off leave no open file, no file and no course",
  async () => {
    const temporary = await uploadFolder();
    const server = await startTestServer({ own: "counts open files" });
    const educators = await Promise.all(Array.from({ length: 4 }, () => server.signedIn("educator")));
    const [educator] = educators as [SignedIn, ...SignedIn[]];
    const body = Buffer.concat([
      Buffer.from('--frontier\r\nContent-Disposition: form-data; name="courseData"\r\n\r\n{}\r\n'),
      Buffer.from(
        '--frontier\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
      ),
      png(60_000),
      Buffer.from("\r\n--frontier--\r\n"),
    ]);
    const rounds = async (count: number) => {
      for (let done = 0; done < count; done += 4) {
        await Promise.all(
          educators.map((who, n) => {
            const part = ((done + n) % 20) + 0.5;
            return abortedUpload(server, who, body, Math.floor((body.length * part) / 20));
          }),
        );
      }
    };
    await rounds(40); // the connections that stay open anyway
    const before = await openFiles();
    await rounds(200);
    // Pools of other servers in this process may open a few connections meanwhile; a leak would be two hundred.
    await expect.poll(openFiles).toBeLessThan(before + 50);
    // The emulator of the storage keeps its files there too.
    const left = async () =>
      (await readdir(temporary, { recursive: true })).filter(
        (name) => name.includes("lyceum-upload-") && name.includes("/"),
      );
    await expect.poll(left).toEqual([]);
    expect(storageOf(server.emulators).assets()).toEqual([]);
    expect((await server.get("/api/educator/courses", educator.token)).body.courses).toEqual([]);
    expect((await server.post("/api/educator/add-course", courseForm(), educator.token)).status).toBe(200);
  },
);
