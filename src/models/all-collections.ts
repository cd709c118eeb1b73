import { Model, type mongo } from "mongoose";

/** Every collection that has a model, by its name, for tools that treat all of them alike. */
export function allCollections(db: object): Map<string, mongo.Collection> {
  const models = Object.values(db).filter((value) => value?.prototype instanceof Model) as Model<unknown>[];
  const collections = models.map((model) => (model as unknown as { collection: mongo.Collection }).collection);
  return new Map(collections.map((collection) => [collection.collectionName, collection]));
}
