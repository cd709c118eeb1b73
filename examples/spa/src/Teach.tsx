import { exportGradebook, type Learner, listEducatorCourses, listLearners } from "@lyceum/client";
import { useEffect, useState } from "react";
import { saveAs } from "./Lesson.js";
import { Refusal, useAnswer } from "./load.js";

/** Lists an educator's courses, or shows the gradebook of one. */
export function Teach({ id }: { id: string }) {
  const { data, error } = useAnswer(() => listEducatorCourses(), "own courses");
  const course = data?.courses.find(({ _id }) => _id === id);
  if (course) return <Gradebook id={id} title={course.courseTitle} />;
  return (
    <>
      <h1>Your courses</h1>
      <Refusal error={error} />
      <ul>
        {data?.courses.map(({ _id, courseTitle }) => (
          <li key={_id}>
            <a href={`#teach/${_id}`}>{courseTitle}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Lists how far the learners of a course are, a page at a time. The file has the result of every chapter. */
function Gradebook({ id, title }: { id: string; title: string }) {
  const [learners, setLearners] = useState<Learner[]>([]);
  const [after, setAfter] = useState<string | null>(null);
  const [refused, setRefused] = useState<{ message: string }>();
  const more = async (cursor?: string) => {
    const query = { sort: "progress" as const, limit: 50, ...(cursor ? { after: cursor } : {}) };
    const { data, error } = await listLearners({ path: { id }, query });
    setRefused(error);
    if (!data) return;
    setLearners((shown) => (cursor ? [...shown, ...data.learners] : data.learners));
    setAfter(data.nextCursor);
  };
  useEffect(() => void more(), [id]);
  const download = async () => {
    const { data, error } = await exportGradebook({ path: { id } });
    setRefused(error);
    if (data) saveAs(data, "gradebook.csv");
  };
  return (
    <>
      <h1>{title}</h1>
      <Refusal error={refused} />
      <p>
        <button type="button" onClick={download}>
          Download the gradebook
        </button>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Learner</th>
            <th scope="col">Lectures</th>
            <th scope="col">Best quiz</th>
            <th scope="col">Last active</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {learners.map((learner) => (
            <tr key={learner.userId}>
              <th scope="row">{learner.name}</th>
              <td>
                {learner.lecturesDone} of {learner.lecturesTotal} ({learner.percent} %)
              </td>
              <td>{learner.bestQuizPercent === null ? "–" : `${learner.bestQuizPercent} %`}</td>
              <td>{learner.lastActiveAt ? new Date(learner.lastActiveAt).toLocaleDateString() : "–"}</td>
              <td>{learner.state.replace("_", " ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {after && (
        <button type="button" className="quiet" onClick={() => more(after)}>
          More learners
        </button>
      )}
    </>
  );
}
