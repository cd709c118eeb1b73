import { expect, test } from "vitest";
import { z } from "zod";
import { route } from "../../src/http/route.js";
import { id, timestamp } from "../../src/lib/fields.js";

const writerOf = (reply: z.ZodObject) =>
  route("get", "/", {
    summary: "",
    access: "public",
    reply,
    errors: [],
    operationId: "getReply",
    handle: async () => ({}),
  }).write;

test("fields that a reply does not name never leave, at any depth", () => {
  const write = writerOf(z.object({ user: z.object({ _id: id, list: z.array(z.object({ at: timestamp })) }) }));
  const value = { user: { _id: "u1", password: "x", list: [{ at: new Date(0), voters: ["u2"] }] }, __v: 1 };
  expect(write(value)).toBe('{"success":true,"user":{"_id":"u1","list":[{"at":"1970-01-01T00:00:00.000Z"}]}}');
});

test("a value of the wrong type is refused with the path of what is wrong", () => {
  const write = writerOf(z.object({ course: z.object({ title: z.string() }) }));
  expect(() => write({ course: { title: 5 } })).toThrow(/"course",\s+"title"/);
  expect(() => write([])).toThrow(z.ZodError);
});
