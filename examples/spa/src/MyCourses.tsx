import { type EnrolledCourse, getCourseProgress, listEnrolledCourses } from "@lyceum/client";
import { useAnswer } from "./load.js";
import { Progress, Refusal, shownDate, Title } from "./parts.js";

/** Lists the courses of the learner, with a link to the next lesson of each. */
export function MyCourses() {
  const { data, error } = useAnswer(() => listEnrolledCourses(), "mine");
  return (
    <>
      <Title>My courses</Title>
      <Refusal error={error} />
      {data?.enrolledCourses.length === 0 && (
        <p>
          You have no courses yet. <a href="/">Find your first course</a>
        </p>
      )}
      <ul className="grid">
        {data?.enrolledCourses.map((course) => (
          <Mine key={course._id} course={course} />
        ))}
      </ul>
    </>
  );
}

function Mine({ course }: { course: EnrolledCourse }) {
  const { _id: courseId, title, expiresAt } = course;
  const { data } = useAnswer(() => getCourseProgress({ body: { courseId } }), courseId);
  const { completed = false, lectureCompleted = [] } = data?.progressData ?? {};
  // Completed lectures stay counted when the educator removes them.
  const done = completed ? course.totalLectures : Math.min(lectureCompleted.length, course.totalLectures);
  return (
    <li className="card">
      <img src={course.thumbnail} alt="" />
      <h2>
        <a href={`/player/${courseId}`}>{title}</a>
      </h2>
      <p className="soft">
        {course.educator.name}
        {expiresAt && ` · until ${shownDate(expiresAt)}`}
      </p>
      <p>{data ? <Progress done={done} all={course.totalLectures} /> : "\u00a0"}</p>
      <p className="foot">
        <strong className="go">{completed ? "See your certificate" : done > 0 ? "Continue" : "Begin"}</strong>
      </p>
    </li>
  );
}
