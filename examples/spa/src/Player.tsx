import {
  completeLecture,
  getAssessment,
  getCertificate,
  getCourseProgress,
  getEnrolledCourse,
  type Lecture,
  type PlayerCourse,
} from "@lyceum/client";
import { useEffect, useState } from "react";
import { goTo } from "./addresses.js";
import { Lesson } from "./Lesson.js";
import { useAnswer } from "./load.js";
import { Pending, Progress, Refusal, shownDate, Title } from "./parts.js";

interface Props {
  courseId: string;
  /** Without it, the first lecture that is not done is shown. */
  lectureId: string;
}

/** Plays the lectures of an own course, and offers the certificate after the last one. */
export function Player({ courseId, lectureId }: Props) {
  const { data, error } = useAnswer(() => getEnrolledCourse({ path: { courseId } }), courseId);
  const progress = useAnswer(() => getCourseProgress({ body: { courseId } }), courseId);
  const [refused, setRefused] = useState<{ message: string }>();
  const course = data?.courseData;
  if (!course || !progress.data) return <Pending error={error ?? progress.error} />;
  const { lectureCompleted = [], completed = false } = progress.data.progressData ?? {};
  const done = new Set(lectureCompleted);
  const lectures = course.courseContent.flatMap(({ chapterContent }) => chapterContent);
  const wanted = lectures.findIndex((lecture) => lecture.lectureId === lectureId);
  const at = wanted >= 0 ? wanted : lectures.findIndex((lecture) => !done.has(lecture.lectureId));
  const [before, lecture, next] = [lectures[at - 1], lectures[at], lectures[at + 1]];

  const finish = async (id: string) => {
    const { error } = await completeLecture({ body: { courseId, lectureId: id } });
    setRefused(error);
    if (error) return;
    progress.again();
    goTo(`/player/${courseId}/${next?.lectureId ?? ""}`);
  };
  return (
    <div className="player">
      <article>
        <p className="soft">
          <a href={`/course/${courseId}`}>{course.courseTitle}</a>
        </p>
        <Title>{lecture?.lectureTitle ?? "All lectures are done"}</Title>
        <Refusal error={refused} />
        {completed && !lectureId && <Certificate courseId={courseId} />}
        {!completed && !lecture && <p>The course is complete when you pass the assessments in its contents.</p>}
        {course.lockedBy && (
          <p className="card prompt row">
            <strong>This course is locked.</strong>
            <span>
              Complete <a href={`/player/${course.lockedBy.courseId}`}>{course.lockedBy.courseTitle}</a> first.
            </span>
          </p>
        )}
        {lecture && <Lesson key={lecture.lectureId} courseId={courseId} lectureId={lecture.lectureId} />}
        {lecture && (
          <nav className="steps" aria-label="Lectures">
            {before ? <Step to={before} text="← Previous" courseId={courseId} /> : <span />}
            {done.has(lecture.lectureId) ? (
              <span className="badge">Done</span>
            ) : course.lockedBy ? (
              <span />
            ) : (
              <button type="button" onClick={() => finish(lecture.lectureId)}>
                Lecture is done
              </button>
            )}
            {next ? <Step to={next} text="Next →" courseId={courseId} /> : <span />}
          </nav>
        )}
      </article>
      <aside className="card outline" aria-label="Contents of the course">
        <p role="status">
          <Progress done={lectures.filter(({ lectureId }) => done.has(lectureId)).length} all={lectures.length} />
        </p>
        <Outline course={course} done={done} shown={lecture?.lectureId} />
      </aside>
    </div>
  );
}

const Step = ({ to, text, courseId }: { to: Lecture; text: string; courseId: string }) => (
  <a href={`/player/${courseId}/${to.lectureId}`}>
    <span className="soft">{text}</span> {to.lectureTitle}
  </a>
);

function Outline({ course, done, shown }: { course: PlayerCourse; done: Set<string>; shown: string | undefined }) {
  return course.courseContent.map(({ chapterId, chapterTitle, chapterContent, hasAssessment, opensAt }) => (
    <section key={chapterId}>
      <h2>{chapterTitle}</h2>
      {opensAt && <p className="soft">Opens on {shownDate(opensAt)}</p>}
      <ol>
        {chapterContent.map(({ lectureId, lectureTitle }) => (
          <li key={lectureId} className={done.has(lectureId) ? "done" : ""}>
            <a href={`/player/${course._id}/${lectureId}`} aria-current={lectureId === shown ? "page" : undefined}>
              {lectureTitle}
              {done.has(lectureId) && <span className="unseen">, done</span>}
            </a>
          </li>
        ))}
        {hasAssessment && !course.lockedBy && <ChapterAssessment courseId={course._id} chapterId={chapterId} />}
      </ol>
    </section>
  ));
}

/** Links the assessment of a chapter that has one. */
function ChapterAssessment({ courseId, chapterId }: { courseId: string; chapterId: string }) {
  const { data } = useAnswer(() => getAssessment({ path: { courseId, chapterId } }), chapterId);
  if (!data) return null;
  const { title, passed, bestPercent } = data.assessment;
  return (
    <li className={passed ? "done" : ""}>
      <a href={`/assessment/${courseId}/${chapterId}`}>
        Assessment: {title} {bestPercent !== null && `(${bestPercent}\u00a0%${passed ? ", passed" : ""})`}
      </a>
    </li>
  );
}

/** Waits for the certificate, because the server may still be drawing it. A revoked one does not come back by itself. */
function Certificate({ courseId }: { courseId: string }) {
  const { data, error, again } = useAnswer(() => getCertificate({ path: { courseId } }), courseId);
  const isRevoked = error?.message === "Certificate was revoked";
  useEffect(() => {
    const timer = setInterval(() => data || isRevoked || again(), 2_000);
    return () => clearInterval(timer);
  });
  return (
    <p className="card prompt row" role="status">
      <strong>You have completed the course.</strong>
      {data ? (
        <a className="button" href={data.pdfUrl}>
          Your certificate
        </a>
      ) : isRevoked ? (
        <a href="/my-certificates">Your certificate was revoked</a>
      ) : (
        "Your certificate is being prepared."
      )}
    </p>
  );
}
