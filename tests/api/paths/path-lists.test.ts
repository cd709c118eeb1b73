import { Types } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { createKey } from "../../factories/api-keys.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath } from "../../factories/paths.js";
import { startTestServer } from "../../server/test-server.js";

/** Five public paths of one educator, one of another, a draft, and one with a course that is a draft. */
const server = await startTestServer({ own: "lists all paths" });
const { db } = server.deps;
const [educator, other, admin] = [
  await server.signedIn("educator"),
  await server.signedIn("educator"),
  await server.signedIn("admin"),
];
const course = async (isPublished = true, educatorId = educator.id) =>
  (await buildCourse(server, { educatorId, isPublished }))._id;
const [first, second, draft] = [await course(), await course(), await course(false)];
const [far, further] = [await course(true, other.id), await course(true, other.id)];
const shown: string[] = [];
const all: string[] = [];

beforeAll(async () => {
  const add = async (courseIds: Types.ObjectId[], fields: object = {}) => {
    const { _id } = await buildPath(server, { educatorId: educator.id, courseIds, ...fields });
    all.unshift(String(_id));
    return String(_id);
  };
  for (let n = 1; n <= 5; n += 1) {
    const title = n === 2 ? "100% Café (part 1)" : `Path ${n}`;
    shown.unshift(await add([first, second], { title, subtitle: n === 3 ? "Learn cafe\u0301s" : null }));
    // Paths that are not shown lie between those that are.
    await add([first, draft], { title: "With a draft" });
    await add([first, second], { title: "Draft", isPublished: false });
  }
  await db.Path.updateOne(
    { _id: new Types.ObjectId(shown[0]) },
    { revenueMinor: 123_45, completedPurchases: 3, learners: 2 },
  );
  shown.unshift(await add([far, further], { educatorId: other.id, title: "Elsewhere" }));
});

interface Listed {
  readonly paths: { _id: string; title: string }[];
  readonly nextCursor: string | null;
}
const read = async (path: string, token?: string): Promise<Listed> => {
  const { status, body } = await server.get(path, token);
  expect({ path, status, body }).toMatchObject({ path, status: 200 });
  return body;
};
const idsOf = ({ paths }: Listed) => paths.map(({ _id }) => _id);
async function pages(path: string, limit: number, token?: string): Promise<string[]> {
  const ids: string[] = [];
  let after = "";
  for (;;) {
    const page = await read(`${path}?limit=${limit}${after}`, token);
    ids.push(...idsOf(page));
    if (page.nextCursor === null) return ids;
    expect(page.paths).toHaveLength(limit);
    after = `&after=${page.nextCursor}`;
  }
}

test("the public list has published paths of published courses, newest first, a page at a time", async () => {
  expect(idsOf(await read("/api/paths"))).toEqual(shown);
  for (const limit of [1, 2, 3, 6, 50]) expect(await pages("/api/paths", limit)).toEqual(shown);
  const [path] = (await read("/api/paths")).paths;
  expect(path).not.toHaveProperty("revenue");
  for (const query of ["limit=0", "limit=51", "after=x", `q=${"x".repeat(201)}`])
    expect(await server.get(`/api/paths?${query}`)).toMatchObject(refusal(400, "Invalid request data"));
});

test("the public list is searched literally in title and subtitle, and by educator", async () => {
  const titles = async (query: object) =>
    (await read(`/api/paths?${new URLSearchParams({ ...query })}`)).paths.map(({ title }) => title);
  expect(await titles({ q: "CAFÉ" })).toEqual(["Path 3", "100% Café (part 1)"]);
  expect(await titles({ q: "(part 1" })).toEqual(["100% Café (part 1)"]);
  expect(await titles({ q: ".*" })).toEqual([]);
  expect(await titles({ educatorId: other.id })).toEqual(["Elsewhere"]);
  expect(await titles({ educatorId: other.id, q: "path" })).toEqual([]);
  expect((await titles({ q: "", educatorId: "" })).length).toBe(shown.length);
});

test("managers see drafts and figures: an educator their own, an administrator all", async () => {
  const own = all.slice(1);
  expect(await pages("/api/educator/paths", 4, educator.token)).toEqual(own);
  expect(await pages("/api/admin/paths", 5, admin.token)).toEqual(all);
  for (const [role, { token }] of [
    ["educator", educator],
    ["admin", admin],
  ] as const) {
    const { paths } = await read(`/api/${role}/paths?limit=50`, token);
    const sold = paths.find(({ _id }) => _id === shown[1]);
    expect(sold).toMatchObject({ revenue: 123.45, purchases: 3, learners: 2 });
  }
});

test("a key for some courses lists paths of these courses alone", async () => {
  for (const [role, owner] of [
    ["educator", educator],
    ["admin", admin],
  ] as const) {
    const { secret } = await createKey(server, owner, role, {
      scopes: ["courses:read"],
      courseIds: [first, second].map(String),
    });
    const { paths } = await read(`/api/${role}/paths`, secret);
    expect(paths).toHaveLength(10);
    expect(new Set(paths.map(({ title }) => title))).not.toContain("With a draft");
    const other = await createKey(server, owner, role, { scopes: ["events:read"] });
    expect((await server.get(`/api/${role}/paths`, other.secret)).status).toBe(403);
  }
});
