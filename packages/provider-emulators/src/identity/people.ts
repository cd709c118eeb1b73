import { z } from "zod";
import { JsonFile } from "../json-file.js";
import { randomId } from "../random-id.js";

const Metadata = z.record(z.string(), z.unknown());

const Person = z.object({
  id: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string().nullable(),
  imageUrl: z.string(),
  publicMetadata: Metadata,
  privateMetadata: Metadata,
  unsafeMetadata: Metadata,
  /** Milliseconds since the epoch; strictly growing with every change of this person. */
  createdAt: z.number(),
  updatedAt: z.number(),
});
/** One account at the identity provider. */
export type Person = z.infer<typeof Person>;

/** What a caller may say about a person. `role` lands in the public metadata. */
export interface PersonFields {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  email?: string | null | undefined;
  imageUrl?: string | undefined;
  role?: string | undefined;
}

export type MetadataPatch = Partial<
  Record<"publicMetadata" | "privateMetadata" | "unsafeMetadata", Record<string, unknown>>
>;

/** The accounts of the identity stand-in, kept in one file. Each change resolves when it is on disk. */
export class People {
  readonly #file: JsonFile<Person[]>;

  private constructor(file: JsonFile<Person[]>) {
    this.#file = file;
  }

  static async open(path: string): Promise<People> {
    return new People(await JsonFile.open(path, z.array(Person), []));
  }

  /** Oldest first. */
  list(): readonly Person[] {
    return this.#file.state;
  }

  find(id: string): Person | undefined {
    return this.#file.state.find((person) => person.id === id);
  }

  async create(id: string | undefined, fields: PersonFields): Promise<Person> {
    const now = Date.now();
    const person: Person = {
      id: id ?? randomId("user_", 27),
      firstName: null,
      lastName: null,
      email: null,
      imageUrl: "",
      publicMetadata: {},
      privateMetadata: {},
      unsafeMetadata: {},
      createdAt: now,
      updatedAt: now,
    };
    apply(person, fields);
    this.#file.state.push(person);
    await this.#file.save();
    return person;
  }

  async update(person: Person, fields: PersonFields): Promise<void> {
    apply(person, fields);
    await this.#touch(person);
  }

  /** Merges deeply; a null value takes its key away (the provider's rule). */
  async patchMetadata(person: Person, patch: MetadataPatch): Promise<void> {
    for (const part of ["publicMetadata", "privateMetadata", "unsafeMetadata"] as const) {
      person[part] = merge(person[part], patch[part] ?? {});
    }
    await this.#touch(person);
  }

  async remove(person: Person): Promise<void> {
    this.#file.state.splice(this.#file.state.indexOf(person), 1);
    await this.#file.save();
  }

  async #touch(person: Person): Promise<void> {
    person.updatedAt = Math.max(Date.now(), person.updatedAt + 1);
    await this.#file.save();
  }
}

/** The role in a person's public metadata, if it is a string. */
export function roleOf(person: Person | undefined): string | null {
  const role = person?.publicMetadata.role;
  return typeof role === "string" ? role : null;
}

function apply(person: Person, fields: PersonFields): void {
  if (fields.firstName !== undefined) person.firstName = fields.firstName;
  if (fields.lastName !== undefined) person.lastName = fields.lastName;
  if (fields.email !== undefined) person.email = fields.email;
  if (fields.imageUrl !== undefined) person.imageUrl = fields.imageUrl;
  if (fields.role !== undefined) person.publicMetadata = { ...person.publicMetadata, role: fields.role };
}

function merge(old: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(before) && isObject(value) ? merge(before, value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
