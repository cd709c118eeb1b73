import { Types } from "mongoose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import { createBrowser } from "../../../src/services/browse/browse-courses.js";
import type { CatalogCourse } from "../../../src/services/browse/catalog.js";
import { textWords } from "../../../src/services/browse/words.js";
import { commandsDuring } from "../../assertions/commands.js";
import { refusal } from "../../assertions/refusal.js";
import { changeCatalog } from "../../factories/catalog.js";
import { buildCourse } from "../../factories/courses.js";
import { startTestServer } from "../../server/test-server.js";

/** Lets the list become so old that the next request reads it again. */
let ahead = 0;
const now = performance.now.bind(performance);
vi.spyOn(performance, "now").mockImplementation(() => now() + ahead);
afterAll(() => vi.restoreAllMocks());
const letListAge = () => {
  ahead += 60_000;
};

const server = await startTestServer({ own: "lists all courses" });
const educator = await server.signedIn("educator", "Nadeshiko Ōta");
const invalid = refusal(400, "Invalid request data");

const browse = async (query: Record<string, string | number>, instance = server) => {
  const found = await instance.get(`/api/course/browse?${new URLSearchParams(query as Record<string, string>)}`);
  expect(found, JSON.stringify(query)).toMatchObject({ status: 200, body: { success: true } });
  return found.body;
};
const titles = ({ courses }: { courses: { courseTitle: string }[] }) => courses.map(({ courseTitle }) => courseTitle);
const empty = () => changeCatalog(server.deps.db, () => server.deps.db.Course.deleteMany({}));

