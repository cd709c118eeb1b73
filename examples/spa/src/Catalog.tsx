import { type CourseSummary, listCourses } from "@lyceum/client";
import { useAnswer } from "./load.js";
import { count, Pending, Stars, Title } from "./parts.js";

type Priced = Pick<CourseSummary, "coursePrice" | "discount">;

const priceOf = ({ coursePrice, discount }: Priced): number => (coursePrice * (100 - discount)) / 100;
const rupees = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });
export const shownPrice = (course: Priced): string => (priceOf(course) === 0 ? "Free" : rupees.format(priceOf(course)));

/** Shows the price, and what it was before the discount. */
export const Price = ({ course }: { course: Priced }) => (
  <span className="price">
    <strong>{shownPrice(course)}</strong>
    {priceOf(course) < course.coursePrice && (
      <>
        {" "}
        <s>
          <span className="unseen">instead of </span>
          {rupees.format(course.coursePrice)}
        </s>{" "}
        <span className="badge">{course.discount} % off</span>
      </>
    )}
  </span>
);

/** Lists every published course. */
export function Catalog() {
  const { data, error } = useAnswer(() => listCourses(), "catalog");
  return (
    <>
      <Title>Courses</Title>
      {!data && <Pending error={error} />}
      <ul className="grid">
        {data?.courses.map((course) => (
          <li key={course._id} className="card">
            <img src={course.courseThumbnail} alt="" />
            <h2>
              <a href={`#course/${course._id}`}>{course.courseTitle}</a>
            </h2>
            <p className="soft">
              {course.educatorId.name} · {count(course.totalLectures, "lecture")}
            </p>
            <p>
              <Stars average={course.averageRating} ratings={course.totalRatings} />
            </p>
            <p className="foot">
              <Price course={course} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
