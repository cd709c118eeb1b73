import { useEffect, useRef } from "react";

let hasNavigated = false;
addEventListener("hashchange", () => {
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

/** Stands where a reply is missing: it is on its way, or was refused. */
export const Pending = ({ error }: Refused) =>
  error ? (
    <>
      <Refusal error={error} />
      <a href="#catalog">All courses</a>
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

/** Shows how much of a course is done. */
export const Progress = ({ done, all }: { done: number; all: number }) => (
  <span className="progress">
    <progress value={done} max={Math.max(all, 1)} aria-hidden="true" />
    <span>
      {done} of {count(all, "lecture")} done
    </span>
  </span>
);
