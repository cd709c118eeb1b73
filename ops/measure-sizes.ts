import mongoose from "mongoose";

/*
 * MONGODB_URI=… node --import tsx ops/measure-sizes.ts
 *
 * Measures the documents of each collection (BSON, without indexes) in a sample of its newest thousand.
 */

const sampled = 1_000;
const uri = process.env.MONGODB_URI;
if (!uri) throw new Error("MONGODB_URI names no database");
const connection = await mongoose.createConnection(uri).asPromise();
const { calculateObjectSize } = mongoose.mongo.BSON;
const rows: Record<string, { documents: number; mean: number; largest: number }> = {};
for (const collection of (await connection.db?.collections()) ?? []) {
  const newest = collection.find().sort({ _id: -1 }).limit(sampled);
  const sizes: number[] = [];
  for await (const document of newest) sizes.push(calculateObjectSize(document));
  if (sizes.length === 0) continue;
  const sum = sizes.reduce((total, size) => total + size, 0);
  rows[collection.collectionName] = {
    documents: await collection.estimatedDocumentCount(),
    mean: Math.round(sum / sizes.length),
    largest: sizes.reduce((most, size) => Math.max(most, size), 0),
  };
}
console.table(Object.fromEntries(Object.entries(rows).sort(([a], [b]) => a.localeCompare(b))));
await connection.close();
