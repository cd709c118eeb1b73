import { useEffect, useState } from "react";

/** What the client's functions resolve to. */
type Answer<Data> = { data?: Data; error?: { message: string } | undefined };

/** The answer of one request, asked for again by `again`; while it is not wanted, none. */
export function useAnswer<Data>(ask: () => Promise<Answer<Data>>, key: string, wanted = true) {
  const [answer, setAnswer] = useState<Answer<Data>>({});
  const again = () => void ask().then(setAnswer, (error: Error) => setAnswer({ error }));
  useEffect(() => {
    if (wanted) again();
  }, [key]);
  return { ...answer, again };
}

/** Says what the server refused, in its own words. */
export const Refusal = ({ error }: { error: { message: string } | undefined }) =>
  error ? <p role="alert">{error.message}</p> : null;
