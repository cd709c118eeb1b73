import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** The result type of the client's functions. */
export type Answer<Data> = { data?: Data; error?: { message: string } | undefined };

/** Sends the token with a request that visitors may make too. The reply says what is the viewer's own. */
export const asViewer = [{ scheme: "bearer", type: "http" }] as const;

/** Loads the reply of one request and repeats the request on `again`. An unmounted component ignores the reply. */
export function useAnswer<Data>(ask: () => Promise<Answer<Data>>, key: string, wanted = true) {
  const [answer, setAnswer] = useState<Answer<Data>>({});
  const again = () => void ask().then(setAnswer, (error: Error) => setAnswer({ error }));
  useEffect(() => {
    if (wanted) again();
  }, [key]);
  return { ...answer, again };
}

type Pages<Reply, Row> = { reply?: Reply | undefined; rows: Row[]; error?: { message: string } | undefined };

/**
 * Loads a list page by page: the first page for each `key`, and the next one on `more`. A new request aborts the one
 * before. The old rows stay until the new ones are there.
 */
export function usePages<Reply extends { nextCursor?: string | null }, Row>(
  ask: (after: { after?: string }, signal: AbortSignal) => Promise<Answer<Reply>>,
  rowsOf: (reply: Reply) => Row[],
  key: string,
) {
  const [pages, setPages] = useState<Pages<Reply, Row>>({ rows: [] });
  const [isBusy, setBusy] = useState(true);
  const asking = useRef<AbortController>(null);
  const load = async (after?: string) => {
    asking.current?.abort();
    asking.current = new AbortController();
    const { signal } = asking.current;
    setBusy(true);
    const answer: Answer<Reply> = await ask(after ? { after } : {}, signal).catch((error: Error) => ({ error }));
    if (signal.aborted) return;
    // The rows are on the page when the promise resolves, so that the caller can focus one.
    flushSync(() => {
      setBusy(false);
      setPages(({ rows, reply }) => {
        const before = after ? rows : [];
        if (!answer.data) return { reply: after ? reply : undefined, rows: before, error: answer.error };
        return { reply: answer.data, rows: [...before, ...rowsOf(answer.data)] };
      });
    });
  };
  useEffect(() => {
    void load();
    return () => asking.current?.abort();
  }, [key]);
  const next = pages.reply?.nextCursor;
  const setRows = (change: (row: Row) => Row) => setPages((pages) => ({ ...pages, rows: pages.rows.map(change) }));
  return { ...pages, isBusy, again: () => load(), more: next ? () => load(next) : undefined, setRows };
}