describe("words", () => {
  const courses: Partial<Course>[] = [
    { courseTitle: "Practical TypeScript", subtitle: "Types at work", tags: ["compiler"], educatorId: educator.id },
    { courseTitle: "Modern C++", courseDescription: "# Templates\nand **TypeScript** bindings with __Café__ owners" },
    { courseTitle: "React 机器学习入门", courseDescription: "图" },
    { courseTitle: "מבוא לתכנות", courseDescription: "مُقَدِّمَة في البَرمَجَة" },
    { courseTitle: "C for Straße and Ελλάδα", courseDescription: "Crème brûlée, Ⅷ, ﬁve" },
    { courseTitle: "ภาษาไทยเบื้องต้น", courseDescription: "がっこう ガッコウ" },
  ];
  beforeAll(async () => {
    await empty();
    for (const fields of courses) await buildCourse(server, { courseDescription: "-", ...fields });
    await buildCourse(server, { courseTitle: "A draft of TypeScript", isPublished: false });
  });
  const [typescript, cpp, chinese, hebrew, c, thai] = courses.map(({ courseTitle = "" }) => courseTitle);

  test.each<[string, (string | undefined)[]]>([
    ["typescript", [typescript, cpp]],
    ["  TYPESCRIPT  practical ", [typescript]],
    ["scri", []],
    ["typ", [typescript, cpp]],
    ["compi types", [typescript]],
    ["nadesh", [typescript]],
    ["OTA", [typescript]],
    ["typescript banana", []],
    // One typo: missing, added, other and swapped letters; two typos are none.
    ["typscript", [typescript, cpp]],
    ["typesccript", [typescript, cpp]],
    ["tipescript", [typescript, cpp]],
    ["typescirpt", [typescript, cpp]],
    ["ytpescript", [typescript, cpp]],
    ["typescritp", [typescript, cpp]],
    ["tipescirpt", []],
    ["raect", [chinese]],
    ["wrok", []],
    ["c++", [cpp]],
    ["c", [c, cpp, typescript]],
    ["cafe\u0301", [cpp]],
    ["CAFE", [cpp]],
    ["creme brulee", [c]],
    ["cre\u0300me viii five", [c]],
    ["ελλαδα", [c]],
    ["机器", [chinese]],
    ["学习入门 react", [chinese]],
    ["门", [chinese]],
    ["图", [chinese]],
    ["器机", []],
    ["תכנית", []],
    ["לתכנות", [hebrew]],
    ["مقدمه", [hebrew]],
    ["مقدمة", [hebrew]],
    ["ไทย", [thai]],
    ["がっこう", [thai]],
    ["\u200etypescript\u200f practi\u00adcal", [typescript]],
    [".*", courses.map(({ courseTitle }) => courseTitle).reverse()],
    ["(typ", [typescript, cpp]],
    ["__proto__ constructor", []],
    // Words beyond the eighth must occur whole.
    ["and typescript bindings with cafe owners modern c++ templates", [cpp]],
    ["and typescript bindings with cafe owners modern c++ template", []],
    ["机器学习入门 机学 器习 学入 习门 react", []],
    ["react 机器学习入门 react 机器 器学 学习 习入 入门 图", [chinese]],
  ])("%s", async (q, expected) => {
    const found = await browse({ q, sort: "relevance" });
    expect(titles(found)).toEqual(expected);
    expect(found.total).toBe(expected.length);
  });

  test("long texts without spaces match from their first to their last letter", async () => {
    const courseTitle = "深度学习与神经网络从理论基础到工程实践";
    await buildCourse(server, { courseTitle });
    const other = `${courseTitle.slice(0, -2)}习题`;
    for (const [q, expected] of [
      [courseTitle, [courseTitle]],
      [other, []],
    ] as const) {
      expect(titles(await browse({ q }))).toEqual(expected);
    }
    await changeCatalog(server.deps.db, () => server.deps.db.Course.deleteOne({ courseTitle }));
  });

  test("without a word, and without an order, the newest come first", async () => {
    const newest = courses.map(({ courseTitle }) => courseTitle).reverse();
    for (const query of [{}, { q: "" }, { q: " ?! " }, { sort: "relevance" }, { q: "。", sort: "relevance" }]) {
      expect(titles(await browse(query))).toEqual(newest);
    }
    expect(titles(await browse({ q: "typescript" }))).toEqual([cpp, typescript]);
  });

  test("an empty filter is none, and an educator's id may be any text", async () => {
    for (const name of ["category", "tag", "language"])
      expect((await browse({ [name]: "" })).total).toBe(courses.length);
    for (const educatorId of ["x".repeat(500), "\u0000", "{}"]) expect((await browse({ educatorId })).total).toBe(0);
  });

  test.each([
    `q=${"x".repeat(201)}`,
    `q=${"é".repeat(1_000)}`,
    "q=a&q=b",
    "q[$ne]=1",
    "level=expert",
    "level=Beginner",
    "tag=a&tag=b",
    `tag=${"x".repeat(101)}`,
    "free=yes",
    "minRating=5.1",
    "minRating=-1",
    "minRating=x",
    "sort=cheapest",
  ])("%s is refused", async (query) => {
    expect(await server.get(`/api/course/browse?${query}`)).toMatchObject(invalid);
  });

  test("queries that are hard to read are answered", async () => {
    const long = "ab cd ef gh ij kl mn op qr st uv wx yz abc def ghi jkl mno pqr stu vwx ".repeat(3).slice(0, 200);
    for (const q of [long, "x".repeat(200), "\u0000", "\ud800", "🎮", "%", "a\u0301".repeat(99)]) await browse({ q });
  });
});

