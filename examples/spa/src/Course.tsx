import { useAuth } from "@clerk/react";
import { type CourseDetail, getCourse, type Lecture, listEnrolledCourses } from "@lyceum/client";
import { useState } from "react";
import { Price, priceOf } from "./Catalog.js";
import { languageName, levels } from "./Filters.js";
import { LessonContent } from "./Lesson.js";
import { useAnswer } from "./load.js";
import { Markdown } from "./Markdown.js";
import { Offer } from "./Offer.js";
import { count, Pending, Refusal, Stars, Title } from "./parts.js";
import { Reviews } from "./Reviews.js";

/** Shows a course with what it costs and what is inside. */
export function Course({ id }: { id: string }) {
  const { isSignedIn } = useAuth();
  const { data, error, again } = useAnswer(() => getCourse({ path: { id } }), id);
  const own = useAnswer(() => listEnrolledCourses(), `${isSignedIn}`, isSignedIn);
  if (!data?.success) return <Pending error={data ?? error} />;
  const course = data.courseData;
  const owned = own.data?.enrolledCourses.find(({ _id }) => _id === id);
  const isOwned = owned !== undefined;
  const reload = () => {
    again();
    if (isSignedIn) own.again();
  };
  return (
    <article className="course">
      <header>
        <Title>{course.courseTitle}</Title>
        {course.subtitle && <p className="subtitle">{course.subtitle}</p>}
        <p className="by">
          <img src={course.educatorId.imageUrl} alt="" /> {course.educatorId.name}
        </p>
        <p className="row">
          <Stars average={course.averageRating} ratings={course.totalRatings} />
          <span className="soft">{count(course.totalEnrolledStudents, "learner")}</span>
          {course.level && <span className="soft">{levels[course.level]}</span>}
          {course.language && <span className="soft">In {languageName(course.language)}</span>}
        </p>
        <Topics course={course} />
      </header>
      <aside className="card offer" aria-label="Price">
        <img src={course.courseThumbnail} alt="" />
        {isOwned ? (
          <p role="status">
            You are enrolled.{" "}
            <a className="button" href={`/player/${id}`}>
              Go to the course
            </a>
          </p>
        ) : (
          <Offer
            item={{ courseId: id }}
            title={course.courseTitle}
            price={priceOf(course)}
            isKnown={!isSignedIn || own.data !== undefined}
            reload={own.again}
          >
            <p>
              <Price course={course} />
            </p>
          </Offer>
        )}
        <p className="soft">
          {count(course.totalLectures, "lecture")} · {count(course.totalDurationMinutes, "minute")} ·{" "}
          {course.accessDays ? `${count(course.accessDays, "day")} of access` : "lifetime access"}
        </p>
        <Refusal error={own.error} />
      </aside>
      <div className="about">
        <Points title="What you will learn" className="outcomes" points={course.outcomes} />
        <Markdown text={course.courseDescription} />
        <Points title="What you need" points={course.requirements} />
        <h2>Curriculum</h2>
        {course.courseContent.map((chapter, index) => (
          <section key={chapter.chapterId} className="card chapter">
            <h3>
              <span className="soft">{index + 1}</span> {chapter.chapterTitle}
            </h3>
            <ol className="lines">
              {chapter.chapterContent.map((lecture) => (
                <li key={lecture.lectureId}>
                  <CurriculumLecture courseId={id} lecture={lecture} isOwned={isOwned} />
                </li>
              ))}
            </ol>
          </section>
        ))}
        <Reviews course={course} isOwned={isOwned} ownRating={owned?.userRating ?? null} reload={reload} />
      </div>
    </article>
  );
}

/** Links the category and the tags of a course to the catalog. */
function Topics({ course: { category, tags } }: { course: CourseDetail }) {
  const topics = [...(category ? [["category", category]] : []), ...(tags ?? []).map((tag) => ["tag", tag])];
  if (topics.length === 0) return null;
  return (
    <ul className="chips" aria-label="Topics">
      {topics.map((topic) => (
        <li key={topic.join()}>
          <a className="badge" href={`/?${new URLSearchParams([topic])}`}>
            {topic[1]}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface PointsProps {
  title: string;
  points: string[] | null | undefined;
  className?: string;
}

const Points = ({ title, points, className }: PointsProps) =>
  points && points.length > 0 ? (
    <section className={className && `card prompt ${className}`}>
      <h2>{title}</h2>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </section>
  ) : null;

/** A line of the curriculum. A learner opens each lesson, a visitor the free previews. */
function CurriculumLecture({ courseId, lecture, isOwned }: { courseId: string; lecture: Lecture; isOwned: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { lectureId, lectureTitle, lectureDuration, isPreviewFree } = lecture;
  const minutes = <span className="soft">{lectureDuration} min</span>;
  if (isOwned) {
    return (
      <div className="line">
        <a href={`/player/${courseId}/${lectureId}`}>{lectureTitle}</a> {minutes}
      </div>
    );
  }
  if (!isPreviewFree) {
    return (
      <div className="line">
        {lectureTitle} {minutes}
      </div>
    );
  }
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="line">
        <span>
          {lectureTitle} <span className="badge">Free preview</span>
        </span>{" "}
        {minutes}
      </summary>
      {isOpen && <LessonContent courseId={courseId} lecture={lecture} />}
    </details>
  );
}
