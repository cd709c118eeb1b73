import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { styleText } from "node:util";
import { z } from "zod";

/**
 * `npm run tour`: walks the main job through HTTP against the running development server, as a learner's browser would:
 * sign in, browse, buy, pay, learn, complete, hold a certificate that anybody can verify. Prints each step; exits 1 at the
 * first deviation. Arguments: the server's address (default: the one that `npm run dev` wrote down).
 */
const Running = z.object({
  url: z.string(),
  sandbox: z.array(z.object({ collaborator: z.string(), address: z.string() })),
});

class Deviation extends Error {}

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function main(): Promise<void> {
  const { url, identity, payments } = await findServer(process.argv[2]);
  let token = "";
  let count = 0;

  const request = async (method: string, target: string, body?: unknown): Promise<Reply & { ms: number }> => {
    const started = performance.now();
    const response = await fetch(target, {
      method,
      headers: {
        ...(token && target.startsWith(url) ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : { text };
    return { status: response.status, body: json, ms: performance.now() - started };
  };

  /** One visible step. `expected` is what the reply must contain; anything else ends the tour. */
  const step = async <S extends z.ZodType>(
    title: string,
    method: string,
    path: string,
    expected: S,
    body?: unknown,
  ): Promise<z.output<S>> => {
    const target = path.startsWith("http") ? path : url + path;
    const { status, body: reply, ms } = await request(method, target, body);
    const parsed = expected.safeParse(reply);
    const good = status === 200 && parsed.success;
    const line = `${String(++count).padStart(2)}. ${title.padEnd(41)} ${method.padEnd(5)} ${shorten(target, url)}`;
    const mark = good ? styleText("green", "✓") : styleText("red", "✗");
    process.stdout.write(`${mark} ${line.padEnd(98)} ${status} ${ms.toFixed(0).padStart(5)} ms\n`);
    if (!good) throw new Deviation(`${title}: ${JSON.stringify(reply).slice(0, 400)}`);
    return parsed.data;
  };

  const ok = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ success: z.literal(true), ...shape });

  await step("The server is up", "GET", "/", z.object({ text: z.literal("API Working") }));

  const person = { firstName: "Tara", lastName: "Sen", email: `tara.${Date.now()}@example.com` };
  const { user } = await step(
    "Somebody signs up",
    "POST",
    `${identity}/dev/users`,
    z.object({ user: z.object({ id: z.string() }) }),
    person,
  );
  ({ token } = await step("…and signs in", "POST", `${identity}/dev/tokens`, z.object({ token: z.string() }), {
    userId: user.id,
  }));
  await until(
    "the account's webhook to arrive",
    async () => (await request("GET", `${url}/api/user/data`)).body.success === true,
  );
  await step(
    "The platform knows the learner",
    "GET",
    "/api/user/data",
    ok({ user: z.object({ name: z.literal("Tara Sen") }) }),
  );

  const { courses } = await step(
    "The learner browses the catalog",
    "GET",
    "/api/course/all",
    ok({
      courses: z
        .array(z.object({ _id: z.string(), coursePrice: z.number(), discount: z.number(), totalLectures: z.number() }))
        .min(1),
    }),
  );
  const paid = courses.filter(
    ({ coursePrice, discount, totalLectures }) => coursePrice > 0 && discount < 100 && totalLectures > 0,
  );
  const course = paid.sort((a, b) => a.totalLectures - b.totalLectures)[0];
  if (!course) throw new Deviation("the catalog has no course to buy: run npm run seed");
  await step(
    "…looks at one course",
    "GET",
    `/api/course/${course._id}`,
    ok({ courseData: z.object({ courseTitle: z.string() }) }),
  );

  const order = await step(
    "…decides to buy it",
    "POST",
    "/api/user/purchase",
    ok({ purchaseId: z.string(), orderId: z.string(), enrolled: z.literal(false) }),
    { courseId: course._id },
  );
  const payment = await step(
    "…pays at the provider's checkout",
    "POST",
    `${payments}/dev/orders/${order.orderId}/pay`,
    z.object({ razorpay_order_id: z.string(), razorpay_payment_id: z.string(), razorpay_signature: z.string() }),
    {},
  );
  await step("The browser reports the payment", "POST", "/api/user/verify-razorpay", ok({}), {
    ...payment,
    purchaseId: order.purchaseId,
  });
  await step(
    "The course is theirs",
    "GET",
    "/api/user/enrolled-courses",
    ok({ enrolledCourses: z.array(z.object({ _id: z.literal(course._id) })).length(1) }),
  );
  const { courseData } = await step(
    "The player has the real video addresses",
    "GET",
    `/api/user/enrolled-courses/${course._id}`,
    ok({
      courseData: z.object({
        courseContent: z.array(
          z.object({ chapterContent: z.array(z.object({ lectureId: z.string(), lectureUrl: z.string().min(1) })) }),
        ),
      }),
    }),
  );

  const lectures = courseData.courseContent.flatMap(({ chapterContent }) => chapterContent);
  for (const [index, { lectureId }] of lectures.entries()) {
    const last = index === lectures.length - 1;
    await step(
      `Lecture ${index + 1} of ${lectures.length} is done`,
      "POST",
      "/api/user/update-course-progress",
      ok({ isCourseCompleted: z.literal(last), certificateAvailable: z.literal(last) }),
      { courseId: course._id, lectureId },
    );
  }

  const { pdfUrl } = await step(
    "The certificate is there",
    "GET",
    `/api/user/certificate/${course._id}`,
    ok({ pdfUrl: z.string() }),
  );
  const certificateId = /([0-9a-f-]{36})/.exec(pdfUrl)?.[1] ?? "";
  const pdf = Buffer.from(await (await fetch(pdfUrl)).arrayBuffer());
  if (pdf.subarray(0, 5).toString() !== "%PDF-") throw new Deviation(`${pdfUrl} is not a PDF`);
  const file = `certificate-${certificateId}.pdf`;
  await writeFile(file, pdf);
  token = "";
  await step(
    "Anybody can verify it",
    "GET",
    `/api/certificate/verify/${certificateId}`,
    z.object({
      success: z.literal(true),
      valid: z.literal(true),
      certificate: z.object({ studentName: z.literal("Tara Sen") }),
    }),
  );
  process.stdout.write(`\n  The certificate is saved as ${file} (${(pdf.length / 1024).toFixed(1)} kB).\n`);
  process.stdout.write(`  In a browser: ${url}/api/certificate/verify/${certificateId}\n`);
}

/** Where the development server and its stand-ins listen. */
async function findServer(argument: string | undefined): Promise<{ url: string; identity: string; payments: string }> {
  const file = join(process.env.DATA_DIR || "./.data", "running.json");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new Deviation(`${file} is not there: start the server with npm run dev first`);
  const { url, sandbox } = Running.parse(JSON.parse(text));
  const address = (name: string): string => sandbox.find(({ collaborator }) => collaborator === name)?.address ?? "";
  return { url: argument ?? url, identity: address("identity"), payments: address("payments") };
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (await holds()) return;
    await pause(100);
  }
  throw new Deviation(`waited five seconds for ${what}`);
}

/** Ids are cut to their first letters, so that a step fits a line. */
const shorten = (target: string, url: string): string =>
  (target.startsWith(url) ? target.slice(url.length) : target)
    .replace(/[0-9a-f]{24}/g, (hex) => `${hex.slice(0, 4)}…`)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (uuid) => `${uuid.slice(0, 8)}…`)
    .replace(/order_\w+/g, (id) => `${id.slice(0, 10)}…`);

main().catch((error: unknown) => {
  process.stderr.write(
    `\n${error instanceof Deviation ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
});
