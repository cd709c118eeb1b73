import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { buildCourse } from "../../factories/courses.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();

/** Has the compiler check values against the vocabulary of schema.org, as schema-dts types it. @returns the values refused. */
async function refusedOf(values: Record<string, object>): Promise<string[]> {
  const folder = await mkdtemp(join("node_modules", ".structured-data-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, value] of Object.entries(values)) {
    const typed = `export const data: WithContext<Course> = ${JSON.stringify(value)};`;
    await writeFile(join(folder, `${name}.ts`), `import type { Course, WithContext } from "schema-dts";\n${typed}\n`);
  }
  const files = Object.keys(values).map((name) => join(folder, `${name}.ts`));
  const options = "--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --types".split(" ");
  const checked = promisify(execFile)(process.execPath, ["node_modules/.bin/tsc", ...options, "", ...files]);
  const { stdout } = await checked.catch((error: { stdout: string }) => error);
  return Object.keys(values).filter((name) => stdout.includes(`${name}.ts(`));
}

test("a course is described in the vocabulary of schema.org, with what Google requires", async () => {
  const educator = await server.signedIn("educator", "Meera Iyer");
  const courseTitle = `</script><b>"Graphs" ${educator.id}`;
  const facts = {
    ...{ subtitle: "From *trees* to <networks> # 1", category: "Computer science", tags: ["graphs", "trees"] },
    ...{ level: "beginner" as const, language: "en-GB", outcomes: ["Walk a graph"], requirements: ["Arrays"] },
  };
  const bare = await buildCourse(server, {
    courseDescription: "# All of\n**it**",
    coursePrice: 0,
    courseThumbnail: "",
  });
  const figures = { totalRatings: 2, ratingSum: 9, educatorId: educator.id };
  const full = await buildCourse(server, { ...facts, ...figures, courseTitle });
  const [dataOfBare, data] = await Promise.all(
    [bare, full].map(async ({ slugs }) => {
      const { body } = await server.get(`/api/course/slug/${slugs?.[0]}`);
      return body.courseData.structuredData;
    }),
  );
  const broken = { ...data, price: 1 };
  expect(await refusedOf({ data, dataOfBare, broken })).toEqual(["broken"]);
  const instance = { "@type": "CourseInstance", courseMode: "Online", courseWorkload: "PT60M" };
  expect(dataOfBare).toMatchObject({
    ...{ "@context": "https://schema.org", "@type": "Course", name: "Practical TypeScript", description: "All of it" },
    offers: { "@type": "Offer", category: "Free", price: 0, priceCurrency: "INR" },
    hasCourseInstance: { ...instance, instructor: { "@type": "Person", name: "Deleted user" } },
  });
  expect(dataOfBare).not.toHaveProperty("aggregateRating");
  expect(data).toMatchObject({
    ...{ name: courseTitle, description: facts.subtitle, image: "https://img.example/course.png" },
    ...{ about: { name: facts.category }, keywords: facts.tags, educationalLevel: "beginner", inLanguage: "en-GB" },
    ...{ teaches: facts.outcomes, coursePrerequisites: facts.requirements },
    offers: { category: "Paid", price: 899.1 },
    hasCourseInstance: { ...instance, instructor: { name: "Meera Iyer" } },
    aggregateRating: { ratingValue: 4.5, ratingCount: 2, bestRating: 5 },
  });
});
