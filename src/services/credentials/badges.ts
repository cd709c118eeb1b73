import { createHash } from "node:crypto";
import { createBrand } from "@lyceum/certificate-pdf/brand";
import { LRUCache } from "lru-cache";
import type { Deps } from "../../deps.js";
import { isObjectId } from "../../lib/fields.js";
import { CourseNotFound, PathNotFound } from "../failures.js";

/** The public badge of a course or path. */
export interface PublicBadge {
  readonly etag: string;
  /** Draws the PNG in the client's turn, or returns it from the badges that were used last. */
  draw(client: string): Promise<Buffer>;
}

/** Raise it when the drawing changes, so that no cache shows the former one. */
const design = 2;

/** Number of badges that an instance keeps, 55 kB each. */
const maxKept = 200;

interface Look {
  readonly title: string;
  readonly color: string;
}

/** Creates a function that finds the badge of a course or path: the platform's mark, the template's colour, the title. */
export function createBadges({ db, config, renderInTurn }: Pick<Deps, "db" | "config" | "renderInTurn">) {
  const { platform } = config;
  const drawn = new LRUCache<string, Buffer, Look & { client: string }>({
    max: maxKept,
    // A badge that leaves the cache while it is drawn is drawn to its end.
    ignoreFetchAbort: true,
    fetchMethod: (_tag, _stale, { context }) => renderInTurn(context.client, () => drawPng(context)),
  });

  async function drawPng({ title, color }: Look): Promise<Buffer> {
    // Drawing takes much memory, so it is loaded with the first badge.
    const [{ drawBadge }, { default: sharp }] = await Promise.all([
      import("@lyceum/certificate-pdf/badge"),
      import("sharp"),
    ]);
    const svg = drawBadge(title, createBrand({ ...platform, color }));
    return sharp(Buffer.from(svg)).png().toBuffer();
  }

  const findTitle = {
    course: async (id: string) => (await db.Course.findById(id, { courseTitle: 1 }).lean())?.courseTitle,
    path: async (id: string) => (isObjectId(id) ? (await db.Path.findById(id, { title: 1 }).lean())?.title : undefined),
  };

  /** @param substitute is the title of a course or path that is gone. @throws CourseNotFound, PathNotFound without it. */
  return async (kind: keyof typeof findTitle, id: string, substitute?: string): Promise<PublicBadge> => {
    const title = (await findTitle[kind](id)) ?? substitute;
    if (title === undefined) throw kind === "path" ? PathNotFound() : CourseNotFound();
    const template = await db.CertificateTemplate.findById(id, { color: 1 }).lean();
    const look = { title, color: template?.color ?? platform.color };
    const facts = JSON.stringify([design, look, platform]);
    const etag = `"${createHash("sha256").update(facts).digest("base64url").slice(0, 27)}"`;
    return { etag, draw: (client) => drawn.forceFetch(etag, { context: { ...look, client } }) };
  };
}
