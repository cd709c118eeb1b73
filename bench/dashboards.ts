/**
 * What dashboards and administrators' figures cost in CPU (server and embedded database in one process) on a platform
 * with a hundred times the learners, purchases and enrollments, where the answer stays the same; two processes measured
 * in turns. Then the memory that an export of a hundred thousand rows takes.
 *
 *     npx tsx bench/dashboards.ts
 */
import { cpuPerRequest, median, printTable, type Subject, startSubject } from "./support.js";

const sizes = { small: 100, large: 10_000 } as const;
type Size = keyof typeof sizes;
const rounds = 5;
/** With its warm-up below the limit of an administrator. */
const amount = 80;

const subjects: Record<Size, Subject> = {
  small: await startSubject("bench/subjects/application.ts"),
  large: await startSubject("bench/subjects/application.ts"),
};
for (const size of ["small", "large"] as const) {
  // Courses go round seven educators: the first has three of the twenty-one.
  const courseIds = await subjects[size].ask<string[]>("courses", { count: 21, students: 0 });
  await subjects[size].ask("sales", { courseId: courseIds[0], learners: 20 });
  await subjects[size].ask("sales", { courseId: courseIds[1], learners: sizes[size] });
}

const pages: [string, "educator" | "admin"][] = [
  ["/api/educator/courses", "educator"],
  ["/api/educator/dashboard", "educator"],
  ["/api/educator/enrolled-students", "educator"],
  ["/api/educator/enrolled-students.csv", "educator"],
  ["/api/admin/stats", "admin"],
  ["/api/admin/chart-data", "admin"],
  ["/api/admin/courses", "admin"],
];

let admins = 0;
async function measure(size: Size, path: string, role: "educator" | "admin"): Promise<number> {
  const id = role === "admin" ? `user_admin_${admins++}` : "user_educator_0";
  const token = await subjects[size].ask<string>("person", { id, role });
  return cpuPerRequest(subjects[size], {
    path,
    amount,
    connections: 4,
    headers: { authorization: `Bearer ${token}` },
  });
}

const rows = [];
for (const [path, role] of pages) {
  const used: Record<Size, number[]> = { small: [], large: [] };
  for (let round = 0; round < rounds; round++) {
    for (const size of ["small", "large"] as const) used[size].push(await measure(size, path, role));
  }
  const [small, large] = [median(used.small), median(used.large)];
  rows.push({ page: path, "µs at 1×": small, "µs at 100×": large, ratio: large / small });
}
printTable(`Pages on a platform with ${sizes.small} and with ${sizes.large} learners (CPU)`, rows);

const { large } = subjects;
const courseIds = await large.ask<string[]>("courses", { count: 1, students: 0 });
const token = await large.ask<string>("person", { id: "user_admin", role: "admin" });
const table: Record<string, string | number>[] = [];
for (const more of [0, 90_000]) {
  if (more > 0) await large.ask("sales", { courseId: courseIds[0], learners: more });
  const before = await large.ask<{ heap: number; peak: number }>("memory");
  const response = await fetch(`${large.url}/api/admin/purchases.csv`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const bytes = (await response.arrayBuffer()).byteLength;
  const after = await large.ask<{ heap: number; peak: number }>("memory");
  const mebibytes = (value: number) => value / 1_048_576;
  table.push({
    table: `${mebibytes(bytes).toFixed(1)} MiB`,
    "peak before, MiB": mebibytes(before.peak),
    "peak after, MiB": mebibytes(after.peak),
  });
}
printTable("purchases.csv: the most memory the process ever had", table);

await Promise.all(Object.values(subjects).map((subject) => subject.end()));
