import type { Types } from "mongoose";
import { demoId } from "./demo-id.js";
import { engineeringCourses } from "./engineering-courses.js";
import { demoUsers } from "./users.js";

/** How much there is of everything. */
export interface LargeSize {
  readonly courses: number;
  readonly learners: number;
}

const usualSize: LargeSize = { courses: 1_000, learners: 20_000 };
const purchasesOfLearner = 2;

const firstDay = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const days = 90;

const subjects = [
  "Algebra",
  "Baking",
  "Chess",
  "Drawing",
  "Economics",
  "French",
  "Gardening",
  "History",
  "Italian",
  "Jazz",
];
const levels = ["for Beginners", "in Practice", "in Depth", "from Scratch", "for Teams"];
const firstNames = ["Aarav", "Bea", "Chidi", "Dina", "Emre", "Fatima", "Goran", "Hana", "Ivo", "Jun", "Kavya", "Leo"];
const lastNames = ["Adeyemi", "Berg", "Costa", "Desai", "Evans", "Fischer", "Gupta", "Haddad", "Ito", "Jensen"];

const educators = demoUsers.filter(({ role }) => role === "educator");

export interface LargeCourse {
  readonly _id: Types.ObjectId;
  readonly title: string;
  readonly educatorId: string;
  /** Major units. */
  readonly price: number;
  readonly createdAt: Date;
}

export interface LargePurchase {
  readonly _id: Types.ObjectId;
  readonly learner: string;
  readonly course: LargeCourse;
  readonly at: Date;
}

export interface LargeData {
  readonly learners: readonly { _id: string; name: string; email: string; createdAt: Date }[];
  readonly courses: readonly LargeCourse[];
  readonly purchases: readonly LargePurchase[];
}

/** The same every time: courses, learners and who bought what when. */
export function largeData({ courses: courseCount, learners: learnerCount }: LargeSize = usualSize): LargeData {
  const random = repeatableRandom(20_260_101);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const courses = Array.from({ length: courseCount }, (_, n) => ({
    _id: demoId("large-course", courseCount, learnerCount, n),
    title: `${pick(subjects)} ${pick(levels)} ${n + 1}`,
    educatorId: pick(educators).id,
    price: 200 + 50 * Math.floor(random() * 60),
    createdAt: new Date(firstDay + n * 60_000),
  }));
  const learners = Array.from({ length: learnerCount }, (_, n) => ({
    _id: `user_large_${n}`,
    name: `${pick(firstNames)} ${pick(lastNames)}`,
    email: `learner${n}@lyceum.example`,
    createdAt: new Date(firstDay + n * 1_000),
  }));
  const purchases = learners.flatMap(({ _id: learner }) => {
    const start = Math.floor(random() * courses.length);
    return Array.from({ length: purchasesOfLearner }, (_, k) => ({
      _id: demoId("large-purchase", courseCount, learnerCount, learner, k),
      learner,
      course: courses[(start + k * 7) % courses.length] as LargeCourse,
      at: new Date(firstDay + (1 + Math.floor(random() * days)) * dayMs + Math.floor(random() * dayMs)),
    }));
  });
  return { courses, learners, purchases };
}

/** The curriculum that every one of the courses has. */
export const largeCurriculum = engineeringCourses[0];

/** Numbers from 0 to 1 that follow from the seed alone (mulberry32). */
function repeatableRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
