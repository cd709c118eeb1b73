import { Types } from "mongoose";
import { type Finding, same } from "./findings.js";
import { addCourses } from "./freezing.js";
import type { Target } from "./target.js";

/** Texts that other programs would take for more than texts. */
export async function textsElsewhere(target: Target): Promise<Finding[]> {
  const { db } = target;
  const name = `=HYPERLINK("http://evil.example","click")<script>alert(1)</script>`;
  const [educator, admin] = [await target.user("educator"), await target.user("admin")];
  const learner = await target.user();
  await db.User.updateOne({ _id: learner.id }, { name, email: "+cmd|' /C calc'!A0@example.com" });
  const [courseId = new Types.ObjectId()] = await addCourses(
    target,
    [{ educatorId: educator.id, courseTitle: "@SUM(1+1)*cmd" }],
    learner,
  );
  await db.Purchase.create({
    userId: learner.id,
    courseId,
    amount: 1,
    currency: "INR",
    status: "completed",
    completedAt: new Date(),
    terms: { courseTitle: "Course", coursePrice: 1, discount: 0, accessDays: null },
  });
  const csv = [
    (await target.call("GET", "/api/educator/enrolled-students.csv", { token: educator.token })).body,
    (await target.call("GET", "/api/admin/purchases.csv", { token: admin.token })).body,
  ].join("\n");
  const formulas = csv.match(/(?:^|,)"?[=+@\t\r-][A-Za-z(]/gm) ?? [];
  const certificateId = "0b9c1f7e-3a52-4d68-8c0e-5d2f1a7b9e40";
  const issued = {
    completionDate: new Date(),
    nextAttemptAt: new Date(),
    issuedAt: new Date(),
    pdfUrl: "https://img.example/c.pdf",
  };
  const shown = {
    certificateId,
    studentName: name,
    courseTitle: `"><img src=x onerror=alert(1)>`,
    status: "issued" as const,
  };
  await db.Certificate.create({ userId: learner.id, courseId, ...shown, ...issued });
  const headers = { accept: "text/html", host: "evil.example", "x-forwarded-host": "evil.example" };
  const page = await target.call("GET", `/api/certificate/verify/${certificateId}`, { headers });
  const html = String(page.body);
  const csp = page.headers.get("content-security-policy") ?? "";
  return [
    same("formulas at the start of cells of exports", formulas, []),
    same("marks of a name in the verification page", [page.status, /<script|<img src=x/.test(html)], [200, false]),
    same(
      "the page names a host that the visitor chose",
      html.includes("evil.example:") || /href="[^"]*evil/.test(html),
      false,
    ),
    same("the policy forbids scripts", /default-src 'none'/.test(csp) && !/script-src/.test(csp), true),
  ];
}
