import { errorOf, type FailedResult } from "./errors.js";

/** A function that lists something, such as `listOrders`. */
// biome-ignore lint/suspicious/noExplicitAny: the options of each function are other ones, and TypeScript infers them
type List = (options?: any) => Promise<FailedResult & { readonly data?: unknown }>;

type Reply<L extends List> = NonNullable<Awaited<ReturnType<L>>["data"]>;

/** The type of the rows in a reply, which has one list. */
export type RowOf<L extends List> = {
  [Field in keyof Reply<L>]: Reply<L>[Field] extends readonly (infer Row)[] ? Row : never;
}[keyof Reply<L>];

const rowsOfPage = 100;

/**
 * Lists all rows, page by page: `for await (const order of paginate(listOrders))`. The next page is read when its first
 * row is wanted.
 * @param options those of the function. `query.limit` is the number of rows of a page, 100 by default.
 * @throws LyceumError when a page is refused or the server cannot be reached.
 * @throws TypeError when the reply has no list at its top level.
 */
export async function* paginate<L extends List>(list: L, options?: Parameters<L>[0]): AsyncGenerator<RowOf<L>, void> {
  let query: object | undefined = { limit: rowsOfPage, ...options?.query };
  while (query) {
    const result = await list({ ...options, query, throwOnError: false });
    const { data } = result;
    if (typeof data !== "object" || data === null) throw errorOf(result);
    const rows = Object.values(data).find(Array.isArray) as RowOf<L>[] | undefined;
    if (!rows) throw new TypeError("The reply has no list");
    yield* rows;
    // A list of events always has a cursor, for events to come.
    if (rows.length === 0) return;
    query = nextQuery(query, data);
  }
}

/** Lists continue after a cursor, before an id, or by a page number. Their replies tell which. */
function nextQuery(query: { page?: number }, reply: Paged): object | undefined {
  if (reply.nextCursor) return { ...query, after: reply.nextCursor };
  if (reply.nextBefore) return { ...query, before: reply.nextBefore };
  const isNumbered = reply.hasMore && reply.nextBefore === undefined;
  return isNumbered ? { ...query, page: Number(query.page ?? 1) + 1 } : undefined;
}

interface Paged {
  nextCursor?: string | null;
  nextBefore?: string | null;
  hasMore?: boolean;
}
