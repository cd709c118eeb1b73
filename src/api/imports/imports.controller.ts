import type { Deps } from "../../deps.js";
import { sendCsv } from "../../http/replies/csv.js";
import { describedBatches } from "../../http/reply-with-list.js";
import type { RouteRequest } from "../../http/route.js";
import type { GrantManager } from "../../services/grants/grant-enrollment.js";
import { findImport, importRows, resultColumns } from "../../services/grants/imports/find-import.js";
import { beginImport } from "../../services/grants/imports/receive-import.js";
import type { ImportUpload } from "./import-upload.js";

interface Named {
  readonly importId: string;
  /** Of the path, for an educator. */
  readonly courseId?: string;
}

type Asked = RouteRequest<Named, undefined, undefined, "user">;

/** Tables of grants: taking one, and reporting its result. */
export function importsController({ db }: Deps, role: GrantManager["role"], upload: ImportUpload) {
  const found = ({ params, viewer, req }: Asked) =>
    findImport(db, params, { userId: viewer.id, role, requestId: String(req.id) });
  return {
    async start({ viewer, req }: Pick<Asked, "viewer" | "req">) {
      const received = upload.received(req);
      await beginImport(db, received, { userId: viewer.id, role, requestId: String(req.id) });
      return { importId: received.importId };
    },

    async show(request: Asked) {
      const { state, ...shown } = await found(request);
      return { import: { ...shown, state: state === "done" ? ("done" as const) : ("running" as const) } };
    },

    async result(request: Asked) {
      const batches = describedBatches(importRows(db, await found(request)));
      return sendCsv(request.res, request.signal, {
        name: "result",
        columns: resultColumns,
        batches,
        cells: (row) => resultColumns.map((column) => row[column]),
      });
    },
  };
}