describe("words as people type them", () => {
  beforeAll(empty);

  test.each<[string, Partial<Course>, found: string[], others: string[]]>([
    [
      "joined or apart",
      {
        courseTitle: "Node.js and Wi-Fi",
        subtitle: "State-of-the-art TCP/IP",
        courseDescription: "A U.S.A. e-mail, don't",
      },
      [
        "nodejs",
        "node js",
        "node.js",
        "NODEJ",
        "wifi",
        "wi fi",
        "wi-fi",
        "stateoftheart",
        "tcpip",
        "usa",
        "email",
        "dont",
      ],
      ["nodewi", "nodejs usb"],
    ],
    [
      "joined in the text",
      { courseTitle: "JavaScript with NodeJS", tags: ["python3", "es6"] },
      ["java script", "node js", "node.js", "python 3", "java-script node js"],
      ["script", "script java", "java js", "python3es6"],
    ],
    [
      "apart in the text",
      { courseTitle: "Data Base in Visual Studio", tags: ["open source"] },
      ["database", "visualstudio", "opensource", "data-base"],
      ["basevisual"],
    ],
    ["Polish", { courseTitle: "Łódź żółć" }, ["lodz", "ŁÓDŹ", "zolc"], []],
    ["Vietnamese", { courseTitle: "Đạo đức và ứng xử" }, ["dao duc", "ung xu", "đạo đức"], []],
    [
      "German",
      { courseTitle: "Übung für Straßen", courseDescription: "größer, Müller" },
      [
        "uebung",
        "ubung",
        "übung",
        "u\u0308bung",
        "strassen",
        "STRASSEN",
        "fuer strasse",
        "groesser",
        "mueller",
        "muller",
      ],
      [],
    ],
    ["German without its letters", { courseTitle: "Fuer Koeche" }, ["für", "köche"], []],
    ["French", { courseTitle: "L'œuvre et le cœur, ça" }, ["oeuvre", "coeur", "ca", "œuvre", "loeuvre"], []],
    [
      "Nordic",
      { courseTitle: "Smørrebrød på Ærø", subtitle: "Århus Þór Guð" },
      ["smorrebrod", "smoerrebroed", "pa", "aero", "aarhus", "arhus", "thor", "gud"],
      [],
    ],
    [
      "Turkish",
      { courseTitle: "IŞIK ve ılık İstanbul ağaç" },
      ["isik", "ISIK", "ışık", "ilik", "istanbul", "agac"],
      [],
    ],
    [
      "Arabic and Persian",
      {
        courseTitle: "\u0643\u062a\u0627\u0628\u064a \u0645\u0643\u062a\u0628\u0629 \u0623\u062d\u0645\u062f",
        courseDescription: "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u06a9\u0627\u0631 \u0661\u0662\u0663",
      },
      [
        // The other yeh and kaf, heh for teh marbuta, alefs without hamza, the stretched line, vowel signs, digits.
        ...[
          "\u06a9\u062a\u0627\u0628\u06cc",
          "\u0643\u062a\u0627\u0628\u0649",
          "\u0645\u0643\u062a\u0628\u0647",
          "\u0627\u062d\u0645\u062f",
          "\u0625\u062d\u0645\u062f",
          "\u0622\u062d\u0645\u062f",
        ],
        ...[
          "\u0643\u0640\u0640\u062a\u0627\u0628\u064a",
          "\u0643\u0650\u062a\u064e\u0627\u0628\u064a",
          "\u0645\u064a\u062e\u0648\u0627\u0647\u0645",
          "\u0645\u06cc \u062e\u0648\u0627\u0647\u0645",
          "\u0643\u0627\u0631",
          "123",
          "\u06f1\u06f2\u06f3",
        ],
      ],
      [],
    ],
    [
      "Indic",
      {
        courseTitle: "\u0939\u093f\u0928\u094d\u0926\u0940 \u0915\u093c\u0932\u092e \u0906\u092e",
        courseDescription: "\u0d05\u0d35\u0d7b \u09ac\u09a1\u09bc\u09cb \u0967\u0968",
      },
      [
        // With anusvara, with and without the dot, as one letter and as two.
        ...["\u0939\u093f\u0902\u0926\u0940", "\u0958\u0932\u092e", "\u0915\u0932\u092e", "\u0905\u093e\u092e"],
        ...["\u0d05\u0d35\u0d28\u0d4d\u200d", "\u09ac\u09dc\u09cb", "\u09ac\u09dc\u09c7\u09be", "12"],
      ],
      ["\u0939\u093f\u0926\u0940"],
    ],
    [
      "scripts stay as they are",
      { courseTitle: "机器学习 ニュース Привет" },
      ["机器", "ニュース", "привет"],
      ["ji qi", "nyusu", "privet"],
    ],
  ])("%s", async (_name, fields, wanted, others) => {
    const { _id } = await buildCourse(server, { courseDescription: "-", ...fields });
    const found = async (q: string) => titles(await browse({ q })).includes(fields.courseTitle ?? "");
    for (const q of wanted) expect([q, await found(q)]).toEqual([q, true]);
    for (const q of others) expect([q, await found(q)]).toEqual([q, false]);
    await changeCatalog(server.deps.db, () => server.deps.db.Course.deleteOne({ _id }));
  });

  test("of a description 300 different words count, and each course is indexed in a turn of its own", async () => {
    const letters = (from: number) => Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(from + n));
    for (const courseDescription of [
      letters(0x4e00).join(""),
      letters(0x4e00).join(" "),
      "\u0315\u0300".repeat(20_000),
    ]) {
      for (const joinsSpaced of [true, false])
        expect(new Set(textWords(courseDescription, { joinsSpaced })).size).toBeLessThanOrEqual(300);
    }
    const variants = Array.from({ length: 2_000 }, (_, n) => `Über-ö${n}.ø`).join("-");
    expect(new Set(textWords(variants, { joinsSpaced: true })).size).toBe(300);
    const words = Array.from({ length: 400 }, (_, n) => `word${n}`);
    const indexed = textWords([...words, ...words].join(" "), { joinsSpaced: false });
    expect([...new Set(indexed)]).toEqual(words.slice(0, 300));
    expect(indexed).toHaveLength(600);

    const educatorId = { _id: educator.id, name: "Ōta", imageUrl: "" };
    const times = { createdAt: new Date(0), updatedAt: new Date(0) };
    const course = {
      ...times,
      courseTitle: "Hostile",
      educatorId,
      coursePrice: 1,
      discount: 0,
      version: 1,
      averageRating: 0,
    };
    let courses = Array.from({ length: 12 }, (_, n) => ({
      ...{ ...course, _id: new Types.ObjectId(), courseDescription: letters(0x4e00 + 20_000 * n).join(" ") },
    })) as unknown as CatalogCourse[];
    const find = createBrowser(
      async () => courses,
      (_client, search) => search(),
      "INR",
    );
    /** Turns of the event loop until the list is there. */
    const turnsOf = async () => {
      let [turns, isDone] = [0, false];
      const next = () => {
        turns += 1;
        if (!isDone) setImmediate(next);
      };
      setImmediate(next);
      expect((await find({ sort: "newest", limit: 50 }, "x")).total).toBe(courses.length);
      isDone = true;
      return turns;
    };
    expect(await turnsOf()).toBeGreaterThanOrEqual(12);
    const total = async (q: string) => (await find({ q, sort: "relevance", limit: 1 }, "x")).total;
    expect([await total("\u4e00"), await total("hostile"), await total(String.fromCodePoint(0x4e00 + 300))]).toEqual([
      1, 12, 0,
    ]);
    // An edit of one course indexes no other one.
    courses = courses.map((one, n) => (n === 0 ? { ...one, version: 2, courseTitle: "Edited" } : one));
    expect(await turnsOf()).toBeLessThanOrEqual(4);
    expect([await total("hostile"), await total("edited")]).toEqual([11, 1]);
  });
});

