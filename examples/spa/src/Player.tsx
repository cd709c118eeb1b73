import { completeLecture, getCertificate, getCourseProgress, getEnrolledCourse } from "@lyceum/client";
import { useEffect, useState } from "react";
import { Lesson } from "./Lesson.js";
import { Refusal, useAnswer } from "./load.js";

/** Plays the lectures of an own course, shows the progress, and offers the certificate after the last lecture. */
export function Player({ id: courseId }: { id: string }) {
  const { data, error } = useAnswer(() => getEnrolledCourse({ path: { courseId } }), courseId);
  const progress = useAnswer(() => getCourseProgress({ body: { courseId } }), courseId);
  const [shown, setShown] = useState("");
  const [refused, setRefused] = useState<{ message: string }>();
  const course = data?.courseData;
  if (!course) return <Refusal error={error} />;
  const lectures = course.courseContent.flatMap(({ chapterContent }) => chapterContent);
  const done = new Set(progress.data?.progressData?.lectureCompleted);
  const lecture =
    lectures.find(({ lectureId }) => lectureId === shown) ?? lectures.find(({ lectureId }) => !done.has(lectureId));

  const finish = async (lectureId: string) => {
    const { error } = await completeLecture({ body: { courseId, lectureId } });
    setRefused(error);
    setShown("");
    progress.again();
  };
  return (
    <>
      <h1>{course.courseTitle}</h1>
      <p aria-live="polite">
        {done.size} of {lectures.length} lectures done
      </p>
      <Refusal error={refused ?? progress.error} />
      {progress.data?.progressData?.completed && <Certificate courseId={courseId} />}
      {progress.data && lecture && (
        <Lesson
          key={lecture.lectureId}
          courseId={courseId}
          lectureId={lecture.lectureId}
          finish={() => finish(lecture.lectureId)}
        />
      )}
      <ol>
        {lectures.map(({ lectureId, lectureTitle }) => (
          <li key={lectureId}>
            <a
              href={location.hash}
              onClick={(event) => {
                event.preventDefault();
                setShown(lectureId);
              }}
            >
              {lectureTitle}
            </a>{" "}
            {done.has(lectureId) && "✓"}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Waits for the certificate, because the server may still be drawing it. */
function Certificate({ courseId }: { courseId: string }) {
  const { data, again } = useAnswer(() => getCertificate({ path: { courseId } }), courseId);
  useEffect(() => {
    const timer = setInterval(() => data || again(), 2_000);
    return () => clearInterval(timer);
  });
  return <p>{data ? <a href={data.pdfUrl}>Your certificate</a> : "Your certificate is being prepared."}</p>;
}
