import { useAuth } from "@clerk/react";
import { type CourseOfPath, getPath, listOwnPaths } from "@lyceum/client";
import { priceOf, shownAmount } from "./Catalog.js";
import { asViewer, useAnswer } from "./load.js";
import { Markdown } from "./Markdown.js";
import { Offer } from "./Offer.js";
import { PathPrice } from "./Paths.js";
import { count, Pending, Progress, Refusal, Title } from "./parts.js";

/** Shows a path with its courses and what they cost together. An educator sees an own draft. */
export function LearningPath({ id }: { id: string }) {
  const { isSignedIn } = useAuth();
  const { data, error } = useAnswer(() => getPath({ path: { pathId: id }, security: asViewer }), id);
  const own = useAnswer(() => listOwnPaths(), `${isSignedIn}`, isSignedIn);
  if (!data) return <Pending error={error} />;
  const { path } = data;
  const owned = own.data?.paths.find(({ _id }) => _id === path._id);
  const alone = <p className="soft">One by one, the courses cost {shownAmount(path.listPrice)}.</p>;
  return (
    <article className="course">
      <header>
        <Title>{path.title}</Title>
        {path.subtitle && <p className="subtitle">{path.subtitle}</p>}
        <p className="by">
          <img src={path.educatorId.imageUrl} alt="" /> {path.educatorId.name}
        </p>
        <p className="row">
          {!path.isPublished && <span className="badge">Draft</span>}
          <span className="soft">{count(path.courses.length, "course")}</span>
          <span className="soft">{count(path.learners, "learner")}</span>
        </p>
      </header>
      <aside className="card offer" aria-label="Price">
        <img src={path.courses[0]?.courseThumbnail} alt="" />
        {owned ? (
          <div role="status">
            <p>You have this path.</p>
            <Progress done={owned.coursesDone} all={owned.coursesTotal} noun="course" />
            <a className="button" href="/my-paths">
              Go to my paths
            </a>
          </div>
        ) : path.price === null ? (
          <>
            <p>This path is not for sale. You can buy its courses.</p>
            {alone}
          </>
        ) : (
          <Offer
            item={{ pathId: path._id }}
            title={path.title}
            price={path.price}
            isKnown={!isSignedIn || own.data !== undefined}
            reload={own.again}
          >
            <p>
              <PathPrice path={path} />
            </p>
            {alone}
          </Offer>
        )}
        <Refusal error={own.error} />
      </aside>
      <div className="about">
        <Markdown text={path.description} />
        <h2>Courses</h2>
        <p>
          {path.inOrder
            ? "You take the courses in order. Each one opens when you have completed the one before it."
            : "You take the courses in the order that you like."}{" "}
          You get a certificate when you have completed all of them.
        </p>
        <ol className="cards">
          {path.courses.map((course, at) => (
            <CourseLine key={course._id} course={course} place={at + 1} />
          ))}
        </ol>
      </div>
    </article>
  );
}

const CourseLine = ({ course, place }: { course: CourseOfPath; place: number }) => (
  <li className="card prompt">
    <h3>
      <span className="soft">{place}</span> <a href={`/course/${course._id}`}>{course.courseTitle}</a>
    </h3>
    <p className="row soft">
      <span>
        {count(course.totalLectures, "lecture")} · {count(course.totalDurationMinutes, "minute")}
      </span>
      {course.averageRating > 0 && <span>{course.averageRating.toFixed(1)} of 5 stars</span>}
      <span>Alone: {shownAmount(priceOf(course))}</span>
    </p>
  </li>
);
