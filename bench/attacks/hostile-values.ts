import { Types } from "mongoose";
import { type Finding, same } from "./findings.js";
import type { Target } from "./target.js";

const anId = String(new Types.ObjectId());
const cursor = (text: string) => `after=${Buffer.from(text).toString("base64url")}`;

/** Queries that no list means: repeated, without a number, half a character, names of prototypes, cursors of one's own. */
const queries = [
  ...["a=1&a=2", "limit=1&limit=2", "limit=1e3", "limit=-1", "limit=99999999999999999999", "limit=NaN", "limit=%00"],
  ...["after=%00", `after=${"A".repeat(5_000)}`, cursor('[1e308,"x"]'), cursor("[".repeat(3_000)), cursor("{}")],
  ...["__proto__[x]=1", "constructor=1", "q=%ED%A0%80", `q=${"(".repeat(200)}`, `q=${"%00".repeat(50)}`],
  ...[
    "page=1e400&limit=5",
    "sort=__proto__",
    "tab=constructor",
    "groupId[]=1",
    "status=__proto__",
    "state=constructor",
  ],
  ...[`status=${"x".repeat(10_000)}`, "kind=__proto__", "number=%0d%0aX:1&document=credit-note"],
];

/** NUL, halves of characters, marks that turn writing around, names of prototypes, operators and paths of a database. */
const texts = [
  ...["\u0000", "a\u0000b", "\ud800", "\u202eabc", "\ufeff", `${"a".repeat(200)}\udfff`, "\u2028"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "$where", "a.b"],
];

const textBodies: readonly [path: string, body: (text: string) => object][] = [
  ["/api/user/track-time", (text) => ({ page: text, path: `/${text}`, duration: 1 })],
  ["/api/user/track-time", (text) => ({ page: "Learning", path: `/player/${text}`, duration: 1 })],
  ["/api/user/track-time", (text) => ({ page: "Quiz", path: `/quiz/__proto__/${text}`, duration: 1 })],
  ["/api/community/groups", (text) => ({ name: text, description: text, icon: text.slice(0, 4) })],
  ["/api/community/posts", (text) => ({ title: text, content: text, tags: [text.slice(0, 20)], groupId: text })],
  ["/api/educator/apply", (text) => ({ professionalTitle: text, bio: text, expertise: [text.slice(0, 20)] })],
  ["/api/user/ai-chat", (text) => ({ content: text, sessionId: text })],
  ["/api/user/get-course-progress", (text) => ({ courseId: text })],
  ["/api/user/update-course-progress", (text) => ({ courseId: text, lectureId: text })],
  ["/api/user/add-rating", (text) => ({ courseId: text, rating: 5 })],
  ["/api/user/purchase", (text) => ({ courseId: text, coupon: text })],
  ["/api/user/coupon/check", (text) => ({ courseId: text, code: text })],
  ["/api/quiz/submit", (text) => ({ courseId: text, chapterId: text, answers: [0] })],
  ["/api/user/generate-custom-roadmap", (text) => ({ topic: text })],
];

const numbers = ["1e308", "-0", "1e-308", "9007199254740993", "1E400", "0.1", "-1", "null", "true", '"5"', "[5]", "{}"];

const numberBodies: readonly [path: string, role: "student" | "admin", body: (number: string) => string][] = [
  ["/api/user/track-time", "student", (n) => `{"page":"x","path":"/x","duration":${n}}`],
  ["/api/user/add-rating", "student", (n) => `{"courseId":"${anId}","rating":${n}}`],
  ["/api/quiz/submit", "student", (n) => `{"courseId":"${anId}","chapterId":"c","answers":[${n}]}`],
  ["/api/admin/coupons", "admin", (n) => `{"kind":"amount","value":${n},"maxRedemptions":${n}}`],
  ["/api/admin/coupons", "admin", (n) => `{"kind":"percent","value":10,"startsAt":${n},"expiresAt":${n}}`],
];

/** What could not be answered, or was not asked because a limit was met. Full search queues are an answer. */
const isFault = (status: number): boolean => (status >= 500 && status !== 503) || status === 429;

/** Values that no client sends, in every query, text and number: none is a fault of the server. */
export async function hostileValues(target: Target): Promise<Finding[]> {
  const { body } = await target.call("GET", "/api/openapi.json");
  const lists = Object.entries(body.paths as Record<string, object>).filter(([, methods]) => "get" in methods);
  const ofQueries: string[] = [];
  for (const [template] of lists) {
    // Where a malformed id is 500 there is none: every id is well formed.
    const path = template.replace(/\{\w+\}/g, anId);
    const callers = [await target.user("admin"), await target.user("educator"), await target.user()];
    for (const query of queries) {
      for (const { token } of path.startsWith("/api/admin") ? callers.slice(0, 1) : callers) {
        const { status } = await target.call("GET", `${path}?${query}`, { token });
        if (isFault(status)) ofQueries.push(`${status} ${path}?${query.slice(0, 40)}`);
      }
    }
  }
  const ofTexts: string[] = [];
  for (const [path, bodyOf] of textBodies) {
    for (const text of texts) {
      const { token } = await target.user();
      const { status } = await target.call("POST", path, { token, body: bodyOf(text) });
      const after = (await target.call("GET", "/api/user/analytics", { token })).status;
      if (isFault(status) || after !== 200) ofTexts.push(`${status}, ${after} ${path} ${JSON.stringify(text)}`);
    }
  }
  const ofNumbers: string[] = [];
  for (const [path, role, bodyOf] of numberBodies) {
    for (const number of numbers) {
      const { token } = await target.user(role);
      const headers = { "content-type": "application/json" };
      const { status } = await target.call("POST", path, { token, body: bodyOf(number), headers });
      if (isFault(status)) ofNumbers.push(`${status} ${path} ${number}`);
    }
  }
  return [
    same(`${queries.length} queries to each of ${lists.length} paths: faults`, ofQueries, []),
    same(`${texts.length} texts in ${textBodies.length} bodies: faults`, ofTexts, []),
    same(`${numbers.length} numbers in ${numberBodies.length} bodies: faults`, ofNumbers, []),
    same(
      "lines of the log that are no JSON",
      target.log.filter((line) => !line.startsWith("{") || !line.endsWith("}")),
      [],
    ),
  ];
}
