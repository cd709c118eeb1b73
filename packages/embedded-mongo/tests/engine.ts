import { EJSON } from "bson";
import { type Collection, type Document, type MongoClient, MongoServerError, ObjectId } from "mongodb";

/** The result of an engine: documents as canonical extended JSON, which keeps number types, or an error code. */
export type Outcome = { result: string[] } | { code: number };

const TYPED = { promoteValues: false, promoteLongs: false, bsonRegExp: true } as const;

/** Sorts fields by name where the order of computed fields is undefined. */
export function canonical(document: Document, anyFieldOrder: boolean): string {
  const serialized: unknown = EJSON.serialize(document, { relaxed: false });
  return JSON.stringify(anyFieldOrder ? sortedFields(serialized) : serialized);
}

function sortedFields(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortedFields);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([name, field]): [string, unknown] => [name, sortedFields(field)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function outcome(run: () => Promise<Document[]>, ordered: boolean, anyFieldOrder = false): Promise<Outcome> {
  try {
    const result = (await run()).map((document) => canonical(document, anyFieldOrder));
    return { result: ordered ? result : result.sort() };
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error && Number.isInteger(Number(error.code))) {
      return { code: Number(error.code) };
    }
    throw error;
  }
}

/** An engine with one collection for the current case. */
export class Engine {
  readonly things: Collection;

  constructor(client: MongoClient, database: string) {
    this.things = client.db(database).collection("things");
  }

  async fill(documents: readonly Document[]): Promise<void> {
    await this.things.deleteMany({});
    if (documents.length > 0) {
      await this.things.insertMany([...documents], { ordered: true });
    }
  }

  find(filter: Document, sort?: Document, projection?: Document): Promise<Outcome> {
    return outcome(() => {
      const cursor = this.things.find(filter, { ...TYPED, ...(projection && { projection }) });
      return (sort === undefined ? cursor : cursor.sort(sort)).toArray();
    }, sort !== undefined);
  }

  aggregate(pipeline: readonly Document[], ordered = false): Promise<Outcome> {
    return outcome(() => this.things.aggregate([...pipeline], TYPED).toArray(), ordered, true);
  }

  /** Returns for each command whether it was refused, and all documents afterwards without generated ObjectIds. */
  attempt(commands: readonly Document[]): Promise<Outcome> {
    return outcome(
      async () => {
        const answers = [];
        for (const command of commands) answers.push({ answer: await this.answer(command) });
        const all = await this.things.find({}, TYPED).sort({ _id: 1 }).toArray();
        return [
          ...answers,
          ...all.map(({ _id, ...others }) => (_id instanceof ObjectId ? others : { _id, ...others })),
        ];
      },
      true,
      true,
    );
  }

  private async answer(command: Document): Promise<unknown> {
    try {
      const { writeErrors = [], n, value, values, cursor } = await this.things.db.command(command, TYPED);
      const refused = writeErrors.some(({ code }: Document) => Number(code) === 115);
      if (refused) throw Object.assign(new Error("not supported"), { code: 115 });
      if (writeErrors.length > 0) return `refused at ${writeErrors[0].index}`;
      return [n, value, values, cursor?.firstBatch].map((part) => part ?? null);
    } catch (error) {
      if ((error as { code?: unknown }).code === 115) throw error;
      if (error instanceof MongoServerError) return "refused";
      throw error;
    }
  }

  /** Writes documents, each in place of the one with its number, under an index that is dropped at the end. */
  async indexed(index: Document, writes: readonly [number, Document][]): Promise<Outcome> {
    await this.fill([]);
    const making = { createIndexes: "things", indexes: [index] };
    const updates = writes.map(([_id, u]) => ({ update: "things", updates: [{ q: { _id }, u, upsert: true }] }));
    const given = await this.attempt([making, ...updates]);
    await this.things.dropIndexes();
    return given;
  }

  /** Returns the counts of the update and all documents afterwards. */
  update(filter: Document, update: Document, options: { upsert?: boolean; multi?: boolean }): Promise<Outcome> {
    return outcome(
      async () => {
        const updates = [{ q: filter, u: update, upsert: options.upsert ?? false, multi: options.multi ?? false }];
        const reply = await this.things.db.command({ update: "things", updates }, TYPED);
        const [refusal] = reply.writeErrors ?? [];
        if (refusal !== undefined) {
          throw Object.assign(new Error(refusal.errmsg), { code: Number(refusal.code) });
        }
        const counts = {
          n: Number(reply.n),
          nModified: Number(reply.nModified),
          upserted: reply.upserted?.length ?? 0,
        };
        return [counts, ...(await this.things.find({}, TYPED).sort({ _id: 1 }).toArray())];
      },
      true,
      true,
    );
  }
}
