import type { Model, mongo } from "mongoose";
import { commandLimitMs } from "./command-limit.js";

const limit = { maxTimeMS: commandLimitMs };

/**
 * The driver's own collection of a model, for named queries of the hottest paths, where Mongoose's casting costs more
 * than the work. Used in this folder only. Nothing is cast (an id in text matches nothing), no default is set, fields
 * that a schema does not select are read, `createdAt` and `updatedAt` are the query's, and the schema's write concern
 * does not apply. Every command carries the time limit unless its options name another one.
 */
export const nativeCollection = <T extends { _id: unknown }>(model: Model<T>): NativeCollection<T> =>
  new NativeCollection(model.collection as unknown as mongo.Collection<T>);

class NativeCollection<T extends { _id: unknown }> {
  constructor(private readonly rows: mongo.Collection<T>) {}

  find(filter: mongo.Filter<T>, options?: mongo.FindOptions) {
    return this.rows.find(filter, { ...limit, ...options });
  }

  findOne(filter: mongo.Filter<T>, options?: mongo.FindOptions) {
    return this.rows.findOne(filter, { ...limit, ...options });
  }

  aggregate<R extends mongo.Document>(pipeline: mongo.Document[], options?: mongo.AggregateOptions) {
    return this.rows.aggregate<R>(pipeline, { ...limit, ...options });
  }

  findOneAndUpdate(
    filter: mongo.Filter<T>,
    update: mongo.UpdateFilter<T> | mongo.Document[],
    options?: mongo.FindOneAndUpdateOptions,
  ) {
    return this.rows.findOneAndUpdate(filter, update, { ...limit, ...options });
  }

  findOneAndDelete(filter: mongo.Filter<T>, options?: mongo.FindOneAndDeleteOptions) {
    return this.rows.findOneAndDelete(filter, { ...limit, ...options });
  }

  updateOne(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: mongo.UpdateOptions) {
    return this.rows.updateOne(filter, update, { ...limit, ...options });
  }

  updateMany(filter: mongo.Filter<T>, update: mongo.UpdateFilter<T> | mongo.Document[], options?: mongo.UpdateOptions) {
    return this.rows.updateMany(filter, update, { ...limit, ...options });
  }

  replaceOne(filter: mongo.Filter<T>, row: mongo.WithoutId<T>, options?: mongo.ReplaceOptions) {
    return this.rows.replaceOne(filter, row, { ...limit, ...options });
  }

  insertOne(row: mongo.OptionalUnlessRequiredId<T>, options?: mongo.InsertOneOptions) {
    return this.rows.insertOne(row, { ...limit, ...options });
  }

  deleteOne(filter: mongo.Filter<T>, options?: mongo.DeleteOptions) {
    return this.rows.deleteOne(filter, { ...limit, ...options });
  }

  deleteMany(filter: mongo.Filter<T>, options?: mongo.DeleteOptions) {
    return this.rows.deleteMany(filter, { ...limit, ...options });
  }

  bulkWrite(operations: mongo.AnyBulkWriteOperation<T>[], options?: mongo.BulkWriteOptions) {
    return this.rows.bulkWrite(operations, { ...limit, ...options });
  }
}

/** Acknowledged by a majority: what must outlive a failover. */
export const majority = { writeConcern: { w: "majority" } } as const;