describe("filters, orders and pages", () => {
  beforeAll(empty);
  const levels = ["beginner", "advanced"] as const;
  const languages = ["en", "pt-BR", "PT-br"];
  const build = (n: number) =>
    buildCourse(server, {
      ...{ courseTitle: `Course ${n}`, coursePrice: n % 4 === 0 ? 0 : 100 * (n % 5), discount: n === 7 ? 100 : 10 * n },
      ...{ totalRatings: n % 3, ratingSum: 5 * (n % 3) - (n % 2), totalEnrolledStudents: n % 4 },
      ...{ category: n < 8 ? "Code" : n < 9 ? "code" : null, level: levels[n % 2] ?? null },
      ...{ tags: ["all", `t${n % 3}`], language: languages[n % 3] ?? null },
      ...(n === 3 && { educatorId: educator.id, subtitle: "Third" }),
    });
  const named = (...numbers: number[]) => numbers.map((n) => `Course ${n}`);

  test("a course has the fields of the list, its slug and the facts that are set; others have no part in it", async () => {
    for (let n = 0; n < 10; n += 1) await build(n);
    const { courses, facets, total, nextCursor, ...others } = await browse({ educatorId: educator.id });
    const { body } = await server.get("/api/course/all");
    const summary = body.courses.find(({ courseTitle }: { courseTitle: string }) => courseTitle === "Course 3");
    const own = { slug: "course-3", subtitle: "Third", category: "Code", tags: ["all", "t0"], level: "advanced" };
    expect(courses).toEqual([{ ...summary, ...own, language: "en" }]);
    expect([total, nextCursor, others]).toEqual([1, null, { success: true }]);
    const [last] = (await browse({ limit: 1 })).courses;
    expect(last).not.toHaveProperty("category");
    expect(last).not.toHaveProperty("subtitle");
    expect(facets.level).toEqual([{ value: "advanced", count: 1 }]);
  });

  test("counts of a facet ignore its own filter, and values differ by more than letter case", async () => {
    expect((await browse({})).facets).toEqual({
      category: [{ value: "Code", count: 9 }],
      tag: [
        { value: "all", count: 10 },
        { value: "t0", count: 4 },
        { value: "t1", count: 3 },
        { value: "t2", count: 3 },
      ],
      level: [
        { value: "advanced", count: 5 },
        { value: "beginner", count: 5 },
      ],
      language: [
        { value: "pt", count: 6 },
        { value: "en", count: 4 },
      ],
    });
    const found = await browse({ category: "CODE", level: "beginner", tag: "T0", sort: "newest" });
    expect([titles(found), found.total]).toEqual([named(6, 0), 2]);
    expect(found.facets).toEqual({
      category: [{ value: "Code", count: 2 }],
      tag: [
        { value: "all", count: 5 },
        { value: "t0", count: 2 },
        { value: "t2", count: 2 },
        { value: "t1", count: 1 },
      ],
      level: [
        { value: "beginner", count: 2 },
        { value: "advanced", count: 1 },
      ],
      language: [{ value: "en", count: 2 }],
    });
    expect(titles(await browse({ language: "pt-br", tag: "t2" }))).toEqual(named(8, 5, 2));
    for (const [language, count] of Object.entries({
      PT: 6,
      "pt-BR": 6,
      "pt-B": 0,
      p: 0,
      "pt-BR-x": 0,
      en: 4,
      "*": 10,
    }))
      expect([language, (await browse({ language })).total]).toEqual([language, count]);
    const none = {
      category: "x",
      tag: "x",
      language: "!",
      level: "all",
      educatorId: "x",
      minRating: "5",
      free: "true",
    };
    expect(await browse(none)).toMatchObject({ courses: [], total: 0, nextCursor: null, facets: { level: [] } });
  });

  test("price is after the discount, and ratings count from a least mean", async () => {
    expect(titles(await browse({ free: "true" }))).toEqual(named(8, 7, 5, 4, 0));
    expect((await browse({ free: "false" })).total).toBe(5);
    // 1: 90, 2: 160, 3: 210, 6: 40, 9: 40.
    expect(titles(await browse({ sort: "price-asc", free: "false" }))).toEqual(named(9, 6, 1, 2, 3));
    expect(titles(await browse({ sort: "price-desc", free: "false" }))).toEqual(named(3, 2, 1, 9, 6));
    expect(titles(await browse({ sort: "popular", limit: 3 }))).toEqual(named(7, 3, 6));
    expect(titles(await browse({ sort: "rating", limit: 5 }))).toEqual(named(8, 2, 4, 5, 7));
    expect((await browse({ minRating: "4.5" })).total).toBe(4);
  });

  test("pages are stable, also among equals, and a cursor belongs to its query", async () => {
    for (const query of [{ sort: "popular" }, { sort: "price-asc", tag: "all" }, { q: "course", sort: "relevance" }]) {
      const whole = await browse(query);
      const pages: string[] = [];
      for (let after: string | null = ""; after !== null; ) {
        const page = await browse({ ...query, limit: 3, ...(after && { after }) });
        expect(page.total).toBe(10);
        pages.push(...titles(page));
        after = page.nextCursor;
        if (!after) break;
        const { status } = await server.get(`/api/course/browse?sort=newest&after=${after}`);
        expect(status).toBe(400);
      }
      expect(pages).toEqual(titles(whole));
    }
  });
});

