import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Answer } from "./load.js";

let hasNavigated = false;
addEventListener("popstate", () => {
  hasNavigated = true;
});

/** The heading of a page. It takes the focus after a navigation, so that a screen reader says where the user is. */
export function Title({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} – Lyceum`;
    if (!hasNavigated) return;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [children]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

interface Refused {
  error: { message: string } | undefined;
}

/** Shows the server's refusal. Its message is written for users. */
export const Refusal = ({ error }: Refused) => (error ? <p role="alert">{error.message}</p> : null);

/** Stands for a page whose reply is missing: it is on its way, or was refused. */
export const Pending = ({ error }: Refused) =>
  error ? (
    <>
      <Title>This page cannot be shown</Title>
      <Refusal error={error} />
      <a href="/">All courses</a>
    </>
  ) : (
    <p className="soft late" role="status">
      Loading…
    </p>
  );

/** `count(1, "point")` is "1 point", `count(2, "point")` is "2 points". */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

export const shownDate = (date: string): string =>
  new Date(date).toLocaleDateString(undefined, { dateStyle: "medium" });

export const shownMoment = (date: string): string =>
  new Date(date).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Shows the average rating of a course. */
export function Stars({ average, ratings }: { average: number; ratings: number }) {
  if (ratings === 0) return <span className="soft">No ratings yet</span>;
  return (
    <span className="stars">
      <span aria-hidden="true" style={{ "--share": `${average * 20}%` } as object}>
        ★★★★★
      </span>
      {average.toFixed(1)} <span className="soft">({count(ratings, "rating")})</span>
    </span>
  );
}

/** Shows the stars of one rating. */
export const Rating = ({ stars }: { stars: number }) => (
  <span className="stars">
    <span role="img" aria-label={`${count(stars, "star")} of 5`} style={{ "--share": `${stars * 20}%` } as object}>
      ★★★★★
    </span>
  </span>
);

/** Shows how much of a course or a path is done. */
export const Progress = ({ done, all, noun = "lecture" }: { done: number; all: number; noun?: string }) => (
  <span className="progress">
    <progress value={done} max={Math.max(all, 1)} aria-hidden="true" />
    <span>
      {done} of {count(all, noun)} done
    </span>
  </span>
);

/** Moves the focus from a control that is about to leave, so that the keyboard goes on from the same place. */
export function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

interface MoreProps {
  list: { more?: (() => Promise<void>) | undefined; isBusy: boolean };
  children: string;
}

/** Loads the next page of the list before it. The focus goes to the first new row, because the button may leave. */
export function More({ list: { more, isBusy }, children }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  if (!more) return null;
  const load = async () => {
    const rows = button.current?.previousElementSibling?.children;
    const shown = rows?.length ?? 0;
    await more();
    focusOn(rows?.[shown]);
  };
  return (
    <button
      type="button"
      className="quiet more"
      ref={button}
      aria-disabled={isBusy}
      onClick={isBusy ? undefined : load}
    >
      {children}
    </button>
  );
}

interface FoldedFormProps<Data> {
  /** The line that opens the form. */
  title: string;
  action: string;
  send: (fields: FormData) => Promise<Answer<Data>>;
  /** What to say after a success. */
  done: (data: Data) => string;
  children: ReactNode;
}

/** A form behind a line that opens it. It closes when the server has taken it, and keeps what was written otherwise. */
export function FoldedForm<Data>({ title, action, send, done, children }: FoldedFormProps<Data>) {
  const [isOpen, setOpen] = useState(false);
  const [answer, setAnswer] = useState<Answer<Data>>({});
  const [isBusy, setBusy] = useState(false);
  const line = useRef<HTMLElement>(null);
  const submit = async (form: HTMLFormElement) => {
    setBusy(true);
    const answer = await send(new FormData(form)).catch((error: Error) => ({ error }));
    setBusy(false);
    setAnswer(answer);
    if (answer.error) return;
    setOpen(false);
    line.current?.focus();
  };
  return (
    <div className="fold">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary ref={line}>
          <span>{title}</span>
        </summary>
        {isOpen && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void submit(event.currentTarget);
            }}
          >
            {children}
            <Refusal error={answer.error} />
            <button type="submit" disabled={isBusy}>
              {action}
            </button>
          </form>
        )}
      </details>
      <p role="status">{answer.data !== undefined && done(answer.data)}</p>
    </div>
  );
}
