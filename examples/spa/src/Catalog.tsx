import { type CourseSummary, listCourses } from "@lyceum/client";
import { Refusal, useAnswer } from "./load.js";

export const priceOf = ({ coursePrice, discount }: CourseSummary): number => (coursePrice * (100 - discount)) / 100;

const rupees = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });
export const shownPrice = (course: CourseSummary): string =>
  priceOf(course) === 0 ? "free" : rupees.format(priceOf(course));

/** Lists every published course. */
export function Catalog() {
  const { data, error } = useAnswer(() => listCourses(), "catalog");
  return (
    <>
      <h1>Courses</h1>
      <Refusal error={error} />
      <ul className="grid">
        {data?.courses.map((course) => (
          <li key={course._id}>
            <a href={`#course/${course._id}`}>
              <img src={course.courseThumbnail} alt="" />
              <h2>{course.courseTitle}</h2>
            </a>
            <p className="soft">
              {course.educatorId.name} · {course.totalLectures} lectures · {shownPrice(course)}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
