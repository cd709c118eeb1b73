import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { styleText } from "node:util";
import { z } from "zod";
import { readArguments } from "../../src/cli/arguments.js";
import { CommandError, environment, run } from "../../src/process.js";
import { requireDevelopmentServer } from "../running-server.js";

/**
 * `npm run tour [-- <address>]` walks through the platform by HTTP, as a learner's browser does: sign in, browse, buy,
 * pay, learn, complete the course and verify the certificate. It prints each step and exits with 1 at the first error.
 * The address defaults to the running development server.
 */
async function main(): Promise<void> {
  const [given] = readArguments("npm run tour [-- <address>]", {}, 1).positionals;
  const { url, emulators } = await requireDevelopmentServer(environment());
  const address = (name: string): string => emulators.find(({ provider }) => provider === name)?.address ?? "";
  const walk = new Walk(given ?? url);

  await walk.step("The server is up", "GET", "/", z.object({ text: z.literal("API Working") }));
  await signUp(walk, address("clerk"));
  const course = await chooseCourse(walk);
  await buy(walk, address("razorpay"), course);
  await learn(walk, course);
  const { file, bytes, certificateId } = await takeCertificate(walk, course);
  process.stdout.write(`\n  The certificate is saved as ${file} (${(bytes / 1024).toFixed(1)} kB).\n`);
  process.stdout.write(`  In a browser: ${walk.url}/api/certificate/verify/${certificateId}\n`);
}

const learner = { firstName: "Tara", lastName: "Sen" };
const fullName = z.literal(`${learner.firstName} ${learner.lastName}`);

async function signUp(walk: Walk, identity: string): Promise<void> {
  const profile = { ...learner, email: `tara.${Date.now()}@example.com` };
  const account = z.object({ user: z.object({ id: z.string() }) });
  const { user } = await walk.step("A learner signs up", "POST", `${identity}/dev/users`, account, profile);
  const session = z.object({ token: z.string() });
  const credentials = { userId: user.id };
  walk.token = (await walk.step("…and signs in", "POST", `${identity}/dev/tokens`, session, credentials)).token;
  await waitFor(
    "the account's webhook to arrive",
    async () => (await walk.request("GET", `${walk.url}/api/user/data`)).body.success === true,
  );
  const known = success({ user: z.object({ name: fullName }) });
  await walk.step("The platform knows the learner", "GET", "/api/user/data", known);
}

/** @returns the id of the paid course with the fewest lectures. */
async function chooseCourse(walk: Walk): Promise<string> {
  const Summary = z.object({
    _id: z.string(),
    coursePrice: z.number(),
    discount: z.number(),
    totalLectures: z.number(),
  });
  const catalog = success({ courses: z.array(Summary).min(1) });
  const { courses } = await walk.step("The learner browses the catalog", "GET", "/api/course/all", catalog);
  const [course] = courses
    .filter(({ coursePrice, discount, totalLectures }) => coursePrice > 0 && discount < 100 && totalLectures > 0)
    .sort((a, b) => a.totalLectures - b.totalLectures);
  if (!course) throw new CommandError("the catalog has no course to buy: run npm run seed");
  const detail = success({ courseData: z.object({ courseTitle: z.string() }) });
  await walk.step("…looks at one course", "GET", `/api/course/${course._id}`, detail);
  return course._id;
}

async function buy(walk: Walk, payments: string, courseId: string): Promise<void> {
  const opened = success({ purchaseId: z.string(), orderId: z.string(), enrolled: z.literal(false) });
  const { purchaseId, orderId } = await walk.step("…decides to buy it", "POST", "/api/user/purchase", opened, {
    courseId,
  });
  const proof = z.object({
    razorpay_order_id: z.string(),
    razorpay_payment_id: z.string(),
    razorpay_signature: z.string(),
  });
  const checkout = `${payments}/dev/orders/${orderId}/pay`;
  const payment = await walk.step("…pays at the provider's checkout", "POST", checkout, proof, {});
  await walk.step("The browser reports the payment", "POST", "/api/user/verify-razorpay", success({}), {
    ...payment,
    purchaseId,
  });
  const owned = success({ enrolledCourses: z.array(z.object({ _id: z.literal(courseId) })).length(1) });
  await walk.step("The course is theirs", "GET", "/api/user/enrolled-courses", owned);
}

