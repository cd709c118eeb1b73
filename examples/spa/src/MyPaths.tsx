import { listOwnPaths, type OwnPath, type OwnPathCourse } from "@lyceum/client";
import { useAnswer } from "./load.js";
import { Progress, Refusal, shownDate, Title } from "./parts.js";

/** Lists the paths of the learner, with the progress in each course. */
export function MyPaths() {
  const { data, error } = useAnswer(() => listOwnPaths(), "mine");
  return (
    <div className="narrow">
      <Title>My paths</Title>
      <Refusal error={error} />
      {data?.paths.length === 0 && (
        <p className="card prompt">
          You have no paths yet. <a href="/paths">Find a path</a>
        </p>
      )}
      <ul className="cards">
        {data?.paths.map((path) => (
          <Held key={path._id} path={path} />
        ))}
      </ul>
    </div>
  );
}

function Held({ path }: { path: OwnPath }) {
  // A locked course waits for the earliest course that is not completed.
  const awaited = path.courses.find(({ completedAt }) => !completedAt);
  return (
    <li className="card prompt">
      <h2>
        <a href={`/path/${path.slug}`}>{path.title}</a>
      </h2>
      <p className="row">
        <Progress done={path.coursesDone} all={path.coursesTotal} noun="course" />
        {path.inOrder && <span className="soft">In order</span>}
        {path.expiresAt && <span className="soft">Access until {shownDate(path.expiresAt)}</span>}
      </p>
      {path.completedAt && (
        <p className="row">
          <strong>Completed on {shownDate(path.completedAt)}.</strong>
          {path.certificateId ? (
            <a className="button" href="/my-certificates">
              See your certificate
            </a>
          ) : (
            "Your certificate is being prepared."
          )}
        </p>
      )}
      <ol className="lines">
        {path.courses.map((course) => (
          <CourseState key={course.courseId} course={course} awaited={awaited} />
        ))}
      </ol>
    </li>
  );
}

function CourseState({ course, awaited }: { course: OwnPathCourse; awaited: OwnPathCourse | undefined }) {
  const { courseId, courseTitle, completedAt, isEnrolled, isLocked } = course;
  return (
    <li className="line row">
      <span>{isEnrolled && !isLocked ? <a href={`/player/${courseId}`}>{courseTitle}</a> : courseTitle}</span>
      {completedAt ? (
        <span className="badge completed">Completed on {shownDate(completedAt)}</span>
      ) : !isEnrolled ? (
        <span className="soft">Your access has ended</span>
      ) : isLocked && awaited ? (
        <span>
          Locked. Complete <a href={`/player/${awaited.courseId}`}>{awaited.courseTitle}</a> first.
        </span>
      ) : (
        <Progress done={course.lecturesDone} all={course.lecturesTotal} />
      )}
    </li>
  );
}