test("a title comes before a description, however rare the word is there, and pages lose none when scores change", async () => {
  await empty();
  const { Course } = server.deps.db;
  const row = { courseDescription: "x", coursePrice: 1, educatorId: educator.id };
  const add = (courses: object[]) => changeCatalog(server.deps.db, () => Course.insertMany(courses));
  const named = Array.from({ length: 30 }, (_, n) => ({ ...row, courseTitle: `Zebras${" in Kenya".repeat(n)}` }));
  await add([...named, { ...row, courseTitle: "Horses", courseDescription: "A zebra" }]);
  const query = { q: "zebra", sort: "relevance" };
  // A typo in a title comes last.
  await add([{ ...row, courseTitle: "Zabra" }]);
  const typo = await browse({ ...query, limit: 50 });
  expect(titles(typo).slice(-2)).toEqual(["Horses", "Zabra"]);
  const whole = titles(await browse(query));
  expect(whole).toHaveLength(20);
  const first = await browse({ ...query, limit: 15 });
  await add(named.map((course) => ({ ...course, courseTitle: "Donkeys", courseDescription: "zebra ".repeat(20) })));
  const rest = await browse({ ...query, limit: 16, after: first.nextCursor });
  expect([...titles(first), ...titles(rest)].slice(0, 30).sort()).toEqual(named.map((one) => one.courseTitle).sort());
});

