import {
  announce,
  exportGradebook,
  getLearner,
  type Learner,
  type LearnerDetail,
  listEducatorCourses,
  listLearners,
} from "@lyceum/client";
import { useState } from "react";
import { CourseCertificates } from "./CourseCertificates.js";
import { saveAs } from "./Lesson.js";
import { useAnswer, usePages } from "./load.js";
import { PathEditor } from "./PathEditor.js";
import { count, FoldedForm, More, Pending, Progress, Refusal, shownDate, Title } from "./parts.js";
import { TeachPaths } from "./TeachPaths.js";
import { TemplateEditor } from "./TemplateEditor.js";

interface Props {
  page: string;
  /** Of the path on the pages of paths. */
  courseId: string;
  learnerId: string;
}

/** Lists an educator's courses or paths, or shows a page of one: gradebook, a learner, certificates, their template. */
export function Teach({ page, courseId, learnerId }: Props) {
  const { data, error } = useAnswer(() => listEducatorCourses(), "own courses");
  if (!data) return <Pending error={error} />;
  if (page === "paths") return courseId ? <PathEditor id={courseId} courses={data.courses} /> : <TeachPaths />;
  const course = data.courses.find(({ _id }) => _id === courseId);
  if (course && page === "certificates")
    return <CourseCertificates courseId={courseId} courseTitle={course.courseTitle} />;
  if (course && page === "certificate-template")
    return <TemplateEditor courseId={courseId} courseTitle={course.courseTitle} />;
  if (course && learnerId) return <OneLearner courseId={courseId} learnerId={learnerId} />;
  if (course) return <Gradebook id={courseId} title={course.courseTitle} />;
  return (
    <>
      <Title>Your courses</Title>
      <p>
        <a href="/educator/paths">Learning paths</a>
      </p>
      <ul className="grid">
        {data.courses.map(({ _id, courseTitle, courseThumbnail, enrolledStudentsCount, isPublished }) => (
          <li key={_id} className="card">
            <img src={courseThumbnail} alt="" />
            <h2>
              <a href={`/educator/students-enrolled/${_id}`}>{courseTitle}</a>
            </h2>
            <p className="row">
              <span className="soft">{count(enrolledStudentsCount, "learner")}</span>
              {!isPublished && <span className="badge">Draft</span>}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

const states = { not_started: "Not started", active: "Active", stalled: "Stalled", completed: "Completed" };
const percentOf = (percent: number | null): string => (percent === null ? "–" : `${percent} %`);

/** Lists how far the learners of a course are, a page at a time. The file has the result of every chapter. */
function Gradebook({ id, title }: { id: string; title: string }) {
  const [state, setState] = useState<Learner["state"]>();
  const [refused, setRefused] = useState<{ message: string }>();
  const list = usePages(
    (after, signal) => listLearners({ path: { id }, query: { sort: "progress", limit: 50, state, ...after }, signal }),
    ({ learners }) => learners,
    `${id} ${state}`,
  );
  const download = async () => {
    const { data, error } = await exportGradebook({ path: { id } });
    setRefused(error);
    if (data) saveAs(data, "gradebook.csv");
  };
  return (
    <>
      <p className="soft">
        <a href="/educator/students-enrolled">Your courses</a>
      </p>
      <Title>{title}</Title>
      <p className="row">
        <a href={`/course/${id}`}>Course page and reviews</a>
        <a href={`/educator/certificates/${id}`}>Certificates</a>
        <a href={`/educator/certificate-template/${id}`}>Certificate template</a>
      </p>
      <AnnouncementForm courseId={id} />
      <Refusal error={refused ?? list.error} />
      <p className="row">
        <label>
          Show{" "}
          <select onChange={({ target }) => setState((target.value || undefined) as typeof state)}>
            <option value="">all learners</option>
            {Object.entries(states).map(([value, text]) => (
              <option key={value} value={value}>
                {text.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={download}>
          Download the gradebook
        </button>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className="card scroll" aria-label="Gradebook" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Learner</th>
              <th scope="col">State</th>
              <th scope="col">Progress</th>
              <th scope="col">Best result</th>
              <th scope="col">Last active</th>
              <th scope="col">Enrolled</th>
            </tr>
          </thead>
          <tbody>
            {list.rows.map((learner) => (
              <tr key={learner.userId}>
                <th scope="row">
                  <a className="by" href={`/educator/students-enrolled/${id}/${learner.userId}`}>
                    <img src={learner.imageUrl} alt="" /> {learner.name}
                  </a>
                </th>
                <td>
                  <span className={`badge ${learner.state}`}>{states[learner.state]}</span>
                </td>
                <td>
                  <Progress done={learner.lecturesDone} all={learner.lecturesTotal} />
                </td>
                <td>{percentOf(learner.bestQuizPercent)}</td>
                <td>{learner.lastActiveAt ? shownDate(learner.lastActiveAt) : "–"}</td>
                <td>{shownDate(learner.enrolledAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <More list={list}>More learners</More>
      {list.reply && list.rows.length === 0 && <p role="status">No learners here.</p>}
    </>
  );
}

/** Writes to everybody who learns in the course. */
const AnnouncementForm = ({ courseId }: { courseId: string }) => (
  <FoldedForm
    title="Write to all learners"
    action="Send"
    send={(fields) => {
      const body = { title: String(fields.get("title")), body: String(fields.get("body")) };
      return announce({ path: { id: courseId }, body });
    }}
    done={({ announcement }) => `Sent to ${count(announcement.recipients, "learner")}.`}
  >
    <label className="field">
      Title
      <input name="title" maxLength={200} required />
    </label>
    <label className="field">
      Text, in Markdown
      <textarea name="body" rows={6} maxLength={5000} required />
    </label>
  </FoldedForm>
);

/** Shows what a learner has done in a course. */
function OneLearner({ courseId, learnerId }: { courseId: string; learnerId: string }) {
  const { data, error } = useAnswer(() => getLearner({ path: { id: courseId, userId: learnerId } }), learnerId);
  if (!data) return <Pending error={error} />;
  const { learner } = data;
  return (
    <>
      <p className="soft">
        <a href={`/educator/students-enrolled/${courseId}`}>Gradebook</a>
      </p>
      <Title>{learner.name}</Title>
      <p className="row">
        <span className={`badge ${learner.state}`}>{states[learner.state]}</span>
        <Progress done={learner.lecturesDone} all={learner.lecturesTotal} />
      </p>
      <Results quizzes={learner.quizzes} />
      <h2>Lectures</h2>
      <ol className="card lines">
        {learner.lectures.map(({ lectureId, lectureTitle, completedAt }) => (
          <li key={lectureId} className="line">
            {lectureTitle} <span className="soft">{completedAt ? shownDate(completedAt) : "–"}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

const Results = ({ quizzes }: { quizzes: LearnerDetail["quizzes"] }) => (
  <>
    <h2>Results</h2>
    {quizzes.length === 0 && <p className="soft">No attempts yet.</p>}
    <ul className="card lines">
      {quizzes.map(({ chapterId, chapterTitle, attempts, best, lastAt }) => (
        <li key={chapterId} className="line row">
          <span>
            {chapterTitle}: <strong>{best} %</strong>
          </span>{" "}
          <span className="soft">
            {count(attempts, "attempt")}, last {shownDate(lastAt)}
          </span>
        </li>
      ))}
    </ul>
  </>
);