async function learn(walk: Walk, courseId: string): Promise<void> {
  // A lecture without a video has blocks, which the player loads one lecture at a time.
  const Lecture = z.object({ lectureId: z.string(), lectureUrl: z.string().optional() });
  const Chapter = z.object({ chapterContent: z.array(Lecture) });
  const content = success({ courseData: z.object({ courseContent: z.array(Chapter) }) });
  const player = `/api/user/enrolled-courses/${courseId}`;
  const { courseData } = await walk.step("The player has the lectures", "GET", player, content);
  const lectures = courseData.courseContent.flatMap(({ chapterContent }) => chapterContent);
  for (const [index, { lectureId }] of lectures.entries()) {
    const last = z.literal(index === lectures.length - 1);
    await walk.step(
      `Lecture ${index + 1} of ${lectures.length} is done`,
      "POST",
      "/api/user/update-course-progress",
      success({ isCourseCompleted: last, certificateAvailable: last }),
      { courseId, lectureId },
    );
  }
}

async function takeCertificate(
  walk: Walk,
  courseId: string,
): Promise<{ file: string; bytes: number; certificateId: string }> {
  const issued = success({ pdfUrl: z.string() });
  const { pdfUrl } = await walk.step("The certificate is there", "GET", `/api/user/certificate/${courseId}`, issued);
  const certificateId = /([0-9a-f-]{36})/.exec(pdfUrl)?.[1] ?? "";
  const pdf = Buffer.from(await (await fetch(pdfUrl)).arrayBuffer());
  if (pdf.subarray(0, 5).toString() !== "%PDF-") throw new CommandError(`${pdfUrl} is not a PDF`);
  const file = `certificate-${certificateId}.pdf`;
  await writeFile(file, pdf);
  walk.token = "";
  const certificate = z.object({ studentName: fullName });
  const verified = success({ valid: z.literal(true), certificate });
  await walk.step("It is verified without a token", "GET", `/api/certificate/verify/${certificateId}`, verified);
  return { file, bytes: pdf.length, certificateId };
}

/** Builds the schema of a successful reply. */
const success = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ success: z.literal(true), ...shape });

/** Sends requests as a learner's browser does. Without a token it is signed out. */
class Walk {
  token = "";
  #steps = 0;

  constructor(readonly url: string) {}

  /** Sends a request and prints it as one step. A reply that does not fit `expected` ends the tour. */
  async step<S extends z.ZodType>(
    title: string,
    method: string,
    path: string,
    expected: S,
    body?: unknown,
  ): Promise<z.output<S>> {
    const target = path.startsWith("http") ? path : this.url + path;
    const started = performance.now();
    const { status, body: reply } = await this.request(method, target, body);
    const ms = (performance.now() - started).toFixed(0);
    const parsed = expected.safeParse(reply);
    const good = status === 200 && parsed.success;
    this.#steps += 1;
    const line = `${String(this.#steps).padStart(2)}. ${title.padEnd(41)} ${method.padEnd(5)} ${shorten(path)}`;
    const mark = good ? styleText("green", "✓") : styleText("red", "✗");
    process.stdout.write(`${mark} ${line.padEnd(98)} ${status} ${ms.padStart(5)} ms\n`);
    if (!good) throw new CommandError(`\n${title}: ${JSON.stringify(reply).slice(0, 400)}`);
    return parsed.data;
  }

  async request(
    method: string,
    target: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(target, {
      method,
      headers: {
        ...(this.token && target.startsWith(this.url) ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : { text };
    return { status: response.status, body: json };
  }
}

async function waitFor(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (await holds()) return;
    await pause(100);
  }
  throw new CommandError(`waited five seconds for ${what}`);
}

/** Shortens ids, so that a step fits one line. */
const shorten = (target: string): string =>
  target
    .replace(/^http:\/\//, "")
    .replace(/[0-9a-f]{24}/g, (hex) => `${hex.slice(0, 4)}…`)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){4}[0-9a-f]{8}/g, (uuid) => `${uuid.slice(0, 8)}…`)
    .replace(/order_\w+/g, (id) => `${id.slice(0, 10)}…`);

run(main);
