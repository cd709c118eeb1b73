import { describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { writePost } from "../../factories/posts.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const user = await server.signedIn();

const nothing = "665f1c2ab7e4d90012ab34cd";
const invalid = refusal(400, "Invalid request data");
const taken = refusal(409, "A group with this name already exists");
const tooMany = refusal(429, "Too many groups");
/** Creates a group as a new user, because one user may create few. */
const create = async (body: unknown, token?: string) =>
  server.post("/api/community/groups", body, token ?? (await server.signedIn()).token);

describe("the groups that exist from the first start", () => {
  test("are the four official ones, empty, and stay as they are when further instances start", async () => {
    const fresh = await startTestServer({ own: "has only the default groups" });
    const { body } = await fresh.get("/api/community/groups");
    expect(Object.keys(body)).toEqual(["success", "groups"]);
    expect(body.groups.map(({ name, slug, icon }: any) => [name, slug, icon])).toEqual([
      ["Career & Jobs", "career-jobs", "💼"],
      ["Data Science & AI", "data-science-ai", "🤖"],
      ["UI/UX Design", "ui-ux-design", "🎨"],
      ["Web Development", "web-development", "🌐"],
    ]);
    for (const group of body.groups) {
      expect(group).toMatchObject({ isOfficial: true, isMember: false, memberCount: 0, postCount: 0 });
      expect(group.description).not.toBe("");
    }
    const stored = await fresh.deps.db.CommunityGroup.find().lean();
    expect(new Set(stored.map(({ createdBy }) => createdBy))).toEqual(new Set(["system"]));

    // Further instances neither make them a second time nor set them back.
    const { token } = await fresh.signedIn();
    await fresh.post(`/api/community/groups/${body.groups[0]._id}/membership`, undefined, token);
    await Promise.all([fresh.another(), fresh.another()]);
    const { groups } = (await fresh.get("/api/community/groups")).body;
    const facts = (list: any[]) => list.map(({ _id, memberCount }) => [_id, memberCount]);
    expect(facts(groups)).toEqual([[body.groups[0]._id, 1], ...facts(body.groups.slice(1))]);
  });
});

describe("GET /groups", () => {
  test("shows exactly the documented fields, official first, then by members, then by name", async () => {
    await create({ name: "Zebra" });
    await create({ name: "Apple" });
    const { group } = (await create({ name: "Popular" })).body;
    const second = await server.signedIn();
    await server.post(`/api/community/groups/${group._id}/membership`, undefined, second.token);
    const { groups } = (await server.get("/api/community/groups", second.token)).body;
    const names = groups.map(({ name }: any) => name);
    const own = ["Popular", "Apple", "Zebra"];
    expect(names.slice(4).filter((name: string) => own.includes(name))).toEqual(own);
    const [popular, apple] = own.map((name) => groups[names.indexOf(name)]);
    expect(Object.keys(popular).sort()).toEqual(
      [
        ...["_id", "name", "slug", "description", "icon", "memberCount", "postCount", "isOfficial", "isMember"],
        ...["createdAt", "updatedAt"],
      ].sort(),
    );
    expect(popular).toMatchObject({ isMember: true, memberCount: 2, isOfficial: false });
    expect(apple.isMember).toBe(false);
    const anonymous = (await server.get("/api/community/groups", "null")).body.groups;
    expect(anonymous.some(({ isMember }: any) => isMember)).toBe(false);
  });
});

describe("GET /groups in pages", () => {
  test("gives the whole list, page by page, in the same order", async () => {
    const whole = (await server.get("/api/community/groups", user.token)).body;
    expect(Object.keys(whole)).toEqual(["success", "groups"]);
    const paged: unknown[] = [];
    let after = "";
    do {
      const { status, body } = await server.get(`/api/community/groups?limit=3${after}`, user.token);
      expect(status).toBe(200);
      expect(body.groups.length).toBeLessThanOrEqual(3);
      paged.push(...body.groups);
      after = body.nextCursor && `&after=${body.nextCursor}`;
    } while (after);
    expect(paged).toEqual(whole.groups);
  });
});

describe("POST /groups", () => {
  test("creates a group with its creator as the one member", async () => {
    const fields = { name: "  Rust & Friends  ", description: " Borrowing ", icon: "🦀", memberCount: 99 };
    const answer = await create(fields, user.token);
    expect(answer.status).toBe(200);
    expect(answer.body.group).toMatchObject({
      name: "Rust & Friends",
      slug: "rust-friends",
      description: "Borrowing",
      icon: "🦀",
      isMember: true,
      memberCount: 1,
      postCount: 0,
      isOfficial: false,
    });
    expect(answer.body.group).not.toHaveProperty("createdBy");
    const { GroupMembership } = server.deps.db;
    expect(await GroupMembership.countDocuments({ groupId: answer.body.group._id, userId: user.id })).toBe(1);
    expect((await create({ name: "Plain" })).body.group).toMatchObject({ description: "", icon: "💬" });
  });

  test("wants a name: absent and blank have their message, wrong types and lengths another", async () => {
    for (const body of [{}, { name: "" }, { name: " \t\n " }, { name: "\u200b" }, { description: "x" }]) {
      expect(await create(body)).toMatchObject(refusal(400, "Group name is required"));
    }
    for (const body of [
      { name: 5 },
      { name: null },
      { name: { $gt: "" } },
      { name: "x".repeat(61) },
      { name: "Fine", description: "x".repeat(201) },
      { name: "Fine", description: 5 },
      { name: "Fine", icon: "x".repeat(17) },
      { name: "Fine", icon: null },
      { description: 5 },
    ]) {
      expect(await create(body)).toMatchObject(invalid);
    }
    expect((await create({ name: ` ${"🎲".repeat(60)} `, icon: "👩‍🚀".repeat(3) })).status).toBe(200);
    expect(await create({ name: "🎲".repeat(61) })).toMatchObject(invalid);
  });

  test("refuses a name that is taken but for case and spacing, and gives a taken slug a suffix", async () => {
    await create({ name: "Machine Learning C" });
    await create({ name: "网络" });
    const alike = [
      "machine   learning c",
      "MACHINE LEARNING C",
      "MachineLearning C",
      "网 络",
      "网\u200b络",
      "\u2060网络",
    ];
    for (const name of [...alike, "web development"]) expect(await create({ name })).toMatchObject(taken);
    expect((await create({ name: "ネットワーク" })).status).toBe(200);
    const slugs = await Promise.all(
      ["++", "#", "!"].map(async (end) => (await create({ name: `Machine Learning C${end}` })).body.group?.slug),
    );
    expect(slugs.sort()).toEqual(["-2", "-3", "-4"].map((end) => `machine-learning-c${end}`));
    expect((await create({ name: "Machine Learning C 2" })).body.group.slug).toBe("machine-learning-c-2-2");
    const { GroupMembership, CommunityGroup } = server.deps.db;
    const known = await CommunityGroup.distinct("_id");
    expect(await GroupMembership.countDocuments({ groupId: { $nin: known } })).toBe(0);
  });

  test("one of eight users who want the same name at once gets it", async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => server.signedIn()));
    const answers = await Promise.all(users.map(({ token }, i) => create({ name: i % 2 ? "Race" : " rACE" }, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    const group = await server.deps.db.CommunityGroup.findOne({ slug: "race" }).lean();
    expect(group?.memberCount).toBe(1);
    expect(await server.deps.db.GroupMembership.countDocuments({ groupId: group?._id ?? null })).toBe(1);
  });

  test("one user creates five groups a day, also when twelve requests arrive at once at two instances", async () => {
    const [creator, other] = [await server.signedIn(), await server.another()];
    const name = (i: number) => ({ name: `Many ${creator.id} ${i}` });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 ? server : other).post("/api/community/groups", name(i), creator.token),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(tooMany);
    const { CommunityGroup, GroupMembership } = server.deps.db;
    expect(await CommunityGroup.countDocuments({ createdBy: creator.id })).toBe(5);
    expect(await GroupMembership.countDocuments({ userId: creator.id })).toBe(5);
    await create({ name: "Somebody else's" });
  });

  test("the next day brings five more, and fifty are the end", async () => {
    const creator = await server.signedIn();
    const { GroupCreations } = server.deps.db;
    let made = 0;
    const another = () => create({ name: `${creator.id} ${made++}` }, creator.token);
    for (const total of [5, 50]) {
      // The creations until the last five of that number are on another day.
      await GroupCreations.updateOne({ _id: creator.id }, { day: "2026-01-01", total: total - 5 }, { upsert: true });
      for (let i = 0; i < 5; i += 1) expect((await another()).status).toBe(200);
      expect(await another()).toMatchObject(tooMany);
    }
    await GroupCreations.updateOne({ _id: creator.id }, { day: "2026-01-01" });
    expect(await another()).toMatchObject(tooMany);
  });

  test("a refused creation takes no place", async () => {
    const creator = await server.signedIn();
    for (let i = 0; i < 6; i += 1) await create({ name: "Web Development" }, creator.token);
    expect((await create({ name: "After refusals" }, creator.token)).status).toBe(200);
  });
});

describe("POST /groups/:groupId/membership", () => {
  test("joins, leaves and joins again, and shows in myGroups", async () => {
    const { group } = (await create({ name: "Toggled" })).body;
    const joiner = await server.signedIn();
    const toggle = () => server.post(`/api/community/groups/${group._id}/membership`, {}, joiner.token);
    const members = async () =>
      (await server.get("/api/community/groups")).body.groups.find(({ _id }: any) => _id === group._id).memberCount;
    await writePost(server, user, { groupId: group._id, title: "Inside" });
    for (const isMember of [true, false, true]) {
      expect((await toggle()).body).toEqual({ success: true, isMember });
      expect(await members()).toBe(isMember ? 2 : 1);
      const { posts } = (await server.get("/api/community/posts?tab=myGroups", joiner.token)).body;
      expect(posts.map(({ title }: any) => title)).toEqual(isMember ? ["Inside"] : []);
    }
  });

  test("refuses in the documented order", async () => {
    const path = (id: string) => `/api/community/groups/${id}/membership`;
    expect(await server.post(path("zzz"), {}, user.token)).toMatchObject(refusal(500, "An unexpected error occurred"));
    expect(await server.post(path(nothing), {}, user.token)).toMatchObject(refusal(404, "Group not found"));
  });
});
