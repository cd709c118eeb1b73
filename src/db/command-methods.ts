/** Every method by which Mongoose and the driver send commands of requests: its command, and which place takes options. */
export const commandMethods = {
  find: { command: "find", optionsAt: 1 },
  findOne: { command: "find", optionsAt: 1 },
  aggregate: { command: "aggregate", optionsAt: 1 },
  countDocuments: { command: "aggregate", optionsAt: 1 },
  estimatedDocumentCount: { command: "count", optionsAt: 0 },
  distinct: { command: "distinct", optionsAt: 2 },
  insertOne: { command: "insert", optionsAt: 1 },
  insertMany: { command: "insert", optionsAt: 1 },
  updateOne: { command: "update", optionsAt: 2 },
  updateMany: { command: "update", optionsAt: 2 },
  replaceOne: { command: "update", optionsAt: 2 },
  bulkWrite: { command: "bulkWrite", optionsAt: 1 },
  deleteOne: { command: "delete", optionsAt: 1 },
  deleteMany: { command: "delete", optionsAt: 1 },
  findOneAndUpdate: { command: "findAndModify", optionsAt: 2 },
  findOneAndDelete: { command: "findAndModify", optionsAt: 1 },
  findOneAndReplace: { command: "findAndModify", optionsAt: 2 },
} as const;

export type Method = (...given: unknown[]) => unknown;

/**
 * Replaces each of these methods of a collection of Mongoose.
 * @param replace is given the method bound to its collection.
 */
export function replaceMethods(
  collection: object,
  replace: (method: Method, about: (typeof commandMethods)[keyof typeof commandMethods]) => Method,
): void {
  const methods = collection as Record<string, Method>;
  for (const [name, about] of Object.entries(commandMethods)) {
    const method = methods[name]?.bind(collection);
    if (!method) throw new Error(`the collection has no method ${name}`);
    methods[name] = replace(method, about);
  }
}
