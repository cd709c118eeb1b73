import { useAuth, useClerk } from "@clerk/react";
import {
  type CourseDetail,
  createPurchase,
  getCourse,
  type Lecture,
  listEnrolledCourses,
  verifyPayment,
} from "@lyceum/client";
import { useState } from "react";
import { Price, shownPrice } from "./Catalog.js";
import { pay } from "./checkout.js";
import { languageName, levels } from "./Filters.js";
import { LessonContent } from "./Lesson.js";
import { useAnswer } from "./load.js";
import { Markdown } from "./Markdown.js";
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
        <Offer course={course} isOwned={isOwned} isKnown={!isSignedIn || own.data !== undefined} reload={own.again} />
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

interface OfferProps {
  course: CourseDetail;
  isOwned: boolean;
  /** False until the server has said whether the learner owns the course. */
  isKnown: boolean;
  reload: () => void;
}

function Offer({ course, isOwned, isKnown, reload }: OfferProps) {
  const { isSignedIn } = useAuth();
  const { openSignIn } = useClerk();
  const [refused, setRefused] = useState<{ message: string }>();
  const [busy, setBusy] = useState(false);
  const buy = async () => {
    setBusy(true);
    setRefused((await purchase(course._id, course.courseTitle).catch((thrown: Error) => thrown)) ?? undefined);
    setBusy(false);
    reload();
  };
  if (isOwned) {
    return (
      <p role="status">
        You are enrolled.{" "}
        <a className="button" href={`/player/${course._id}`}>
          Go to the course
        </a>
      </p>
    );
  }
  const isFree = shownPrice(course) === "Free";
  const buyText = isFree ? "Enroll for free" : `Buy for ${shownPrice(course)}`;
  return (
    <>
      <p>
        <Price course={course} />
      </p>
      <Refusal error={refused} />
      <button type="button" disabled={busy || !isKnown} onClick={isSignedIn ? buy : () => openSignIn()}>
        {isSignedIn ? buyText : isFree ? "Sign in to enroll" : "Sign in to buy"}
      </button>
    </>
  );
}

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

/** Enrolls in the course. @returns the server's refusal, if any. */
async function purchase(courseId: string, title: string): Promise<{ message: string } | undefined> {
  const opened = await createPurchase({ body: { courseId } });
  if (!opened.data) return opened.error;
  const { purchaseId, orderId, keyId, enrolled } = opened.data;
  // A free course, or a coupon of 100 percent: there is nothing to pay.
  if (enrolled || !orderId || !keyId) return undefined;
  const proof = await pay({ key: keyId, order_id: orderId, name: "Lyceum example", description: title });
  if (!proof) return { message: "You left the checkout. You can buy the course later." };
  return (await verifyPayment({ body: { ...proof, purchaseId } })).error;
}
