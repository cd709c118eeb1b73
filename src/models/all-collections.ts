import type { Model, mongo } from "mongoose";

const isModel = (value: unknown): value is Model<unknown> => typeof value === "function" && "modelName" in value;

/** Every collection that has a model, by its name, for tools that treat all of them alike. */
export function allCollections(db: object): Map<string, mongo.Collection> {
  const models = Object.values(db).filter(isModel);
  const collections = models.map((model) => (model as unknown as { collection: mongo.Collection }).collection);
  return new Map(collections.map((collection) => [collection.collectionName, collection]));
}
