import { once } from "node:events";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { removeLeftUploads } from "../../../src/http/upload.js";
import { courseForm, png } from "../../factories/course-forms.js";
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
  const [own, killed] = [process.pid, 2 ** 22 + 1];
  const left = [`lyceum-upload-${killed}-a`, `lyceum-upload-${own}-before`];
  const kept = [`lyceum-upload-${own}-a`, `lyceum-upload-${process.ppid}-a`, "other"];
  for (const name of [...left, ...kept]) await writeFile(join(folder, name), "");
  await utimes(join(folder, left[1] ?? ""), 0, 0);
  await removeLeftUploads();
  expect((await readdir(folder)).sort()).toEqual(kept.sort());
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
    const left = async () => (await readdir(temporary)).filter((name) => !name.startsWith("emulated-media-"));
    await expect.poll(left).toEqual([]);
    expect(storageOf(server.emulators).assets()).toEqual([]);
    expect((await server.get("/api/educator/courses", educator.token)).body.courses).toEqual([]);
    expect((await server.post("/api/educator/add-course", courseForm(), educator.token)).status).toBe(200);
  },
);
