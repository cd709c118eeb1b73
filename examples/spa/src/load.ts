import { useEffect, useState } from "react";

/** The result type of the client's functions. */
type Answer<Data> = { data?: Data; error?: { message: string } | undefined };

/** Loads the reply of one request and repeats the request on `again`. An unmounted component ignores the reply. */
export function useAnswer<Data>(ask: () => Promise<Answer<Data>>, key: string, wanted = true) {
  const [answer, setAnswer] = useState<Answer<Data>>({});
  const again = () => void ask().then(setAnswer, (error: Error) => setAnswer({ error }));
  useEffect(() => {
    if (wanted) again();
  }, [key]);
  return { ...answer, again };
}