test("edits and figures show on every instance", async () => {
  const other = await server.another();
  const owner = await server.signedIn("educator", "Asha Rao");
  await empty();
  const { _id } = await buildCourse(server, { courseTitle: "Botany", educatorId: owner.id });
  const seen = async (q: string) => titles(await browse({ q }, other));
  expect(await seen("botany asha")).toEqual(["Botany"]);
  const path = `/api/educator/courses/${_id}`;
  await server.patch(path, { courseTitle: "Zoology", tags: ["animals"], version: 1 }, owner.token);
  expect([await seen("botany"), await seen("animals")]).toEqual([[], ["Zoology"]]);
  await server.patch(`${path}/publish`, { isPublished: false }, owner.token);
  expect(await seen("zoology")).toEqual([]);
  await server.patch(`${path}/publish`, { isPublished: true }, owner.token);
  expect(await seen("zoology")).toEqual(["Zoology"]);
  await server.deps.db.Course.updateOne({ _id }, { totalEnrolledStudents: 7 }, { timestamps: false });
  letListAge();
  expect((await browse({ q: "zoology" }, other)).courses[0]).toMatchObject({ totalEnrolledStudents: 7 });
});

test("a request sends one command, and two when its list is old, among however many courses", async () => {
  const { Course } = server.deps.db;
  const sent = async () => {
    letListAge();
    const [old, fresh] = [
      await commandsDuring(server, () => browse({})),
      await commandsDuring(server, () => browse({})),
    ];
    return [old.length, fresh.length];
  };
  const row = { courseTitle: "x", courseDescription: "x", coursePrice: 1, educatorId: educator.id };
  await browse({});
  expect(await sent()).toEqual([2, 1]);
  await changeCatalog(server.deps.db, () => Course.insertMany(Array.from({ length: 300 }, () => row)));
  expect((await browse({})).total).toBe(301);
  expect(await sent()).toEqual([2, 1]);
});
