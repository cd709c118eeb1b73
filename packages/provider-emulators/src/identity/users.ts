import { z } from "zod";
import { JsonFile } from "../json-file.js";
import { randomId } from "../random-id.js";
import { drawAvatar } from "./avatar.js";

const Metadata = z.record(z.string(), z.unknown());

const User = z.object({
  id: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string().nullable(),
  emailVerified: z.boolean().default(true),
  imageUrl: z.string(),
  username: z.string().nullable().default(null),
  externalId: z.string().nullable().default(null),
  passwordEnabled: z.boolean().default(false),
  publicMetadata: Metadata,
  privateMetadata: Metadata,
  unsafeMetadata: Metadata,
  /** Time of the last change in milliseconds since the epoch. It rises with every change of this user. */
  createdAt: z.number(),
  updatedAt: z.number(),
});
/** An account at the identity provider. */
export type User = z.infer<typeof User>;

/**
 * Fields of a user that a caller may set. Metadata replace the earlier metadata. `role` is a key of the public metadata;
 * null removes the key.
 */
export interface UserFields extends MetadataFields {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  email?: string | null | undefined;
  /** True for a new user. */
  emailVerified?: boolean | undefined;
  /** Without it a new user gets a drawn picture. */
  imageUrl?: string | undefined;
  username?: string | null | undefined;
  externalId?: string | null | undefined;
  passwordEnabled?: boolean | undefined;
  role?: string | null | undefined;
  /** Time in milliseconds since the epoch. It is now for a new user. */
  createdAt?: number | undefined;
}

export type MetadataFields = {
  [Part in "publicMetadata" | "privateMetadata" | "unsafeMetadata"]?: Record<string, unknown> | undefined;
};

/** Stores the accounts in one file. Each change resolves when it is on disk. */
export class Users {
  readonly #file: JsonFile<User[]>;

  private constructor(file: JsonFile<User[]>) {
    this.#file = file;
  }

  static async open(path: string | undefined): Promise<Users> {
    return new Users(await JsonFile.open(path, z.array(User), []));
  }

  /** Lists accounts, oldest first. */
  list(): readonly User[] {
    return this.#file.state;
  }

  find(id: string): User | undefined {
    return this.#file.state.find((user) => user.id === id);
  }

  async create(id: string | undefined, fields: UserFields): Promise<User> {
    const now = Date.now();
    const user: User = {
      id: id ?? randomId("user_", 27),
      firstName: null,
      lastName: null,
      email: null,
      emailVerified: true,
      // As at the provider, a user who gives no picture gets one.
      imageUrl: drawAvatar(fields.firstName || fields.email || "", (this.#file.state.length * 47) % 360),
      username: null,
      externalId: null,
      passwordEnabled: false,
      publicMetadata: {},
      privateMetadata: {},
      unsafeMetadata: {},
      createdAt: now,
      updatedAt: now,
    };
    apply(user, fields);
    this.#file.state.push(user);
    await this.#file.save();
    return user;
  }

  async update(user: User, fields: UserFields): Promise<void> {
    apply(user, fields);
    await this.#touch(user);
  }

  /** Merges deeply. As at the provider, a null value removes its key. */
  async patchMetadata(user: User, patch: MetadataFields): Promise<void> {
    for (const part of ["publicMetadata", "privateMetadata", "unsafeMetadata"] as const) {
      user[part] = merge(user[part], patch[part] ?? {});
    }
    await this.#touch(user);
  }

  async remove(user: User): Promise<void> {
    this.#file.state.splice(this.#file.state.indexOf(user), 1);
    await this.#file.save();
  }

  async #touch(user: User): Promise<void> {
    user.updatedAt = Math.max(Date.now(), user.updatedAt + 1);
    await this.#file.save();
  }
}

/** Reads the role in a user's public metadata, if it is a string. */
export function roleOf(user: User | undefined): string | null {
  const role = user?.publicMetadata.role;
  return typeof role === "string" ? role : null;
}

function apply(user: User, fields: UserFields): void {
  const { role, ...rest } = fields;
  const known = Object.entries(rest).filter(([name, value]) => name in user && value !== undefined);
  Object.assign(user, Object.fromEntries(known));
  if (role !== undefined) user.publicMetadata = merge(user.publicMetadata, { role });
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
