import type { Model, mongo } from "mongoose";

/**
 * The driver's own collection of a model, for named queries of the hottest paths, where Mongoose's casting costs more
 * than the work. Used in this folder only. Nothing is cast (an id in text matches nothing), no default is set, fields
 * that a schema does not select are read, `createdAt` and `updatedAt` are the query's, and the schema's write concern
 * does not apply.
 */
export const nativeCollection = <T extends { _id: unknown }>(model: Model<T>): mongo.Collection<T> =>
  model.collection as unknown as mongo.Collection<T>;

/** Acknowledged by a majority: what must outlive a failover. */
export const majority = { writeConcern: { w: "majority" } } as const;
