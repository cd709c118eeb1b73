import { z } from "zod";
import { jsonIn } from "../../providers/openai/json-answer.js";

const codePoints = (text: string): number => [...text].length;
const distinct = <T>(items: readonly T[], key: (item: T) => unknown): boolean =>
  new Set(items.map(key)).size === items.length;

const label = z
  .string()
  .refine((text) => text !== "" && codePoints(text) <= 3_000)
  .meta({ minLength: 1, maxLength: 3_000 });
const labels = z
  .array(label)
  .max(30)
  .refine((list) => distinct(list, (item) => item), "repeats an entry")
  .meta({ uniqueItems: true });
const percent = z.number().min(0).max(100);
const titled = <S extends z.ZodType<{ title: string }>>(item: S) =>
  z.array(item).refine((list) => distinct(list, ({ title }) => title), "repeats a title");

const Stage = z.object({
  id: label,
  label,
  status: z.enum(["completed", "current", "upcoming", "future"]),
  icon: z.string().optional(),
  description: z.string().optional(),
  timeEstimate: z.string().optional(),
  skills: labels.optional(),
  highlights: labels.optional(),
  projects: labels.optional(),
  resources: labels.optional(),
  certifications: labels.optional(),
  courses: titled(z.object({ title: label, completion: percent })).optional(),
  recommendations: titled(
    z.object({ title: label, priority: z.enum(["high", "medium"]), reason: z.string().optional() }),
  ).optional(),
  paths: titled(z.object({ title: label, readiness: percent, gap: labels })).optional(),
});

/** What the client renders. Unknown keys are stripped; lengths are in code points. */
export const Roadmap = z
  .object({
    title: label,
    summary: label,
    stages: z
      .array(Stage)
      .min(1)
      .max(12)
      .refine((stages) => distinct(stages, ({ id }) => id), "repeats a stage id"),
  })
  .meta({ id: "Roadmap" });

/** The roadmap in a model's answer, or undefined when there is none that the client could render. */
export function readRoadmap(answer: string): z.output<typeof Roadmap> | undefined {
  const parsed = Roadmap.safeParse(jsonIn(answer));
  return parsed.success ? parsed.data : undefined;
}
