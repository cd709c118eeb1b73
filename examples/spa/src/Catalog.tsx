import { type BrowseCoursesData, type BrowsedCourse, browseCourses, type CourseSummary } from "@lyceum/client";
import { useRef } from "react";
import { Chosen, Filters, levels, normalSort, SearchField, Sort } from "./Filters.js";
import { usePages } from "./load.js";
import { count, focusOn, More, Refusal, Stars, Title } from "./parts.js";

type Priced = Pick<CourseSummary, "coursePrice" | "discount">;

export const priceOf = ({ coursePrice, discount }: Priced): number => (coursePrice * (100 - discount)) / 100;
export const rupees = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });
export const shownAmount = (amount: number): string => (amount === 0 ? "Free" : rupees.format(amount));

/** Shows the price, and what it was before the discount. */
export const Price = ({ course }: { course: Priced }) => (
  <span className="price">
    <strong>{shownAmount(priceOf(course))}</strong>
    {priceOf(course) < course.coursePrice && (
      <>
        {" "}
        <s>
          <span className="unseen">instead of </span>
          {shownAmount(course.coursePrice)}
        </s>{" "}
        <span className="badge">{course.discount} % off</span>
      </>
    )}
  </span>
);

/** Finds published courses. What is searched is in the address, so that links and the back button work. */
export function Catalog({ address }: { address: string }) {
  const query = new URLSearchParams(address);
  const results = useRef<HTMLElement>(null);
  const sort = query.get("sort") ?? normalSort(query);
  const wanted = { ...Object.fromEntries(query), sort } as BrowseCoursesData["query"];
  const list = usePages(
    (after, signal) => browseCourses({ query: { ...wanted, ...after }, signal }),
    ({ courses }) => courses,
    address,
  );
  const { reply, rows, error, isBusy } = list;
  return (
    <>
      <Title>Courses</Title>
      <div className="browse">
        <search>
          <a className="skip" href="#results">
            Skip to the results
          </a>
          <SearchField query={query} />
          <Filters query={query} facets={reply?.facets} />
        </search>
        <section aria-label="Results" id="results" tabIndex={-1} ref={results}>
          <div className="row spread">
            <p role="status">{reply ? `${count(reply.total, "course")} found` : !error && "Loading…"}</p>
            <Sort query={query} sort={sort} />
          </div>
          <Chosen query={query} onFollow={() => focusOn(results.current)} />
          <Refusal error={error} />
          {error && (
            <button
              type="button"
              className="quiet"
              onClick={() => {
                focusOn(results.current);
                void list.again();
              }}
            >
              Try again
            </button>
          )}
          {reply?.total === 0 && (
            <p className="card prompt">
              Nothing matches. Try fewer words or filters, or <a href="/">look at all courses</a>.
            </p>
          )}
          <ul className="grid" aria-busy={isBusy}>
            {rows.map((course) => (
              <CourseCard key={course._id} course={course} />
            ))}
          </ul>
          <More list={list}>More courses</More>
        </section>
      </div>
    </>
  );
}

const CourseCard = ({ course }: { course: BrowsedCourse }) => (
  <li className="card">
    <img src={course.courseThumbnail} alt="" />
    <h2>
      <a href={`/course/${course._id}`}>{course.courseTitle}</a>
    </h2>
    {course.subtitle && <p>{course.subtitle}</p>}
    <p className="soft">
      {course.educatorId.name} · {count(course.totalLectures, "lecture")}
      {course.level && ` · ${levels[course.level]}`}
    </p>
    <p>
      <Stars average={course.averageRating} ratings={course.totalRatings} />
    </p>
    <p className="foot">
      <Price course={course} />
    </p>
  </li>
);
