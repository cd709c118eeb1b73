import { readFileSync } from "node:fs";
import { type JsonSchema, randomSource, valueFor } from "../../contract-fuzz/random-value.js";
import { assessments } from "./assessments.js";
import { certificates } from "./certificates.js";
import { community } from "./community.js";
import { keys } from "./keys.js";
import { learners } from "./learners.js";
import { learning } from "./learning.js";
import { notifications } from "./notifications.js";
import { paths as ofPaths } from "./paths.js";
import { reviews } from "./reviews.js";
import { type Example, type Examples, newAdmin, newcomer, type Scene } from "./scene.js";
import { selling } from "./selling.js";
import { teaching } from "./teaching.js";
import { webhooks } from "./webhooks.js";

const { paths } = JSON.parse(readFileSync("openapi.json", "utf8")) as { paths: Record<string, JsonSchema> };

const callers: Record<string, (scene: Scene) => Promise<{ token?: string }>> = {
  public: async () => ({}),
  user: newcomer,
  educator: async ({ educator }) => educator,
  admin: newAdmin,
};

/**
 * A request that succeeds, from the description of a route: ids are those of the scene with the same name, other fields
 * fit the schema of the body.
 */
function exampleFrom(path: string, operation: JsonSchema): Example {
  return async (scene) => {
    const ids = new Map(Object.entries(scene).filter(([, value]) => typeof value === "string"));
    const { token } = (await callers[operation["x-access"]]?.(scene)) ?? {};
    const sent = { path: path.replace(/\{(\w+)\}/g, (_all, name) => String(ids.get(name))), ...(token && { token }) };
    const schema: JsonSchema | undefined = operation.requestBody?.content?.["application/json"]?.schema;
    if (!schema) return sent;
    const fields = Object.entries<JsonSchema>(schema.properties ?? {}).filter(([name]) =>
      schema.required?.includes(name),
    );
    const random = randomSource(1);
    const body = fields.map(([name, own]) => [name, ids.get(name) ?? own.example ?? valueFor(own, random, [], name)]);
    return { ...sent, body: Object.fromEntries(body) };
  };
}

const written: Examples = {
  ...assessments,
  ...certificates,
  ...learning,
  ...community,
  ...selling,
  ...ofPaths,
  ...teaching,
  ...learners,
  ...reviews,
  ...webhooks,
  ...keys,
  ...notifications,
};

const derived = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries<JsonSchema>(methods).map(([method, operation]): [string, Example] => [
    `${method.toUpperCase()} ${path}`,
    exampleFrom(path, operation),
  ]),
);

/** A successful request of every route: written by hand, or from the description. */
export const everyRoute: Examples = {
  ...written,
  ...Object.fromEntries(derived.filter(([route]) => !(route in written))),
};
