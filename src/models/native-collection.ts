import type { Model, mongo } from "mongoose";
import { commandLimitMs } from "./command-limit.js";

const limit = { maxTimeMS: commandLimitMs };

/**
 * Returns the driver's collection of a model, for named queries of the hottest paths, where Mongoose takes 1.5 to 2 × the
 * CPU (decision 8). Only this folder uses it. It casts nothing (an id in text matches nothing), sets no defaults and no
 * `createdAt` or `updatedAt`, and ignores the schema's write concern. Every command has the time limit.
 */
export const nativeCollection = <T extends { _id: unknown }>(model: Model<T>): NativeCollection<T> =>
  new NativeCollection(model.collection as unknown as mongo.Collection<T>);

class NativeCollection<T extends { _id: unknown }> {
  constructor(private readonly rows: mongo.Collection<T>) {}

  find(filter: mongo.Filter<T>, options?: mongo.FindOptions) {
    return this.rows.find(filter, { ...limit, ...options });
  }

  aggregate<R extends mongo.Document>(pipeline: mongo.Document[], options?: mongo.AggregateOptions) {
    return this.rows.aggregate<R>(pipeline, { ...limit, ...options });
  }

  findOne(filter: mongo.Filter<T>, options?: mongo.FindOptions) {
    return this.rows.findOne(filter, { ...limit, ...options });
  }

  findOneAndUpdate(
    filter: mongo.Filter<T>,
    update: mongo.UpdateFilter<T> | mongo.Document[],
    options?: mongo.FindOneAndUpdateOptions,
  ) {
    return this.rows.findOneAndUpdate(filter, update, { ...limit, ...options });
  }

  updateOne(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: mongo.UpdateOptions) {
    return this.rows.updateOne(filter, update, { ...limit, ...options });
  }

  replaceOne(filter: mongo.Filter<T>, row: mongo.WithoutId<T>, options?: mongo.ReplaceOptions) {
    return this.rows.replaceOne(filter, row, { ...limit, ...options });
  }

  insertOne(row: mongo.OptionalUnlessRequiredId<T>, options?: mongo.InsertOneOptions) {
    return this.rows.insertOne(row, { ...limit, ...options });
  }
}

/** For writes that must survive a failover. */
export const majority = { writeConcern: { w: "majority" } } as const;
